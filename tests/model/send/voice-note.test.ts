import { describe, expect, it } from 'vitest'
import { createActor, fromCallback, SimulatedClock } from 'xstate'
import { longestVoiceNote, type VoiceReport } from '../../../src/domain/send/voice-note.ts'
import {
  selectAsksToDiscard,
  selectProblem,
  selectSeconds,
  selectStage,
  type VoiceNoteEvent,
  voiceNoteMachine,
} from '../../../src/machines/send/voice-note.ts'
import { createCoverage, modelOf } from '../harness.ts'
import { followBeside, type Reference, when } from '../reference.ts'

const coverage = createCoverage(voiceNoteMachine)
const input = { conversationId: 'ana', platform: 'instagram' } as const
const file = new File(['sound'], 'voice-note.wav', { type: 'audio/wav' })
const chosen = { type: 'files.chosen', ...input, files: [file] }

function start() {
  const clock = new SimulatedClock()
  const told: unknown[] = []
  const calls: string[] = []
  const actor = createActor(
    voiceNoteMachine.provide({
      actors: {
        recordVoice: fromCallback(({ receive }) => {
          calls.push('begin')
          receive(() => void calls.push('stop'))
          return () => void calls.push('end')
        }),
      },
      actions: { tellFiles: (_, event) => void told.push(event) },
    }),
    { input, clock, inspect: coverage.inspect },
  ).start()
  return { actor, told, calls, pass: (seconds: number) => clock.increment(seconds * 1_000) }
}

describe('the recorder of a voice note', () => {
  it('records until it is stopped, counts the seconds, and attaches the file', () => {
    const sut = start()
    sut.pass(5)
    sut.actor.send({ type: 'recording.began' })
    for (let second = 0; second < 3; second += 1) sut.pass(1)
    expect([selectStage(sut.actor.getSnapshot()), selectSeconds(sut.actor.getSnapshot())]).toEqual(['recording', 3])
    sut.actor.send({ type: 'recording.stopped' })
    sut.actor.send({ type: 'recording.stopped' })
    expect([selectStage(sut.actor.getSnapshot()), sut.calls]).toEqual(['ending', ['begin', 'stop']])
    sut.actor.send({ type: 'recording.ready', file })
    expect([sut.told, sut.actor.getSnapshot().status, sut.calls]).toEqual([[chosen], 'done', ['begin', 'stop', 'end']])
  })

  it('stops by itself after the longest time', () => {
    const sut = start()
    sut.actor.send({ type: 'recording.began' })
    for (let second = 0; second < longestVoiceNote; second += 1) {
      expect(selectStage(sut.actor.getSnapshot())).toBe('recording')
      sut.pass(1)
    }
    expect([selectStage(sut.actor.getSnapshot()), sut.calls]).toEqual(['ending', ['begin', 'stop']])
  })

  type State = {
    stage: 'asking' | 'recording' | 'ending' | 'refused' | 'closed'
    seconds: number
    asks: boolean
    problem: string | null
    told: unknown[]
  }
  const reference: Reference<State> = {
    start: { stage: 'asking', seconds: 0, asks: false, problem: null, told: [] },
    accepts: ({ stage, asks }) => [
      ...when(stage !== 'closed', 'dialog.dismissed'),
      ...when(stage === 'asking', 'recording.began'),
      ...when(stage === 'recording', 'recording.stopped', 'xstate.after.second.voiceNote.working.sound.recording'),
      ...when(stage !== 'refused' && stage !== 'closed', 'recording.refused', 'recording.ready'),
      ...when(stage === 'refused', 'recording.retried'),
      ...when(asks, 'discard.confirmed', 'discard.refused'),
    ],
    rules: {
      'recording.began': () => ({ stage: 'recording' }),
      'xstate.after.second.voiceNote.working.sound.recording': ({ seconds }) => ({ seconds: seconds + 1 }),
      'recording.stopped': () => ({ stage: 'ending' }),
      'recording.refused': (_, { problem }) => ({ stage: 'refused', problem, asks: false }),
      'recording.retried': () => ({ stage: 'asking', seconds: 0, problem: null }),
      'recording.ready': ({ told }) => ({ stage: 'closed', asks: false, told: [...told, chosen] }),
      'dialog.dismissed': ({ stage, seconds, asks }) => {
        if (asks) return { asks: false }
        return stage !== 'refused' && seconds > 0 ? { asks: true } : { stage: 'closed' }
      },
      'discard.confirmed': () => ({ stage: 'closed', asks: false }),
      'discard.refused': () => ({ asks: false }),
    },
    shown: ({ stage, ...rest }) => ({ ...rest, isOpen: stage !== 'closed', ...(stage !== 'closed' && { stage }) }),
  }
  const paths = modelOf(voiceNoteMachine, {
    input,
    vertex: ({ context: { seconds, problem } }) => [Math.min(seconds, 1), problem],
    stopWhen: ({ context: { seconds } }) => seconds > 1,
    cases: {
      'recording.began': [{}],
      'recording.refused': [{ problem: 'denied' }, { problem: 'noMicrophone' }],
      'recording.ready': [{ file: { ...file, toJSON: () => 'the file' } }],
      'recording.stopped': [{}],
      'recording.retried': [{}],
      'xstate.after.second.voiceNote.working.sound.recording': [{}],
      'discard.confirmed': [{}],
      'discard.refused': [{}],
      'dialog.dismissed': [{}],
    },
  }).everyTransition()

  it.each(paths.map((path) => [path.title, path] as const))('%s', async (_title, path) => {
    const sut = start()
    const drive = (event: { type: string }) => {
      if (event.type.startsWith('xstate.after')) return sut.pass(1)
      if (event.type === 'recording.ready') return sut.actor.send({ type: 'recording.ready', file })
      return sut.actor.send(event as VoiceNoteEvent | VoiceReport)
    }
    await followBeside(path, drive, reference, () => {
      const snapshot = sut.actor.getSnapshot()
      const isOpen = snapshot.status === 'active'
      return {
        seconds: selectSeconds(snapshot),
        asks: isOpen && selectAsksToDiscard(snapshot),
        problem: selectProblem(snapshot),
        told: sut.told,
        isOpen,
        ...(isOpen && { stage: selectStage(snapshot) }),
      }
    })
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
