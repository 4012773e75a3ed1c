import { Plus } from 'lucide-react'
import { type RefObject, useEffect, useId, useRef } from 'react'
import { dateAndTime } from '../../domain/moments.ts'
import { keyBlockedReason } from '../../domain/session/api-key-draft.ts'
import { safeName } from '../../domain/shown-text.ts'
import {
  type ApiKeysActor,
  selectApiKeys,
  selectApiKeysAreLoading,
  selectApiKeysHaveFailed,
  selectAskedToRevoke,
  selectAsksToDiscardKey,
  selectIsMakingKey,
  selectIsRevoking,
  selectKeyDraft,
  selectKeyError,
  selectKeyIsBeingMade,
  selectSecret,
} from '../../machines/session/api-keys.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { type ApiKey, type ApiScope, apiKeyLimits, apiScopes } from '../../schemas/api-key.ts'
import { t } from '../../texts/session-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { Field } from '../components/Field.tsx'
import { FormFrame } from '../components/FormFrame.tsx'
import { NotLoaded } from '../components/TryAgain.tsx'
import { useSelector } from '../use-selector.ts'
import { ImportExamples } from './ImportExamples.tsx'
import { SecretOnce } from './SecretOnce.tsx'

const scopeText = (scope: string): string =>
  scope === 'clients.import'
    ? t('session.keyScopeClients')
    : scope === 'orders.import'
      ? t('session.keyScopeOrders')
      : scope

/** The keys with which other programs send clients, orders and payments. */
export default function ApiKeysDialog({ actor, title, onDismiss }: DialogProps<'apiKeys'>) {
  const making = useSelector(actor, selectIsMakingKey)
  const secret = useSelector(actor, selectSecret)
  const askedAbout = useSelector(actor, selectAskedToRevoke)
  const revoking = useSelector(actor, selectIsRevoking)
  const first = useRef<HTMLButtonElement>(null)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      staysOnPressOutside={making || secret !== null}
      initialFocus={first}
      className="h-150 w-180 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      {secret !== null ? (
        <NewSecret secret={secret} onTaken={() => actor.send({ type: 'secret.taken' })} />
      ) : making ? (
        <KeyForm actor={actor} />
      ) : (
        <Keys actor={actor} firstRef={first} />
      )}
      {askedAbout !== null && (
        <ConfirmDialog
          title={t('session.keyRevokeTitle')}
          question={t('session.keyRevokeQuestion', { name: safeName(askedAbout.name) })}
          confirm={revoking ? t('session.keyRevoking') : t('session.keyRevoke')}
          isBusy={revoking}
          focusAfter={first}
          onConfirm={() => actor.send({ type: 'deletion.confirmed' })}
          onCancel={() => actor.send({ type: 'deletion.cancelled' })}
        />
      )}
    </DialogFrame>
  )
}

function Keys({ actor, firstRef }: { actor: ApiKeysActor; firstRef: RefObject<HTMLButtonElement | null> }) {
  const keys = useSelector(actor, selectApiKeys)
  const failed = useSelector(actor, selectApiKeysHaveFailed)
  const loading = useSelector(actor, selectApiKeysAreLoading)
  // On return from the form, the button that opened it no longer exists, so the focus must be set.
  useEffect(() => firstRef.current?.focus(), [firstRef])
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-3 border-line border-b px-4 py-3">
        <Button ref={firstRef} variant="primary" onClick={() => actor.send({ type: 'item.added' })}>
          <Plus size={15} aria-hidden="true" />
          {t('session.keyAdd')}
        </Button>
        <p className="min-w-60 flex-1 text-ink-2 text-xs">{t('session.keysAbout')}</p>
      </div>
      <div className="scroller min-h-0 flex-1">
        {failed && (
          <NotLoaded text={t('session.keysNotLoaded')} onRetry={() => actor.send({ type: 'refetch.requested' })} />
        )}
        {loading && keys === null && (
          <p role="status" className="px-4 py-8 text-center text-ink-2">
            {t('session.keysLoading')}
          </p>
        )}
        {keys?.length === 0 && <p className="px-4 py-8 text-center text-ink-2">{t('session.keysNone')}</p>}
        {keys !== null && keys.length > 0 && (
          <ul aria-label={t('session.keysList')} aria-busy={loading}>
            {keys.map((key) => (
              <Key key={key.id} apiKey={key} onRevoke={() => actor.send({ type: 'deletion.requested', item: key })} />
            ))}
          </ul>
        )}
        <details className="border-line border-t px-4 py-3">
          <summary className="cursor-pointer font-semibold">{t('session.keyExamples')}</summary>
          <div className="mt-3 grid gap-3">
            <p className="text-ink-2 text-xs">{t('session.keyExampleAdvice', { key: 'YOUR_KEY' })}</p>
            <ImportExamples apiKey="YOUR_KEY" />
          </div>
        </details>
      </div>
    </>
  )
}

function Key({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const name = safeName(apiKey.name)
  return (
    <li className="flex items-start gap-2 border-line border-b px-4 py-3 last:border-b-0">
      <div className="grid min-w-0 flex-1 gap-1">
        <h3 dir="auto" className="font-semibold [overflow-wrap:anywhere]">
          {name}
        </h3>
        <p className="flex flex-wrap items-center gap-1.5 text-ink-2 text-xs">
          <code>…{apiKey.ending}</code>
          {apiKey.scopes.map((scope) => (
            <Badge key={scope}>{scopeText(scope)}</Badge>
          ))}
          <span>
            {apiKey.last_used_at === null
              ? t('session.keyNeverUsed')
              : t('session.keyLastUsed', { time: dateAndTime(apiKey.last_used_at) })}
          </span>
        </p>
        <p className="text-ink-2 text-xs [overflow-wrap:anywhere]">
          {t('session.keyMadeBy', { name: safeName(apiKey.created_by), time: dateAndTime(apiKey.created_at) })}
        </p>
      </div>
      <Button aria-label={t('session.keyRevokeNamed', { name })} onClick={onRevoke}>
        {t('session.keyRevoke')}
      </Button>
    </li>
  )
}

function KeyForm({ actor }: { actor: ApiKeysActor }) {
  const draft = useSelector(actor, selectKeyDraft)
  const error = useSelector(actor, selectKeyError)
  const creating = useSelector(actor, selectKeyIsBeingMade)
  const asksToDiscard = useSelector(actor, selectAsksToDiscardKey)
  const change = (scope: ApiScope, isChosen: boolean) =>
    actor.send({
      type: 'draft.changed',
      change: { scopes: apiScopes.filter((each) => (each === scope ? isChosen : draft.scopes.includes(each))) },
    })
  return (
    <FormFrame
      actor={actor}
      heading={t('session.keyAdd')}
      error={error}
      isSaving={creating}
      blockedReason={keyBlockedReason(draft)}
      asksToDiscard={asksToDiscard}
      submit={creating ? t('session.keyMaking') : t('session.keyAdd')}
    >
      <Field
        label={t('session.keyName')}
        required
        autoComplete="off"
        maxLength={apiKeyLimits.name}
        readOnly={creating}
        value={draft.name}
        onChange={({ target }) => actor.send({ type: 'draft.changed', change: { name: target.value } })}
      />
      <fieldset className="grid gap-1" disabled={creating}>
        <legend className="mb-1 text-ink-2 text-xs">{t('session.keyScopes')}</legend>
        {apiScopes.map((scope) => (
          <label key={scope} className="flex h-9 cursor-pointer items-center gap-2 touch:min-h-11">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={draft.scopes.includes(scope)}
              onChange={({ target }) => change(scope, target.checked)}
            />
            {scopeText(scope)}
          </label>
        ))}
      </fieldset>
    </FormFrame>
  )
}

/** The secret of a new key, with examples of calls that use it. */
function NewSecret({ secret, onTaken }: { secret: string; onTaken: () => void }) {
  const heading = useId()
  return (
    <SecretOnce
      title={t('session.keyMade')}
      advice={t('session.keyMadeAdvice')}
      label={t('session.keySecret')}
      secret={secret}
      onTaken={onTaken}
    >
      <section aria-labelledby={heading} className="grid gap-3">
        <h4 id={heading} className="font-semibold">
          {t('session.keyExamples')}
        </h4>
        <ImportExamples apiKey={secret} />
      </section>
    </SecretOnce>
  )
}
