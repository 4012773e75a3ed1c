import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, raise, setup } from 'xstate'
import { type Candidate, type ChatStep, candidateOf, isPossible } from '../../domain/client/chats.ts'
import { chatToasts } from '../../domain/client/dialog-toasts.ts'
import { nameOf } from '../../domain/list/conversation-text.ts'
import type { ListAnswer } from '../../domain/list/list-calls.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import type { Chats, MovedChat } from '../../schemas/chats.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { reportFailure } from '../on-failure.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
import { tellSession } from '../session-events.ts'
import { notify } from '../system.ts'
import { chatsChanged } from './client-changes.ts'
import { beforeSearch, type SearchEvent, searchDelays, searchGuards, typingSearch } from './client-search.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    chats: typeof chatsMachine
  }
}

type Input = {
  /** The row id of the conversation. */
  conversationId: string
  /** Searched at once. */
  term?: string
}

type Context = Omit<Input, 'term'> &
  Retries & {
    /** The last answer of the server; null before the first. */
    chats: Chats | null
    term: string
    /** The conversations found for the last searched term; null if there is no result. */
    found: { term: string; candidates: readonly Candidate[] } | null
    /** The step that waits for confirmation or runs. */
    step: ChatStep | null
  }

export type ChatsEvent =
  | SearchEvent
  | { type: 'refetch.requested' }
  | { type: 'step.chosen'; step: ChatStep }
  | { type: 'step.confirmed' }
  | { type: 'step.cancelled' }
  | { type: 'dialog.dismissed' }

/**
 * The dialog that corrects who is who: removes a wrong link to a client, joins the chats of one person, and splits chats
 * that were joined by mistake. Each step asks first.
 */
export const chatsMachine = setup({
  types: { context: {} as Context, events: {} as ChatsEvent, input: {} as Input },
  actors: {
    loadConversationChats: fromPromise<Chats, { conversationId: string }>(mustBeProvided('loadConversationChats')),
    searchConversations: fromPromise<ListAnswer, { term: string }>(mustBeProvided('searchConversations')),
    changeChats: fromPromise<readonly MovedChat[], { conversationId: string; step: ChatStep }>(
      mustBeProvided('changeChats'),
    ),
  },
  delays: { ...searchDelays, ...readingDelays },
  guards: {
    ...readingGuards,
    ...searchGuards,
    'is possible': ({ context: { chats, found } }, { step }: { step: ChatStep }) =>
      chats !== null && isPossible(chats, found?.candidates ?? [], step),
  },
  actions: {
    ...readingActions,
    notify,
    tellSession,
    'keep the chats': assign((_, { chats }: { chats: Chats }) => ({ chats, ...noRetries })),
    'keep the term': assign({ term: (_, { term }: { term: string }) => term }),
    'clear the search results': assign({ found: null }),
    'show the search results': assign({
      found: ({ context }, { rows }: ListAnswer) => ({
        term: context.term.trim(),
        candidates: rows.map((row) => candidateOf(row, nameOf(row))).filter(({ id }) => id !== context.conversationId),
      }),
    }),
    'keep the step': assign({ step: (_, { step }: { step: ChatStep }) => step }),
    'forget the step': assign({ step: null }),
  },
}).createMachine({
  id: 'chats',
  context: ({ input }) => ({ ...input, chats: null, term: input.term ?? '', found: null, step: null, ...noRetries }),
  // The given term is searched like a typed one.
  entry: raise(({ context: { term } }) => ({ type: 'search.typed', term })),
  initial: 'open',
  states: {
    open: {
      type: 'parallel',
      states: {
        search: {
          initial: 'idle',
          on: {
            ...typingSearch,
          },
          states: {
            ...beforeSearch,
            searching: {
              invoke: {
                id: 'searchConversations',
                src: 'searchConversations',
                input: ({ context }) => ({ term: context.term.trim() }),
                onDone: {
                  target: 'idle',
                  actions: { type: 'show the search results', params: ({ event }) => event.output },
                },
                onError: {
                  target: 'failed',
                  actions: ['clear the search results', reportFailure(chatToasts.searchFailed)],
                },
              },
            },
            failed: { on: { 'refetch.requested': 'searching' } },
          },
        },
        work: {
          initial: 'loading',
          on: { 'dialog.dismissed': '#chats.closed' },
          states: {
            loading: {
              invoke: {
                id: 'loadConversationChats',
                src: 'loadConversationChats',
                input: ({ context: { conversationId } }) => ({ conversationId }),
                onDone: {
                  target: 'choosing',
                  actions: { type: 'keep the chats', params: ({ event }) => ({ chats: event.output }) },
                },
                onError: afterFailedRead(chatToasts.loadFailed),
              },
            },
            failed: failedRead('#chats.open.work.loading'),
            choosing: {
              on: {
                'step.chosen': {
                  guard: { type: 'is possible', params: ({ event }) => event },
                  target: 'confirming',
                  actions: { type: 'keep the step', params: ({ event }) => event },
                },
              },
            },
            confirming: {
              on: {
                'step.confirmed': 'changing',
                'step.cancelled': { target: 'choosing', actions: 'forget the step' },
                'dialog.dismissed': { target: 'choosing', actions: 'forget the step' },
              },
            },
            changing: {
              // Not dismissable, so that the person sees the result.
              on: { 'dialog.dismissed': {} },
              invoke: {
                id: 'changeChats',
                src: 'changeChats',
                input: ({ context }) => ({ conversationId: context.conversationId, step: stepOf(context) }),
                onDone: {
                  target: '#chats.closed',
                  actions: [
                    {
                      type: 'tellSession',
                      params: ({ context: { step }, event }) =>
                        chatsChanged(event.output, step?.kind === 'unlink' ? step.clientId : null),
                    },
                    { type: 'notify', params: ({ context }) => chatToasts.done[stepOf(context).kind] },
                  ],
                },
                // Without an answer the step may have been done, so the chats are loaded again.
                onError: {
                  target: 'loading',
                  actions: [
                    reportFailure(({ step }: Context) => (step === null ? undefined : chatToasts.failed[step.kind])),
                    'forget the step',
                  ],
                },
              },
            },
          },
        },
      },
    },
    closed: { type: 'final' },
  },
})

function stepOf({ step }: Context): ChatStep {
  if (step === null) throw new Error('a change starts with a confirmed step')
  return step
}

type Snapshot = SnapshotFrom<typeof chatsMachine>

export const selectChats = (snapshot: Snapshot): Chats | null => snapshot.context.chats
export const selectTerm = (snapshot: Snapshot): string => snapshot.context.term
export const selectFound = (snapshot: Snapshot) => snapshot.context.found
export const selectIsSearching = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: { search: 'debouncing' } }) || snapshot.matches({ open: { search: 'searching' } })
export const selectHasSearchFailed = (snapshot: Snapshot): boolean => snapshot.matches({ open: { search: 'failed' } })
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches({ open: { work: 'failed' } })
/** The step that waits for confirmation or runs; null if there is none. */
export const selectStep = (snapshot: Snapshot): ChatStep | null => snapshot.context.step
export const selectIsChanging = (snapshot: Snapshot): boolean => snapshot.matches({ open: { work: 'changing' } })
/** Chats are loading or a change runs: no step can be chosen. */
export const selectIsBusy = (snapshot: Snapshot): boolean => !snapshot.matches({ open: { work: 'choosing' } })
