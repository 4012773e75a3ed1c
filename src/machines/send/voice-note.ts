import type { SnapshotFrom } from 'xstate'
import { assign, fromCallback, sendTo, setup } from 'xstate'
import { longestVoiceNote, type VoiceProblem, type VoiceReport } from '../../domain/send/voice-note.ts'
import type { Platform } from '../../schemas/conversation.ts'
import { mustBeGiven } from '../must-be-provided.ts'
import { createSendAction } from '../system.ts'
import type { AttachedFilesEvent } from './attached-files.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    voiceNote: typeof voiceNoteMachine
  }
}

/** `conversationId`: the row id. `platform`: null if unknown. */
type Input = { conversationId: string; platform: Platform | null }

type Context = Input & {
  /** Recorded so far. */
  seconds: number
  problem: VoiceProblem | null
}

export type VoiceNoteEvent =
  | { type: 'recording.stopped' }
  | { type: 'recording.retried' }
  | { type: 'discard.confirmed' }
  | { type: 'discard.refused' }
  | { type: 'dialog.dismissed' }

const tellFiles = createSendAction<AttachedFilesEvent>((event, { system, self }) => [
  { to: system.get('attachedFiles') ?? self, event },
])

/**
 * The dialog that records a voice note. A recording becomes an attached file at once, which survives a reload and can be
 * heard before it is sent.
 */
export const voiceNoteMachine = setup({
  types: { context: {} as Context, events: {} as VoiceNoteEvent | VoiceReport, input: {} as Input },
  actors: {
    /** Records until it receives 'recording.stopped'. Its disposer releases the microphone. */
    recordVoice: fromCallback<{ type: 'recording.stopped' }>(mustBeGiven('recordVoice')),
  },
  delays: { second: 1_000 },
  guards: {
    'has recorded something': ({ context: { seconds } }) => seconds > 0,
    'is too long': ({ context: { seconds } }) => seconds >= longestVoiceNote,
  },
  actions: {
    tellFiles,
    'stop recording': sendTo('recordVoice', { type: 'recording.stopped' }),
    'start anew': assign({ seconds: 0, problem: null }),
    'count the second': assign({ seconds: ({ context: { seconds } }) => seconds + 1 }),
    'keep the problem': assign({ problem: (_, { problem }: { problem: VoiceProblem }) => problem }),
  },
}).createMachine({
  id: 'voiceNote',
  context: ({ input }) => ({ ...input, seconds: 0, problem: null }),
  initial: 'working',
  states: {
    working: {
      entry: 'start anew',
      invoke: { id: 'recordVoice', src: 'recordVoice' },
      on: {
        'recording.refused': {
          target: 'refused',
          actions: { type: 'keep the problem', params: ({ event }) => event },
        },
        'recording.ready': {
          target: 'closed',
          actions: {
            type: 'tellFiles',
            params: ({ context: { conversationId, platform }, event }) => ({
              type: 'files.chosen',
              conversationId,
              platform,
              files: [event.file],
            }),
          },
        },
      },
      type: 'parallel',
      states: {
        sound: {
          initial: 'asking',
          states: {
            /** The browser asks the person. */
            asking: { on: { 'recording.began': 'recording' } },
            recording: {
              always: { guard: 'is too long', target: 'ending' },
              after: { second: { target: 'recording', reenter: true, actions: 'count the second' } },
              on: { 'recording.stopped': 'ending' },
            },
            /** The recording becomes a file. */
            ending: { entry: 'stop recording' },
          },
        },
        question: {
          initial: 'none',
          states: {
            none: {
              on: {
                'dialog.dismissed': [
                  { guard: 'has recorded something', target: 'asking' },
                  { target: '#voiceNote.closed' },
                ],
              },
            },
            /** Whether to discard the recording, which goes on. */
            asking: {
              on: {
                'discard.confirmed': '#voiceNote.closed',
                'discard.refused': 'none',
                'dialog.dismissed': 'none',
              },
            },
          },
        },
      },
    },
    refused: { on: { 'recording.retried': 'working', 'dialog.dismissed': 'closed' } },
    closed: { type: 'final' },
  },
})

type Snapshot = SnapshotFrom<typeof voiceNoteMachine>

/** 'asking': the browser asks for the microphone. */
export const selectStage = (snapshot: Snapshot): 'asking' | 'recording' | 'ending' | 'refused' => {
  if (snapshot.matches('refused')) return 'refused'
  if (snapshot.matches({ working: { sound: 'recording' } })) return 'recording'
  return snapshot.matches({ working: { sound: 'ending' } }) ? 'ending' : 'asking'
}
export const selectSeconds = ({ context }: Snapshot): number => context.seconds
export const selectProblem = ({ context }: Snapshot): VoiceProblem | null => context.problem
export const selectAsksToDiscard = (snapshot: Snapshot): boolean =>
  snapshot.matches({ working: { question: 'asking' } })
