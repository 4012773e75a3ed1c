import { type AnyActorRef, assign, type SnapshotFrom, setup } from 'xstate'
import type { SentAnswer } from '../../domain/comments/answers.ts'
import { isUnsent, type Outgoing, waitsForStaff } from '../../domain/send/outgoing.ts'
import type { AnswersEvent } from '../comments/answers.ts'
import { createSendAction } from '../system.ts'
import type { OutboxEvent } from './outbox.ts'
import { selectSends } from './outbox-selectors.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    unsent: typeof unsentMachine
  }
}

/** A message, or an answer to a comment. */
export type Unsent = Outgoing | SentAnswer

export type UnsentEvent =
  | { type: 'discard.requested'; send: Unsent }
  | { type: 'discard.confirmed' }
  | { type: 'discard.refused' }
  | { type: 'dialog.dismissed' }

type Context = {
  /** The message that the person is asked about. The question stays, even if the message is sent meanwhile. */
  discarded: Unsent | null
  /** The dialog is only the question about one message. */
  asksAlone: boolean
}

/** Sends an event to the owners: each ignores the keys that it does not know. */
const tellOwners = createSendAction<OutboxEvent & AnswersEvent>((event, { system }) =>
  ['outbox', 'answers'].flatMap((id) => {
    const to: AnyActorRef | undefined = system.get(id)
    return to === undefined ? [] : [{ to, event }]
  }),
)

const forgetting = { type: 'forget the message' as const }

/** The question whether to discard the message, and the state after any answer. */
const questionThenTo = <Target extends string>(target: Target) => ({
  on: {
    'discard.confirmed': {
      target,
      actions: [
        {
          type: 'tellOwners' as const,
          params: ({ context }: { context: Context }) => ({
            type: 'send.discarded' as const,
            key: context.discarded?.key ?? '',
          }),
        },
        forgetting,
      ],
    },
    'discard.refused': { target, actions: forgetting },
    'dialog.dismissed': { target, actions: forgetting },
  },
})

/**
 * The dialog with the messages that were not sent. The outbox owns the messages, `answers` those to comments; this
 * machine asks before a discard. Opened for one message, it asks about that message alone and closes.
 */
export const unsentMachine = setup({
  types: {
    context: {} as Context,
    events: {} as UnsentEvent,
    /** `asksAbout`: the message to discard, of the open conversation; null for the list. */
    input: {} as { asksAbout: Unsent | null; conversationId?: string },
  },
  guards: { 'is about one message': ({ context }) => context.asksAlone },
  actions: {
    tellOwners,
    'keep the message': assign({ discarded: (_, { send }: { send: Unsent }) => send }),
    'forget the message': assign({ discarded: null }),
  },
}).createMachine({
  id: 'unsent',
  context: ({ input: { asksAbout } }) => ({ discarded: asksAbout, asksAlone: asksAbout !== null }),
  initial: 'listing',
  states: {
    listing: {
      always: { guard: 'is about one message', target: 'askingAlone' },
      on: {
        'discard.requested': { target: 'asking', actions: { type: 'keep the message', params: ({ event }) => event } },
        'dialog.dismissed': 'closed',
      },
    },
    asking: questionThenTo('listing'),
    askingAlone: questionThenTo('closed'),
    closed: { type: 'final' },
  },
})

/** The message that the person is asked about; null if none. */
export const selectDiscarded = ({ context }: SnapshotFrom<typeof unsentMachine>): Unsent | null => context.discarded

/** Whether the dialog is only the question about one message. */
export const selectAsksAlone = ({ context }: SnapshotFrom<typeof unsentMachine>): boolean => context.asksAlone

/** The messages that were not sent, failed or are unconfirmed, oldest first. */
export const selectUnsent = selectSends((outgoing) => outgoing.filter(isUnsent))

/** The messages that were not sent because of the connection or a closed tab, oldest first. */
export const selectWaiting = selectSends((outgoing) => outgoing.filter(waitsForStaff))
