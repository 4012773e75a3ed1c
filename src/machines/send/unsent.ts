import { assign, type SnapshotFrom, setup } from 'xstate'
import { isUnsent, type Outgoing, waitsForStaff } from '../../domain/send/outgoing.ts'
import { createSendAction } from '../system.ts'
import type { OutboxEvent } from './outbox.ts'
import { selectSends } from './outbox-selectors.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    unsent: typeof unsentMachine
  }
}

export type UnsentEvent =
  | { type: 'discard.requested'; send: Outgoing }
  | { type: 'discard.confirmed' }
  | { type: 'discard.refused' }
  | { type: 'dialog.dismissed' }

/** Sends the outbox an event: `{ type: 'tellOutbox', params: { type: 'send.discarded', key } }`. */
const tellOutbox = createSendAction<OutboxEvent>((event, { system, self }) => [
  { to: system.get('outbox') ?? self, event },
])

/** The dialog with the messages that were not sent. The outbox owns the messages; this machine asks before a discard. */
export const unsentMachine = setup({
  types: {
    context: {} as {
      /** The message that the person is asked about. The question stays, even if the message is sent meanwhile. */
      discarded: Outgoing | null
    },
    events: {} as UnsentEvent,
  },
  actions: {
    tellOutbox,
    'keep the message': assign({ discarded: (_, { send }: { send: Outgoing }) => send }),
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
            type: 'tellOutbox',
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
export const selectDiscarded = ({ context }: SnapshotFrom<typeof unsentMachine>): Outgoing | null => context.discarded

/** The messages that were not sent, failed or are unconfirmed, oldest first. */
export const selectUnsent = selectSends((outgoing) => outgoing.filter(isUnsent))

/** The messages that were not sent because of the connection or a closed tab, oldest first. */
export const selectWaiting = selectSends((outgoing) => outgoing.filter(waitsForStaff))
