import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { suggestionToasts } from '../../domain/client/dialog-toasts.ts'
import { noRetries, type Retries, retriesAfter } from '../../domain/retries.ts'
import type { ClientSuggestion } from '../../schemas/client-suggestion.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { ifTemporary, isTemporary, reportFailure } from '../on-failure.ts'

/** An unlinked conversation that is open, and what its suggestions depend on: a new message may name somebody. */
export type SuggestionSubject = { conversationId: string; lastMessageAt: string | null }

type Context = Retries & {
  subject: SuggestionSubject | null
  /** Of the conversation of `subject`. */
  suggestions: readonly ClientSuggestion[]
  /** The id of the client whose suggestion is being dismissed. */
  dismissed: string | null
}

export type ClientSuggestionsEvent =
  | { type: 'subject.changed'; subject: SuggestionSubject | null }
  /** The person does not want to see this client for the conversation again. */
  | { type: 'suggestion.dismissed'; clientId: string }

const none: readonly ClientSuggestion[] = []

/**
 * The clients that the open conversation may belong to. Nothing is linked by itself, and a failed read is shown to nobody:
 * the suggestions are missing.
 */
export const clientSuggestionsMachine = setup({
  types: { context: {} as Context, events: {} as ClientSuggestionsEvent },
  actors: {
    loadSuggestions: fromPromise<readonly ClientSuggestion[], { conversationId: string }>(
      mustBeProvided('loadSuggestions'),
    ),
    dismissSuggestion: fromPromise<void, { conversationId: string; clientId: string }>(
      mustBeProvided('dismissSuggestion'),
    ),
  },
  /** `settleDelay`: people pass conversations on their way to another. */
  delays: { settleDelay: 300, retryDelay: ({ context }) => context.retryDelay },
  guards: {
    'is temporary': isTemporary,
    'is another subject': ({ context }, { subject }: { subject: SuggestionSubject | null }) =>
      subject?.conversationId !== context.subject?.conversationId ||
      subject?.lastMessageAt !== context.subject?.lastMessageAt,
    'has a subject': ({ context }) => context.subject !== null,
    'is suggested': ({ context }, { clientId }: { clientId: string }) =>
      context.suggestions.some(({ client }) => client.id === clientId),
  },
  actions: {
    'notify failure': notifyFailure,
    'keep the subject': assign(({ context }, { subject }: { subject: SuggestionSubject | null }) => ({
      subject,
      suggestions: subject?.conversationId === context.subject?.conversationId ? context.suggestions : none,
    })),
    'keep the suggestions': assign((_, { suggestions }: { suggestions: readonly ClientSuggestion[] }) => ({
      suggestions,
      ...noRetries,
    })),
    'count the failure': assign(({ context }, { error }: { error: unknown }) => retriesAfter(context, error)),
    'keep which is dismissed': assign({ dismissed: (_, { clientId }: { clientId: string }) => clientId }),
    'take off the dismissed': assign({
      suggestions: ({ context: { suggestions, dismissed } }) =>
        suggestions.filter(({ client }) => client.id !== dismissed),
    }),
  },
}).createMachine({
  id: 'clientSuggestions',
  context: { subject: null, suggestions: none, dismissed: null, ...noRetries },
  on: {
    'subject.changed': {
      guard: { type: 'is another subject', params: ({ event }) => event },
      target: '.deciding',
      actions: { type: 'keep the subject', params: ({ event }) => event },
    },
  },
  initial: 'idle',
  states: {
    idle: {},
    deciding: { always: [{ guard: 'has a subject', target: 'settling' }, { target: 'idle' }] },
    settling: { after: { settleDelay: 'loading' } },
    loading: {
      invoke: {
        id: 'loadSuggestions',
        src: 'loadSuggestions',
        input: ({ context }) => ({ conversationId: context.subject?.conversationId ?? '' }),
        onDone: {
          target: 'showing',
          actions: { type: 'keep the suggestions', params: ({ event }) => ({ suggestions: event.output }) },
        },
        onError: [
          {
            guard: ifTemporary,
            target: 'waiting',
            actions: { type: 'count the failure', params: ({ event }) => ({ error: event.error }) },
          },
          { target: 'refused' },
        ],
      },
    },
    waiting: { after: { retryDelay: 'loading' } },
    refused: {},
    showing: {
      on: {
        'suggestion.dismissed': {
          guard: { type: 'is suggested', params: ({ event }) => event },
          target: 'dismissing',
          actions: { type: 'keep which is dismissed', params: ({ event }) => event },
        },
      },
    },
    dismissing: {
      invoke: {
        id: 'dismissSuggestion',
        src: 'dismissSuggestion',
        input: ({ context }) => ({
          conversationId: context.subject?.conversationId ?? '',
          clientId: context.dismissed ?? '',
        }),
        onDone: { target: 'showing', actions: 'take off the dismissed' },
        onError: { target: 'showing', actions: reportFailure(suggestionToasts.dismissFailed) },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof clientSuggestionsMachine>

/** The suggestions for a conversation, most likely first. The array stays the same until they change. */
export const selectSuggestions =
  (conversationId: string) =>
  ({ context }: Snapshot): readonly ClientSuggestion[] =>
    context.subject?.conversationId === conversationId ? context.suggestions : none
/** The id of the client whose suggestion is being dismissed; null if there is none. */
export const selectDismissing = (snapshot: Snapshot): string | null =>
  snapshot.matches('dismissing') ? snapshot.context.dismissed : null
