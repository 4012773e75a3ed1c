import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, raise, setup } from 'xstate'
import { mayBeTemporary, noRetries, type Retries } from '../../domain/retries.ts'
import { type ApiKeyDraft, emptyApiKeyDraft, isEmptyDraft, isWholeDraft } from '../../domain/session/api-key-draft.ts'
import { apiKeyTexts, apiKeyToasts } from '../../domain/session/dialog-toasts.ts'
import type { ToastText } from '../../domain/toast.ts'
import type { ApiKey, CreateApiKeyBody } from '../../schemas/api-key.ts'
import { askingToDiscard, type FormEnd, leavingForm } from '../leaving-forms.ts'
import { askingToDelete, keepItem, type ListEvent } from '../lists-with-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { failureText } from '../notify-failure.ts'
import { afterFailedCreation, reportFailure } from '../on-failure.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
import { notify } from '../system.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    apiKeys: typeof apiKeysMachine
  }
}

type Context = Retries & {
  /** Null until the keys are loaded. */
  keys: readonly ApiKey[] | null
  /** The key to revoke. */
  item: ApiKey | null
  draft: ApiKeyDraft
  /** The error of the last failed attempt to make a key. */
  error: string | null
  /** The person closes the whole dialog and not only the form. */
  isDismissed: boolean
  /** The secret of the new key while it is shown; null otherwise. */
  secret: string | null
}

export type ApiKeysEvent =
  | { type: 'refetch.requested' }
  | { type: 'draft.changed'; change: Partial<ApiKeyDraft> }
  | { type: 'form.submitted' }
  | { type: 'secret.taken' }
  | Exclude<ListEvent<ApiKey>, { type: 'item.edited' }>
  | FormEnd

/** The dialog of the keys of other programs, for administrators. */
export const apiKeysMachine = setup({
  types: { context: {} as Context, events: {} as ApiKeysEvent | { type: 'keys.invalidated' } },
  actors: {
    loadApiKeys: fromPromise<readonly ApiKey[]>(mustBeProvided('loadApiKeys')),
    createApiKey: fromPromise<string, CreateApiKeyBody>(mustBeProvided('createApiKey')),
    revokeApiKey: fromPromise<void, { id: string }>(mustBeProvided('revokeApiKey')),
  },
  delays: readingDelays,
  guards: {
    ...readingGuards,
    'is whole': ({ context }) => isWholeDraft(context.draft),
    'has no typed text': ({ context }) => isEmptyDraft(context.draft),
    'was dismissed': ({ context }) => context.isDismissed,
    // Every form is for a new key.
    'may have been created': (_, { error }: { error: unknown }) => mayBeTemporary(error),
  },
  actions: {
    notify,
    ...readingActions,
    'keep the keys': assign((_, { keys }: { keys: readonly ApiKey[] }) => ({ keys, ...noRetries })),
    'keep the item': assign({ item: (_, { item }: { item: ApiKey | null }) => item }),
    'begin a draft': assign({ draft: emptyApiKeyDraft, error: null, isDismissed: false }),
    'change the draft': assign({
      draft: ({ context }, { change }: { change: Partial<ApiKeyDraft> }) => ({ ...context.draft, ...change }),
    }),
    'store the next target': assign({ isDismissed: (_, { isDismissed }: { isDismissed: boolean }) => isDismissed }),
    'forget the failure': assign({ error: null, isDismissed: false }),
    'show the failure': assign({ error: (_, params: { error: unknown; own: ToastText }) => failureText(params) }),
    'show that the result is unknown': assign({ error: () => apiKeyTexts.perhapsMade }),
    'keep the secret': assign({ secret: (_, { secret }: { secret: string }) => secret }),
    'forget the secret': assign({ secret: null }),
    'invalidate the keys': raise({ type: 'keys.invalidated' }),
  },
}).createMachine({
  id: 'apiKeys',
  context: {
    keys: null,
    item: null,
    draft: emptyApiKeyDraft,
    error: null,
    isDismissed: false,
    secret: null,
    ...noRetries,
  },
  initial: 'open',
  states: {
    open: {
      type: 'parallel',
      states: {
        keys: {
          initial: 'loading',
          on: { 'keys.invalidated': '.loading' },
          states: {
            loading: {
              invoke: {
                id: 'loadApiKeys',
                src: 'loadApiKeys',
                onDone: {
                  target: 'showing',
                  actions: { type: 'keep the keys', params: ({ event }) => ({ keys: event.output }) },
                },
                onError: afterFailedRead(apiKeyToasts.failed),
              },
            },
            showing: { on: { 'refetch.requested': 'loading' } },
            /** The earlier keys stay. */
            failed: failedRead('#apiKeys.open.keys.loading'),
          },
        },
        work: {
          initial: 'list',
          states: {
            list: {
              on: {
                'item.added': { target: 'editing', actions: 'begin a draft' },
                'deletion.requested': { target: 'asking', actions: keepItem },
                'dialog.dismissed': '#apiKeys.dismissed',
              },
            },
            editing: {
              on: {
                'draft.changed': { actions: { type: 'change the draft', params: ({ event }) => event } },
                'form.submitted': { guard: 'is whole', target: 'creating' },
                ...leavingForm,
              },
            },
            leaving: askingToDiscard('left'),
            left: { always: [{ guard: 'was dismissed', target: '#apiKeys.dismissed' }, { target: 'list' }] },
            creating: {
              entry: 'forget the failure',
              // A key may exist although its answer was lost.
              exit: 'invalidate the keys',
              invoke: {
                id: 'createApiKey',
                src: 'createApiKey',
                input: ({ context }) => context.draft,
                onDone: {
                  target: 'showingSecret',
                  actions: { type: 'keep the secret', params: ({ event }) => ({ secret: event.output }) },
                },
                onError: afterFailedCreation('editing', apiKeyToasts.notMade),
              },
            },
            /** Ignores a dismissal: the secret cannot be shown a second time. */
            showingSecret: { on: { 'secret.taken': { target: 'list', actions: 'forget the secret' } } },
            asking: {
              on: askingToDelete('revoking'),
            },
            revoking: {
              exit: 'invalidate the keys',
              invoke: {
                id: 'revokeApiKey',
                src: 'revokeApiKey',
                input: ({ context }) => ({ id: context.item?.id ?? '' }),
                onDone: { target: 'list', actions: { type: 'notify', params: apiKeyToasts.revoked } },
                onError: { target: 'list', actions: reportFailure(apiKeyToasts.notRevoked) },
              },
            },
          },
        },
      },
    },
    dismissed: { type: 'final' },
  },
})

export type ApiKeysActor = ActorRefFrom<typeof apiKeysMachine>

type Snapshot = SnapshotFrom<typeof apiKeysMachine>

/** Null until they are loaded. */
export const selectApiKeys = (snapshot: Snapshot): readonly ApiKey[] | null => snapshot.context.keys
export const selectApiKeysHaveFailed = (snapshot: Snapshot): boolean => snapshot.matches({ open: { keys: 'failed' } })
export const selectApiKeysAreLoading = (snapshot: Snapshot): boolean => snapshot.matches({ open: { keys: 'loading' } })
/** The secret to show; null if none is shown. */
export const selectSecret = (snapshot: Snapshot): string | null => snapshot.context.secret
/** The form for a new key is shown. */
export const selectIsMakingKey = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: { work: 'editing' } }) ||
  snapshot.matches({ open: { work: 'leaving' } }) ||
  selectKeyIsBeingMade(snapshot)
export const selectKeyIsBeingMade = (snapshot: Snapshot): boolean => snapshot.matches({ open: { work: 'creating' } })
export const selectKeyDraft = (snapshot: Snapshot): ApiKeyDraft => snapshot.context.draft
export const selectKeyError = (snapshot: Snapshot): string | null => snapshot.context.error
export const selectAsksToDiscardKey = (snapshot: Snapshot): boolean => snapshot.matches({ open: { work: 'leaving' } })
/** The key that the person is asked to revoke; null if the question is not shown. */
export const selectAskedToRevoke = (snapshot: Snapshot): ApiKey | null =>
  snapshot.matches({ open: { work: 'asking' } }) || selectIsRevoking(snapshot) ? snapshot.context.item : null
export const selectIsRevoking = (snapshot: Snapshot): boolean => snapshot.matches({ open: { work: 'revoking' } })
