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

/** Sends an event to the owners: each ignores the keys that it does not know. */
const tellOwners = createSendAction<OutboxEvent & AnswersEvent>((event, { system }) =>
  ['outbox', 'answers'].flatMap((id) => {
    const to: AnyActorRef | undefined = system.get(id)
    return to === undefined ? [] : [{ to, event }]
  }),
)

/** The dialog with the messages that were not sent. The outbox owns the messages, `answers` those to comments; this machine asks before a discard. */
export const unsentMachine = setup({
  types: {
    context: {} as {
      /** The message that the person is asked about. The question stays, even if the message is sent meanwhile. */
      discarded: Unsent | null
    },
    events: {} as UnsentEvent,
  },
  actions: {
    tellOwners,
    'keep the message': assign({ discarded: (_, { send }: { send: Unsent }) => send }),
    'forget the message': assign({ discarded: null }),
  },
}).createMachine({
  id: 'unsent',
  context: { discarded: null },
  initial: 'listing',
  states: {
    listing: {
      entry: 'forget the message',
      on: {
        'discard.requested': { target: 'asking', actions: { type: 'keep the message', params: ({ event }) => event } },
        'dialog.dismissed': 'closed',
      },
    },
    asking: {
      on: {
        'discard.confirmed': {
          target: 'listing',
          actions: {
            type: 'tellOwners',
            params: ({ context }) => ({ type: 'send.discarded', key: context.discarded?.key ?? '' }),
          },
        },
        'discard.refused': 'listing',
        'dialog.dismissed': 'listing',
      },
    },
    closed: { type: 'final' },
  },
})

/** The message that the person is asked about; null if none. */
export const selectDiscarded = ({ context }: SnapshotFrom<typeof unsentMachine>): Unsent | null => context.discarded

/** The messages that were not sent, failed or are unconfirmed, oldest first. */
export const selectUnsent = selectSends((outgoing) => outgoing.filter(isUnsent))

/** The messages that were not sent because of the connection or a closed tab, oldest first. */
export const selectWaiting = selectSends((outgoing) => outgoing.filter(waitsForStaff))
