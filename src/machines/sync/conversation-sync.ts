import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import type { SyncedConversation } from '../../domain/sync/sync-calls.ts'
import { syncToasts } from '../../domain/sync/toasts.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'
import { tellSession } from '../session-events.ts'
import { notify } from '../system.ts'

export type ConversationSyncEvent = { type: 'conversationSync.requested'; subject: SyncedConversation }

/** Fetches the newest messages of one conversation from the network (spec section 7, sync-conversation). */
export const conversationSyncMachine = setup({
  types: { context: {} as { subject: SyncedConversation | null }, events: {} as ConversationSyncEvent },
  actors: {
    syncConversation: fromPromise<number, SyncedConversation>(mustBeProvided('syncConversation')),
  },
  actions: {
    notify,
    'notify failure': notifyFailure,
    tellSession,
    'keep the subject': assign({ subject: (_, { subject }: { subject: SyncedConversation }) => subject }),
  },
}).createMachine({
  id: 'conversationSync',
  context: { subject: null },
  initial: 'idle',
  states: {
    idle: {
      on: {
        'conversationSync.requested': {
          target: 'syncing',
          actions: { type: 'keep the subject', params: ({ event }) => event },
        },
      },
    },
    syncing: {
      exit: { type: 'tellSession', params: { type: 'inbox.invalidated' } },
      invoke: {
        id: 'syncConversation',
        src: 'syncConversation',
        input: ({ context }) => {
          if (context.subject === null) throw new Error('a sync starts with a conversation')
          return context.subject
        },
        onDone: {
          target: 'idle',
          actions: {
            type: 'notify',
            params: ({ event }) => syncToasts.recent(event.output),
          },
        },
        onError: {
          target: 'idle',
          actions: reportFailure(syncToasts.conversationFailed),
        },
      },
    },
  },
})

/** The conversation that is being synced; null if there is none. */
export const selectSubject = (snapshot: SnapshotFrom<typeof conversationSyncMachine>): SyncedConversation | null =>
  snapshot.matches('syncing') ? snapshot.context.subject : null
