import { Plus } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { type ShopDraft, shopBlockedReason } from '../../domain/client/shop-draft.ts'
import { dateAndTime } from '../../domain/moments.ts'
import { safeName } from '../../domain/shown-text.ts'
import {
  type ShopsActor,
  selectAskedToDisconnect,
  selectAsksToDiscardShop,
  selectEditedShop,
  selectIsConnectForm,
  selectIsConnecting,
  selectIsDisconnecting,
  selectRunIsChanging,
  selectShopDraft,
  selectShopError,
  selectShops,
  selectShopsHaveFailed,
} from '../../machines/client/shops.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { type Shop, type ShopKind, shopKinds, shopLimits } from '../../schemas/shop.ts'
import { t } from '../../texts/client-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { Field } from '../components/Field.tsx'
import { FormFrame } from '../components/FormFrame.tsx'
import { NotLoaded } from '../components/TryAgain.tsx'
import { useSelector } from '../use-selector.ts'

const kindText = (kind: ShopKind): string => t(kind === 'shopify' ? 'client.shopify' : 'client.woocommerce')

/** The shops of the business, whose customers and orders arrive here. */
export default function ShopsDialog({ actor, title, onDismiss }: DialogProps<'shops'>) {
  const isForm = useSelector(actor, selectIsConnectForm)
  const askedAbout = useSelector(actor, selectAskedToDisconnect)
  const disconnecting = useSelector(actor, selectIsDisconnecting)
  const first = useRef<HTMLButtonElement>(null)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      staysOnPressOutside={isForm}
      initialFocus={first}
      className="h-150 w-180 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      {isForm ? <ConnectForm actor={actor} /> : <Shops actor={actor} firstRef={first} />}
      {askedAbout !== null && (
        <ConfirmDialog
          title={t('client.shopDisconnectTitle')}
          question={t('client.shopDisconnectQuestion', { name: safeName(askedAbout.name) })}
          confirm={disconnecting ? t('client.shopDisconnecting') : t('client.shopDisconnect')}
          isBusy={disconnecting}
          focusAfter={first}
          onConfirm={() => actor.send({ type: 'deletion.confirmed' })}
          onCancel={() => actor.send({ type: 'deletion.cancelled' })}
        />
      )}
    </DialogFrame>
  )
}

function Shops({ actor, firstRef }: { actor: ShopsActor; firstRef: RefObject<HTMLButtonElement | null> }) {
  const shops = useSelector(actor, selectShops)
  const failed = useSelector(actor, selectShopsHaveFailed)
  // On return from the form, the button that opened it no longer exists, so the focus must be set.
  useEffect(() => firstRef.current?.focus(), [firstRef])
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-3 border-line border-b px-4 py-3">
        <Button ref={firstRef} variant="primary" onClick={() => actor.send({ type: 'item.added' })}>
          <Plus size={15} aria-hidden="true" />
          {t('client.shopConnect')}
        </Button>
        <p className="min-w-60 flex-1 text-ink-2 text-xs">{t('client.shopsAbout')}</p>
      </div>
      <div className="scroller min-h-0 flex-1">
        {failed && (
          <NotLoaded text={t('client.shopsNotLoaded')} onRetry={() => actor.send({ type: 'refetch.requested' })} />
        )}
        {!failed && shops === null && (
          <p role="status" className="px-4 py-8 text-center text-ink-2">
            {t('client.shopsLoading')}
          </p>
        )}
        {shops?.length === 0 && <p className="px-4 py-8 text-center text-ink-2">{t('client.shopsNone')}</p>}
        {shops !== null && shops.length > 0 && (
          <ul aria-label={t('client.shopsList')}>
            {shops.map((shop) => (
              <ShopItem key={shop.id} actor={actor} shop={shop} />
            ))}
          </ul>
        )}
      </div>
    </>
  )
}

/** What the shop does now, or when it was read last. */
function runText({ run, synced_until }: Shop): string {
  if (run === null)
    return synced_until === null ? t('client.shopNeverRead') : t('client.shopRead', { time: dateAndTime(synced_until) })
  const { phase, done, total } = run
  if (phase === 'customers')
    return total === null ? t('client.shopReadsCustomers', { done }) : t('client.shopReadsCustomersOf', { done, total })
  return total === null ? t('client.shopReadsOrders', { done }) : t('client.shopReadsOrdersOf', { done, total })
}

function ShopItem({ actor, shop }: { actor: ShopsActor; shop: Shop }) {
  const name = safeName(shop.name)
  const changing = useSelector(actor, selectRunIsChanging)
  const { clients, orders, refused, refusals, run } = shop
  const change = run === null ? 'sync' : 'cancel'
  return (
    <li className="grid gap-2 border-line border-b px-4 py-3 last:border-b-0">
      <div className="grid gap-1">
        <h3 dir="auto" className="font-semibold [overflow-wrap:anywhere]">
          {name}
        </h3>
        <p className="flex flex-wrap items-center gap-1.5 text-ink-2 text-xs [overflow-wrap:anywhere]">
          <Badge>{kindText(shop.kind)}</Badge>
          {shop.address}
        </p>
        <p role="status" className="text-ink-2 text-xs">
          {runText(shop)} {t('client.shopCounts', { clients, orders })}
        </p>
        {shop.state === 'key-refused' && <p className="text-bad text-xs">{t('client.shopKeyRefused')}</p>}
        {shop.state === 'unreachable' && <p className="text-bad text-xs">{t('client.shopUnreachable')}</p>}
        {shop.state === 'connected' && shop.error !== null && <p className="text-bad text-xs">{shop.error}</p>}
      </div>
      {refused > 0 && (
        <details className="text-xs">
          <summary className="cursor-pointer py-1 touch:py-3">{t('client.shopRefused', { count: refused })}</summary>
          <ul className="grid gap-1 py-1 text-ink-2">
            {refusals.map(({ kind, number, reason }) => (
              <li key={`${kind} ${number} ${reason}`} className="[overflow-wrap:anywhere]">
                {kind === 'order'
                  ? t('client.shopRefusedOrder', { number: safeName(number), reason })
                  : t('client.shopRefusedClient', { number: safeName(number), reason })}
              </li>
            ))}
          </ul>
        </details>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          aria-label={t(run === null ? 'client.shopSyncNamed' : 'client.shopStopNamed', { name })}
          disabled={changing}
          onClick={() => actor.send({ type: 'run.requested', item: shop, change })}
        >
          {t(run === null ? 'client.shopSync' : 'client.shopStop')}
        </Button>
        <Button
          aria-label={t('client.shopNewKeyNamed', { name })}
          onClick={() => actor.send({ type: 'item.edited', item: shop })}
        >
          {t('client.shopNewKey')}
        </Button>
        <Button
          aria-label={t('client.shopDisconnectNamed', { name })}
          onClick={() => actor.send({ type: 'deletion.requested', item: shop })}
        >
          {t('client.shopDisconnect')}
        </Button>
      </div>
    </li>
  )
}

function ConnectForm({ actor }: { actor: ShopsActor }) {
  const edited = useSelector(actor, selectEditedShop)
  const draft = useSelector(actor, selectShopDraft)
  const error = useSelector(actor, selectShopError)
  const connecting = useSelector(actor, selectIsConnecting)
  const asksToDiscard = useSelector(actor, selectAsksToDiscardShop)
  const isShopify = draft.kind === 'shopify'
  const change = (values: Partial<ShopDraft>) => actor.send({ type: 'draft.changed', change: values })
  const typed = (field: 'address' | 'token' | 'secret') => ({
    required: true,
    autoComplete: 'off',
    spellCheck: false,
    maxLength: shopLimits.text,
    value: draft[field],
    onChange: ({ target }: { target: { value: string } }) => change({ [field]: target.value }),
  })
  return (
    <FormFrame
      actor={actor}
      heading={edited === null ? t('client.shopConnect') : t('client.shopNewKeyNamed', { name: safeName(edited.name) })}
      error={error}
      isSaving={connecting}
      blockedReason={shopBlockedReason(draft)}
      asksToDiscard={asksToDiscard}
      submit={t(connecting ? 'client.shopConnecting' : edited === null ? 'client.shopConnect' : 'client.shopSaveKey')}
    >
      {edited === null && (
        <fieldset className="grid gap-1" disabled={connecting}>
          <legend className="mb-1 text-ink-2 text-xs">{t('client.shopKind')}</legend>
          {shopKinds.map((kind) => (
            <label key={kind} className="flex h-9 cursor-pointer items-center gap-2 touch:min-h-11">
              <input
                type="radio"
                name="shop-kind"
                className="size-4 accent-accent"
                checked={draft.kind === kind}
                onChange={() => change({ kind })}
              />
              {kindText(kind)}
            </label>
          ))}
        </fieldset>
      )}
      <Field
        label={t(isShopify ? 'client.shopDomain' : 'client.shopSite')}
        inputMode="url"
        {...typed('address')}
        readOnly={connecting || edited !== null}
      />
      <Field
        label={t(isShopify ? 'client.shopToken' : 'client.shopConsumerKey')}
        {...typed('token')}
        readOnly={connecting}
      />
      <Field
        label={t(isShopify ? 'client.shopSecret' : 'client.shopConsumerSecret')}
        type="password"
        {...typed('secret')}
        readOnly={connecting}
      />
      <p className="text-ink-2 text-xs">{t(isShopify ? 'client.shopifyAdvice' : 'client.woocommerceAdvice')}</p>
    </FormFrame>
  )
}
