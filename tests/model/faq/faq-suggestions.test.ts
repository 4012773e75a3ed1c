import { describe, expect, it } from 'vitest'
import { createActor, SimulatedClock } from 'xstate'
import { questionOf } from '../../../src/domain/send/faq-suggestions.ts'
import { faqSuggestionsMachine, selectSuggestions } from '../../../src/machines/faq/faq-suggestions.ts'
import type { FaqEntry } from '../../../src/schemas/faq.ts'
import { conversationOf } from '../../domain/message-fixture.ts'
import { createControl, createCoverage, createToastLog, driverOf, inspectAll } from '../harness.ts'
import { messageIn, stateOf } from '../inbox-fixture.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { entryOf, faqFaults } from './faq-fixture.ts'
import { entries, faqSuggestionsModel } from './faq-suggestions-fixture.ts'

const coverage = createCoverage(faqSuggestionsMachine)

function start() {
  const load = createControl<readonly FaqEntry[]>()
  const log = createToastLog()
  const clock = new SimulatedClock()
  const actor = createActor(faqSuggestionsMachine.provide({ actors: { loadEntries: load.logic } }), {
    clock,
    inspect: inspectAll(coverage.inspect, log.inspect),
  }).start()
  return {
    load,
    clock,
    actor,
    toasts: log.toasts,
    ask: (key: string, ...texts: string[]) =>
      actor.send({ type: 'question.changed', question: { key, texts, pageId: 'p1', isTolerant: false } }),
    offered: () => selectSuggestions(actor.getSnapshot()).map(({ id }) => id),
  }
}

describe('The question of a conversation', () => {
  const waiting = stateOf(1, { waiting_since: '2026-01-15T12:00:00Z' })
  const asking = {
    last_message_text: ' Are you open? ',
    last_message_direction: 'incoming' as const,
    last_message_at: '2026-01-15T12:00:00Z',
    state: waiting,
  }
  const moment = '2026-01-15T12:00:00Z'
  it.each<[string, object, object | null]>([
    [
      'is the last text of a person who waits',
      {},
      { key: `ana ${moment} 1`, texts: ['Are you open?'], pageId: 'p1', isTolerant: false },
    ],
    ['is none after an answer', { last_message_direction: 'outgoing' }, null],
    ['is none if nobody waits', { state: stateOf(1) }, null],
    ['is none for a muted person', { state: { ...waiting, muted_at: moment } }, null],
    ['is none with an API without states', { state: undefined }, null],
    ['is none for a picture', { last_message_text: null }, null],
  ])('%s', (_, change, expected) => {
    expect(questionOf(conversationOf({ ...asking, ...change }), [], false)).toEqual(expected)
  })

  it('is made of the last five texts since the last answer, newest first', () => {
    const said = (minute: number, message_text: string | null, direction: 'incoming' | 'outgoing' = 'incoming') =>
      messageIn('ana', minute, { message_text, direction })
    const messages = [
      said(0, 'Before'),
      said(1, 'Answer', 'outgoing'),
      said(2, ' GCash number po? '),
      said(3, null),
      said(4, 'Hello po'),
    ]
    expect(questionOf(conversationOf(asking), messages, true)).toEqual({
      key: `ana ${moment} 2`,
      texts: ['Hello po', 'GCash number po?'],
      pageId: 'p1',
      isTolerant: true,
    })
    const many = Array.from({ length: 7 }, (_, minute) => said(minute, `${minute}`))
    expect(questionOf(conversationOf(asking), many, true)?.texts).toEqual(['6', '5', '4', '3', '2'])
  })
})

describe('Suggestions from the FAQ', () => {
  it('are the three best active entries, loaded when somebody asks and not before', async () => {
    const sut = start()
    expect(sut.load.calls).toHaveLength(0)
    sut.ask('1', 'OPEN? What are your opening-hours')
    await sut.load.resolve(entries)
    expect(sut.offered()).toEqual(['high', 'long', 'low'])
    sut.ask('2', 'Do you take GCash?')
    expect([sut.offered(), sut.load.calls.length]).toEqual([['pay'], 1])
    sut.ask('3', 'Salamat po', 'Do you take GCash?', 'open?')
    expect(sut.offered()).toEqual(['pay'])
    sut.actor.send({ type: 'question.changed', question: null })
    expect(sut.offered()).toEqual([])
  })

  it('are those of the page, and similar entries only if the API matches with tolerance', async () => {
    const sut = start()
    const ask = (key: string, pageId: string, isTolerant: boolean, text: string) =>
      sut.actor.send({ type: 'question.changed', question: { key, texts: [text], pageId, isTolerant } })
    ask('1', 'p1', false, 'magkano po?')
    await sut.load.resolve([
      entryOf('own', { keywords: ['magkano'], page_ids: ['p1'] }),
      entryOf('other', { keywords: ['magkano'], page_ids: ['p2'] }),
    ])
    const offered = [sut.offered()]
    ask('2', 'p2', false, 'mgkano po?')
    offered.push(sut.offered())
    ask('3', 'p2', true, 'mgkano po?')
    offered.push(sut.offered())
    expect(offered).toEqual([['own'], [], ['other']])
  })

  it('do not come back for a question for which they were used or dismissed', async () => {
    const sut = start()
    sut.ask('1', 'open?')
    await sut.load.resolve(entries)
    sut.actor.send({ type: 'suggestions.settled' })
    expect(sut.offered()).toEqual([])
    sut.ask('2', 'open?')
    expect(sut.offered()).toEqual(['high', 'low'])
    sut.ask('1', 'open?')
    expect(sut.offered()).toEqual([])
  })

  it('are not offered if they were dismissed while the entries were loaded', async () => {
    const sut = start()
    sut.ask('1', 'open?')
    sut.actor.send({ type: 'suggestions.settled' })
    await sut.load.resolve(entries)
    expect(sut.offered()).toEqual([])
  })

  it('are the same object while the question stays', async () => {
    const sut = start()
    sut.ask('1', 'open?')
    await sut.load.resolve(entries)
    const before = selectSuggestions(sut.actor.getSnapshot())
    sut.ask('1', 'open?')
    expect(selectSuggestions(sut.actor.getSnapshot())).toBe(before)
  })

  it('use entries for 5 minutes, and keep them while newer ones are loaded', async () => {
    const sut = start()
    sut.ask('1', 'open?')
    await sut.load.resolve(entries)
    sut.clock.increment(299_999)
    sut.ask('2', 'open?')
    expect(sut.load.calls).toHaveLength(1)
    sut.clock.increment(1)
    expect(sut.load.calls).toHaveLength(1)
    sut.ask('3', 'open?')
    expect([sut.load.calls.length, sut.offered()]).toEqual([2, ['high', 'low']])
    await sut.load.resolve([entryOf('new', { keywords: ['open'] })])
    expect(sut.offered()).toEqual(['new'])
  })
})

describe('The walk through the suggestions', () => {
  const paths = faqSuggestionsModel().everyTransition()

  type State = {
    isAsked: boolean
    step: 'idle' | 'loading' | 'waiting' | 'refused' | 'fresh' | 'old'
    loads: number
    isKnown: boolean
    isSettled: boolean
  }
  const loading = ({ loads }: State): Partial<State> => ({ step: 'loading', loads: loads + 1 })
  const reference: Reference<State> = {
    start: { isAsked: false, step: 'idle', loads: 0, isKnown: false, isSettled: false },
    accepts: ({ step }) => [
      ...['question.changed', 'suggestions.settled'],
      ...when(step === 'loading', ...ends('loadEntries')),
      ...when(step === 'waiting', 'xstate.after.retryDelay.faqSuggestions.waiting'),
      ...when(step === 'fresh', 'xstate.after.entriesLifetime.faqSuggestions.fresh'),
    ],
    rules: {
      'question.changed': (state, { question: asked }) => {
        const isAsked = asked !== null
        if (isAsked === state.isAsked) return {}
        if (state.step !== 'idle' && state.step !== 'old') return { isAsked }
        return { isAsked, ...(isAsked ? loading(state) : { step: 'idle' }) }
      },
      'suggestions.settled': ({ isAsked, isSettled }) => ({ isSettled: isSettled || isAsked }),
      'xstate.done.actor.loadEntries': () => ({ step: 'fresh', isKnown: true }),
      'xstate.error.actor.loadEntries': (_, { error }) => ({
        step: error === faqFaults.unreadable ? 'waiting' : 'refused',
      }),
      'xstate.after.retryDelay.faqSuggestions.waiting': (state) => (state.isAsked ? loading(state) : { step: 'idle' }),
      'xstate.after.entriesLifetime.faqSuggestions.fresh': () => ({ step: 'old' }),
    },
    shown: ({ isAsked, isKnown, isSettled, step, loads }) => ({
      offered: isAsked && isKnown && !isSettled ? ['high', 'low'] : [],
      step,
      loads,
      toasts: [],
    }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start()
      const drive = driverOf(sut.actor.send, {
        calls: { loadEntries: sut.load },
        delays: {
          retryDelay: () => sut.clock.increment(2_000),
          entriesLifetime: () => sut.clock.increment(300_000),
        },
      })
      await followBeside(path, drive, reference, () => ({
        offered: sut.offered(),
        step: sut.actor.getSnapshot().value,
        loads: sut.load.calls.length,
        toasts: sut.toasts,
      }))
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
