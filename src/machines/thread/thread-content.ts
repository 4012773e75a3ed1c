import type { MessageChange } from '../../domain/shell/changes.ts'
import type { FetchedPage } from '../../domain/thread/thread-messages.ts'
import { threadToasts } from '../../domain/thread/toasts.ts'
import { ifTemporary, reportFailure, reportOnce } from '../on-failure.ts'
import { type Context, request, threadSetup } from './thread-setup.ts'

/** Transitions after a failed read. A refused read is retried only while the session waits for the resync. */
const failing = <Waiting extends string, Refused extends string>(waiting: Waiting, refused: Refused) => [
  { guard: ifTemporary, target: waiting, actions: reportOnce(threadToasts.failed) },
  {
    target: refused,
    actions: reportOnce(threadToasts.failed, ({ failures, needsResync }: Context) => needsResync && failures > 0),
  },
]

/**
 * The same for a read of messages. If the messages do not exist, the conversation may be gone, so it is looked up once.
 */
const failingRead = <Waiting extends string, Refused extends string>(waiting: Waiting, refused: Refused) => [
  {
    guard: {
      type: 'may have been deleted' as const,
      params: ({ event }: { event: { error: unknown } }) => ({ error: event.error }),
    },
    target: '#thread.content.finding' as const,
    actions: 'remember the look-up' as const,
  },
  ...failing(waiting, refused),
]

type Fetched = { event: { output: FetchedPage } }

/** Merges a result page and reports its messages, so that the outbox can confirm its sends. */
const taking = <Merge extends 'merge the newest' | 'merge older messages'>(merge: Merge) => [
  { type: merge, params: ({ event }: Fetched) => ({ answer: event.output }) },
  {
    type: 'tellSession' as const,
    params: ({ event }: Fetched) => ({ type: 'messages.fetched' as const, messages: event.output.messages }),
  },
]

/** Transitions after the first page of a thread that is opened. */
const opened = [
  {
    guard: {
      type: 'has further pages to catch up' as const,
      params: ({ event }: Fetched) => ({ answer: event.output }),
    },
    target: 'showing.resyncing' as const,
    actions: [...taking('merge the newest'), 'store the first unread message' as const],
  },
  { target: 'showing' as const, actions: [...taking('merge the newest'), 'store the first unread message' as const] },
]

type Changed = { event: { changes: readonly MessageChange[] } }
const changesOf = ({ event }: Changed) => event

/** Applies a change at once. */
const applyAtOnce = [
  { type: 'apply the changes' as const, params: changesOf },
  'store the first unseen message' as const,
]

/** Applies a change at once, and again after the pending page, because the server may have read the page earlier. */
const applyBeforePage = [...applyAtOnce, { type: 'remember the changes' as const, params: changesOf }]

/** Follows a changed row in the records. */
export const following = [
  {
    type: 'follow the row' as const,
    params: ({ event }: { event: { clientId: string | null } }) => ({ clientId: event.clientId }),
  },
  'send the recipient to the send route' as const,
]

/** Loads the newest messages, older messages on demand, and missed messages after a gap. */
export const content = threadSetup.createStateConfig({
  initial: 'opening',
  states: {
    opening: {
      always: [
        { guard: 'shows a saved thread', target: 'saved' },
        { guard: 'has a conversation', target: 'loading' },
        { target: 'finding' },
      ],
    },
    /** The list does not hold the row of a linked conversation, or the messages no longer exist. */
    finding: {
      entry: 'start the look-up',
      invoke: {
        id: 'findConversation',
        src: 'findConversation',
        input: ({ context }) => ({ id: context.id }),
        onDone: [
          {
            guard: { type: 'was found', params: ({ event }) => ({ found: event.output }) },
            target: 'loading',
            actions: [
              { type: 'use the conversation', params: ({ event }) => ({ found: event.output }) },
              {
                type: 'tellRecords',
                params: ({ context, event }) => ({
                  type: 'conversations.lookedUp',
                  rows: event.output === null ? [] : [event.output],
                  asOf: context.lookedUpAsOf,
                }),
              },
            ],
          },
          {
            guard: 'had no messages',
            target: 'notFound',
            actions: { type: 'tellSession', params: ({ context }) => ({ type: 'conversation.gone', id: context.id }) },
          },
          { target: 'notFound' },
        ],
        onError: failing('failed.waiting', 'failed.refused'),
      },
      on: { 'resync.requested': { target: 'finding', reenter: true, actions: 'require a resync' } },
    },
    notFound: {
      always: {
        guard: 'requires a resync',
        actions: [
          'clear the required resync',
          { type: 'tellSession', params: { type: 'resync.done', from: 'thread' } },
        ],
      },
      on: {
        'refetch.requested': { target: 'finding', actions: 'reset the failure count' },
        'conversation.changed': { target: 'loading', actions: [...following, 'use the row'] },
        'resync.requested': { target: 'finding', actions: 'require a resync' },
      },
    },
    loading: {
      entry: 'start loading the newest messages',
      invoke: {
        id: 'loadNewest',
        src: 'loadMessages',
        input: ({ context }) => request(context, 1),
        onDone: opened,
        onError: failingRead('failed.waiting', 'failed.refused'),
      },
      on: {
        'messages.changed': { actions: { type: 'remember the changes', params: changesOf } },
        'resync.requested': { target: 'loading', reenter: true, actions: 'require a resync' },
      },
    },
    /** Saved messages are shown while the newest messages are fetched, back to a known message. */
    saved: {
      entry: 'start loading the newest messages',
      invoke: {
        id: 'loadNewestAfterSaved',
        src: 'loadMessages',
        input: ({ context }) => request(context, 1),
        onDone: opened,
        onError: failingRead('failed.waiting', 'failed.refused'),
      },
      on: {
        'messages.changed': { actions: applyBeforePage },
        'older.requested': { actions: 'request older messages' },
        'resync.requested': { target: 'saved', reenter: true, actions: 'require a resync' },
      },
    },
    failed: {
      initial: 'waiting',
      states: {
        waiting: { after: { retryDelay: '#thread.content.opening' } },
        refused: { after: { retryDelay: { guard: 'requires a resync', target: '#thread.content.opening' } } },
      },
      on: {
        'refetch.requested': { target: 'opening', actions: 'reset the failure count' },
        'resync.requested': { target: 'opening', actions: 'require a resync' },
      },
    },
    showing: {
      initial: 'idle',
      on: {
        'messages.changed': { actions: applyAtOnce },
        'older.requested': { actions: 'request older messages' },
        'resync.requested': { target: '.resyncing', actions: 'require a resync' },
        'refetch.requested': { target: '.resyncing', actions: 'reset the failure count' },
      },
      states: {
        idle: {
          always: [
            {
              guard: 'requires a resync',
              actions: [
                'clear the required resync',
                { type: 'tellSession', params: { type: 'resync.done', from: 'thread' } },
              ],
            },
            { guard: 'has older messages to load', target: 'loadingOlder', actions: 'start loading older messages' },
          ],
        },
        loadingOlder: {
          invoke: {
            id: 'loadOlder',
            src: 'loadMessages',
            input: ({ context }) => request(context, context.older.page),
            onDone: [
              {
                guard: { type: 'needs a further older page', params: ({ event }) => ({ answer: event.output }) },
                target: 'loadingOlder',
                reenter: true,
                actions: taking('merge older messages'),
              },
              {
                target: 'idle',
                actions: [...taking('merge older messages'), 'clear the request for older messages'],
              },
            ],
            onError: {
              target: 'idle',
              actions: ['clear the request for older messages', reportFailure(threadToasts.failed)],
            },
          },
          on: {
            'messages.changed': { actions: applyBeforePage },
          },
        },
        /** Changes may have been missed. The newest pages are fetched again, back to a known message. */
        resyncing: {
          entry: 'start loading the newest messages',
          on: {
            'messages.changed': { actions: applyBeforePage },
          },
          initial: 'fetching',
          states: {
            fetching: {
              invoke: {
                id: 'refetchNewest',
                src: 'loadMessages',
                input: ({ context }) => request(context, context.newestPage),
                onDone: [
                  {
                    guard: { type: 'has further pages to catch up', params: ({ event }) => ({ answer: event.output }) },
                    target: 'fetching',
                    reenter: true,
                    actions: taking('merge the newest'),
                  },
                  {
                    target: '#thread.content.showing.idle',
                    actions: taking('merge the newest'),
                  },
                ],
                onError: failingRead('#thread.content.showing.backingOff', '#thread.content.showing.invalidated'),
              },
            },
          },
        },
        backingOff: { after: { retryDelay: 'resyncing' } },
        /** The server refused a resync, so messages may be missing. Retried while the session waits for the resync. */
        invalidated: { after: { retryDelay: { guard: 'requires a resync', target: 'resyncing' } } },
      },
    },
  },
})
