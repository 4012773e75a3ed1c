import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, raise, setup } from 'xstate'
import { shopToasts } from '../../domain/client/dialog-toasts.ts'
import {
  bodyOf,
  draftFor,
  emptyShopDraft,
  isUntouched,
  type ShopDraft,
  shopBlockedReason,
} from '../../domain/client/shop-draft.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import type { ToastText } from '../../domain/toast.ts'
import type { ConnectShopBody, Shop } from '../../schemas/shop.ts'
import { askingToDiscard, type FormEnd, leavingForm } from '../leaving-forms.ts'
import { askingToDelete, keepItem, type ListEvent } from '../lists-with-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { failureText } from '../notify-failure.ts'
import { reportFailure, showFailure } from '../on-failure.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
import { notify } from '../system.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    shops: typeof shopsMachine
  }
}

type RunChange = 'sync' | 'cancel'

type Context = Retries & {
  /** Null until the shops are loaded. */
  shops: readonly Shop[] | null
  /** The shop to change; null in the form for a new shop. */
  item: Shop | null
  change: RunChange
  draft: ShopDraft
  /** The error of the last failed attempt to connect. */
  error: string | null
  /** The person closes the whole dialog and not only the form. */
  isDismissed: boolean
}

export type ShopsEvent =
  | { type: 'refetch.requested' }
  | { type: 'draft.changed'; change: Partial<ShopDraft> }
  | { type: 'form.submitted' }
  | { type: 'run.requested'; item: Shop; change: RunChange }
  | ListEvent<Shop>
  | FormEnd

/** The list is fetched again after this, sooner while a shop is read. Milliseconds. */
const polling = { running: 2_000, idle: 30_000 }

/** The dialog of the shops of the business, for administrators. */
export const shopsMachine = setup({
  types: { context: {} as Context, events: {} as ShopsEvent | { type: 'shops.invalidated' } },
  actors: {
    loadShops: fromPromise<readonly Shop[]>(mustBeProvided('loadShops')),
    connectShop: fromPromise<void, ConnectShopBody>(mustBeProvided('connectShop')),
    changeRun: fromPromise<void, { id: string; change: RunChange }>(mustBeProvided('changeRun')),
    disconnectShop: fromPromise<boolean, { id: string }>(mustBeProvided('disconnectShop')),
  },
  delays: {
    ...readingDelays,
    pollDelay: ({ context }) => (context.shops?.some(({ run }) => run !== null) ? polling.running : polling.idle),
  },
  guards: {
    ...readingGuards,
    'is whole': ({ context }) => shopBlockedReason(context.draft) === null,
    'has no typed text': ({ context }) => isUntouched(context.draft, context.item),
    'was dismissed': ({ context }) => context.isDismissed,
    'webhooks were removed': (_, { removed }: { removed: boolean }) => removed,
  },
  actions: {
    notify,
    ...readingActions,
    'keep the shops': assign((_, { shops }: { shops: readonly Shop[] }) => ({ shops, ...noRetries })),
    'keep the item': assign({ item: (_, { item }: { item: Shop | null }) => item }),
    'keep the change': assign({ change: (_, { change }: { change: RunChange }) => change }),
    'begin a draft': assign(({ context }) => ({
      draft: context.item === null ? emptyShopDraft : draftFor(context.item),
      error: null,
      isDismissed: false,
    })),
    'change the draft': assign({
      draft: ({ context }, { change }: { change: Partial<ShopDraft> }) => ({ ...context.draft, ...change }),
    }),
    'forget the draft': assign({ draft: emptyShopDraft, item: null }),
    'store the next target': assign({ isDismissed: (_, { isDismissed }: { isDismissed: boolean }) => isDismissed }),
    'forget the failure': assign({ error: null, isDismissed: false }),
    'show the failure': assign({ error: (_, params: { error: unknown; own: ToastText }) => failureText(params) }),
    'invalidate the shops': raise({ type: 'shops.invalidated' }),
  },
}).createMachine({
  id: 'shops',
  context: {
    shops: null,
    item: null,
    change: 'sync',
    draft: emptyShopDraft,
    error: null,
    isDismissed: false,
    ...noRetries,
  },
  initial: 'open',
  states: {
    open: {
      type: 'parallel',
      states: {
        shops: {
          initial: 'loading',
          on: { 'shops.invalidated': '.loading' },
          states: {
            loading: {
              invoke: {
                id: 'loadShops',
                src: 'loadShops',
                onDone: {
                  target: 'showing',
                  actions: { type: 'keep the shops', params: ({ event }) => ({ shops: event.output }) },
                },
                onError: afterFailedRead(shopToasts.failed),
              },
            },
            showing: { after: { pollDelay: 'loading' }, on: { 'refetch.requested': 'loading' } },
            /** The earlier shops stay. */
            failed: failedRead('#shops.open.shops.loading'),
          },
        },
        work: {
          initial: 'list',
          states: {
            list: {
              on: {
                'item.added': {
                  target: 'editing',
                  actions: [{ type: 'keep the item', params: { item: null } }, 'begin a draft'],
                },
                'item.edited': { target: 'editing', actions: [keepItem, 'begin a draft'] },
                'run.requested': {
                  target: 'changing',
                  actions: [keepItem, { type: 'keep the change', params: ({ event }) => event }],
                },
                'deletion.requested': { target: 'asking', actions: keepItem },
                'dialog.dismissed': '#shops.dismissed',
              },
            },
            editing: {
              on: {
                'draft.changed': { actions: { type: 'change the draft', params: ({ event }) => event } },
                'form.submitted': { guard: 'is whole', target: 'connecting' },
                ...leavingForm,
              },
            },
            leaving: askingToDiscard('left'),
            left: {
              entry: 'forget the draft',
              always: [{ guard: 'was dismissed', target: '#shops.dismissed' }, { target: 'list' }],
            },
            /** Connecting is idempotent, so a lost answer needs no question: the person tries again. */
            connecting: {
              entry: 'forget the failure',
              exit: 'invalidate the shops',
              invoke: {
                id: 'connectShop',
                src: 'connectShop',
                input: ({ context }) => bodyOf(context.draft),
                onDone: {
                  target: 'list',
                  actions: ['forget the draft', { type: 'notify', params: shopToasts.connected }],
                },
                onError: { target: 'editing', actions: showFailure(shopToasts.notConnected) },
              },
            },
            changing: {
              exit: 'invalidate the shops',
              invoke: {
                id: 'changeRun',
                src: 'changeRun',
                input: ({ context: { item, change } }) => ({ id: item?.id ?? '', change }),
                onDone: 'list',
                onError: { target: 'list', actions: reportFailure(shopToasts.runNotChanged) },
              },
            },
            asking: { on: askingToDelete('disconnecting') },
            disconnecting: {
              exit: 'invalidate the shops',
              invoke: {
                id: 'disconnectShop',
                src: 'disconnectShop',
                input: ({ context }) => ({ id: context.item?.id ?? '' }),
                onDone: [
                  {
                    guard: { type: 'webhooks were removed', params: ({ event }) => ({ removed: event.output }) },
                    target: 'list',
                    actions: { type: 'notify', params: shopToasts.disconnected },
                  },
                  { target: 'list', actions: { type: 'notify', params: shopToasts.disconnectedHere } },
                ],
                onError: { target: 'list', actions: reportFailure(shopToasts.notDisconnected) },
              },
            },
          },
        },
      },
    },
    dismissed: { type: 'final' },
  },
})

export type ShopsActor = ActorRefFrom<typeof shopsMachine>

type Snapshot = SnapshotFrom<typeof shopsMachine>

/** Null until they are loaded. */
export const selectShops = (snapshot: Snapshot): readonly Shop[] | null => snapshot.context.shops
export const selectShopsHaveFailed = (snapshot: Snapshot): boolean => snapshot.matches({ open: { shops: 'failed' } })
/** The form to connect a shop is shown. */
export const selectIsConnectForm = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: { work: 'editing' } }) ||
  snapshot.matches({ open: { work: 'leaving' } }) ||
  selectIsConnecting(snapshot)
export const selectIsConnecting = (snapshot: Snapshot): boolean => snapshot.matches({ open: { work: 'connecting' } })
/** The shop that gets a new key; null in the form for a new shop. */
export const selectEditedShop = (snapshot: Snapshot): Shop | null => snapshot.context.item
export const selectShopDraft = (snapshot: Snapshot): ShopDraft => snapshot.context.draft
export const selectShopError = (snapshot: Snapshot): string | null => snapshot.context.error
export const selectAsksToDiscardShop = (snapshot: Snapshot): boolean => snapshot.matches({ open: { work: 'leaving' } })
/** A run is being begun or stopped. */
export const selectRunIsChanging = (snapshot: Snapshot): boolean => snapshot.matches({ open: { work: 'changing' } })
/** The shop that the person is asked to disconnect; null if the question is not shown. */
export const selectAskedToDisconnect = (snapshot: Snapshot): Shop | null =>
  snapshot.matches({ open: { work: 'asking' } }) || selectIsDisconnecting(snapshot) ? snapshot.context.item : null
export const selectIsDisconnecting = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: { work: 'disconnecting' } })
