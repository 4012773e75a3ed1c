import { type ActorRef, assign, type EventObject, fromPromise, type Snapshot, type SnapshotFrom, setup } from 'xstate'
import type { CommentAnswer } from '../../domain/comments/answers.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { countDraftsIn } from '../send/drafts.ts'
import { countSendsIn } from '../send/outbox-selectors.ts'
import { tellSession } from '../session-events.ts'
import { createSendAction, type System } from '../system.ts'

/** The answers to comments in this tab. Their machine is not imported here, because this code is part of the first load. */
const answersHere = (system: System): readonly CommentAnswer[] => {
  const actor: ActorRef<Answers, EventObject> | undefined = system.get('answers')
  return actor?.getSnapshot().context.answers ?? []
}

type Answers = Snapshot<unknown> & { context: { answers: readonly CommentAnswer[] } }

/** What signing out deletes. */
type Losses = { drafts: number; notes: number; unsent: number }

type Context = Losses & { staffId: string }

const tellAuth = createSendAction<unknown>((_, { system, self }) => [
  { to: system.get('auth') ?? self, event: { type: 'signOut.requested' } },
])

const askFirst = createSendAction<unknown>((_, { system, self }) => [
  { to: system.get('dialog') ?? self, event: { type: 'dialog.requested', dialog: { name: 'signOut' } } },
])

export type SignOutEvent =
  | { type: 'signOut.requested' }
  /** The drafts that the server could take are saved. */
  | { type: 'drafts.flushed' }

/**
 * Signs out, after the drafts were saved on the server. Asks first if signing out deletes drafts or notes that are not
 * saved, or messages that are not confirmed as sent, in this tab or another.
 */
export const signOutMachine = setup({
  types: {
    context: {} as Context,
    events: {} as SignOutEvent,
    input: {} as { staffId: string },
  },
  actors: {
    /** The messages that other tabs of this person hold, and the notes and answers that are typed in this browser. */
    countElsewhere: fromPromise<Losses, { staffId: string }>(mustBeProvided('countElsewhere')),
  },
  delays: {
    /** Milliseconds. The longest wait for the drafts to be saved. */
    flushTimeout: 3_000,
  },
  guards: {
    'deletes nothing': ({ context: { drafts, notes, unsent } }) => drafts + notes + unsent === 0,
  },
  actions: {
    tellSession,
    'sign out': tellAuth,
    ask: askFirst,
    'count the work of this tab': assign(({ system }) => {
      const answers = answersHere(system)
      const typed = answers.filter(({ status }) => status === 'typed').length
      return { drafts: countDraftsIn(system) + typed, notes: 0, unsent: countSendsIn(system) + answers.length - typed }
    }),
    'add the work outside this tab': assign(({ context }, { drafts, notes, unsent }: Losses) => ({
      drafts: context.drafts + drafts,
      notes,
      unsent: context.unsent + unsent,
    })),
  },
}).createMachine({
  id: 'signOut',
  context: ({ input }) => ({ staffId: input.staffId, drafts: 0, notes: 0, unsent: 0 }),
  initial: 'idle',
  states: {
    idle: { on: { 'signOut.requested': 'saving' } },
    saving: {
      entry: { type: 'tellSession', params: { type: 'flush.requested' } },
      on: { 'drafts.flushed': 'counting' },
      after: { flushTimeout: 'counting' },
    },
    counting: {
      entry: 'count the work of this tab',
      invoke: {
        id: 'countElsewhere',
        src: 'countElsewhere',
        input: ({ context }) => ({ staffId: context.staffId }),
        onDone: {
          target: 'deciding',
          actions: { type: 'add the work outside this tab', params: ({ event }) => event.output },
        },
        onError: 'deciding',
      },
    },
    deciding: {
      always: [
        { guard: 'deletes nothing', target: 'idle', actions: 'sign out' },
        { target: 'idle', actions: 'ask' },
      ],
    },
  },
})

/** The numbers of drafts, notes and messages that signing out deletes, as counted at the last press. */
export const selectLosses = ({ context: { drafts, notes, unsent } }: SnapshotFrom<typeof signOutMachine>): Losses => ({
  drafts,
  notes,
  unsent,
})
