import { Plus } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { dateAndTime } from '../../domain/moments.ts'
import { webhookEventText, webhookStateText } from '../../domain/session/webhook-text.ts'
import { safeName } from '../../domain/shown-text.ts'
import {
  selectAskedToDelete,
  selectAskedToReplace,
  selectEndpoints,
  selectEndpointsAreLoading,
  selectEndpointsHaveFailed,
  selectIsDeletingWebhook,
  selectIsReplacing,
  selectWebhookForm,
  selectWebhookLog,
  selectWebhookSecret,
  type WebhooksActor,
} from '../../machines/session/webhooks.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import type { WebhookEndpoint } from '../../schemas/webhook.ts'
import { t } from '../../texts/session-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { NotLoaded } from '../components/TryAgain.tsx'
import { useSelector } from '../use-selector.ts'
import { SecretOnce } from './SecretOnce.tsx'
import { WebhookForm } from './WebhookForm.tsx'
import { WebhookLog } from './WebhookLog.tsx'

/** The endpoints of other programs that receive events. */
export default function WebhooksDialog({ actor, title, onDismiss }: DialogProps<'webhooks'>) {
  const form = useSelector(actor, selectWebhookForm)
  const log = useSelector(actor, selectWebhookLog)
  const secret = useSelector(actor, selectWebhookSecret)
  const first = useRef<HTMLButtonElement>(null)
  return (
    <DialogFrame
      title={title}
      onDismiss={onDismiss}
      staysOnPressOutside={form !== undefined || secret !== null}
      initialFocus={first}
      className="h-160 w-190 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      {secret !== null ? (
        <SecretOnce
          title={t('session.webhookSecretTitle')}
          advice={t('session.webhookSecretAdvice')}
          label={t('session.webhookSecret')}
          secret={secret}
          onTaken={() => actor.send({ type: 'secret.taken' })}
        />
      ) : form !== undefined ? (
        <WebhookForm key={form.sessionId} actor={form} />
      ) : log !== undefined ? (
        <WebhookLog key={log.sessionId} actor={log} />
      ) : (
        <Endpoints actor={actor} firstRef={first} />
      )}
      <Questions actor={actor} first={first} />
    </DialogFrame>
  )
}

function Questions({ actor, first }: { actor: WebhooksActor; first: RefObject<HTMLButtonElement | null> }) {
  const askedToDelete = useSelector(actor, selectAskedToDelete)
  const deleting = useSelector(actor, selectIsDeletingWebhook)
  const askedToReplace = useSelector(actor, selectAskedToReplace)
  const replacing = useSelector(actor, selectIsReplacing)
  return (
    <>
      {askedToDelete !== null && (
        <ConfirmDialog
          title={t('session.webhookDeleteTitle')}
          question={t('session.webhookDeleteQuestion', { name: safeName(askedToDelete.url) })}
          confirm={deleting ? t('shared.deleting') : t('session.webhookDelete')}
          isBusy={deleting}
          focusAfter={first}
          onConfirm={() => actor.send({ type: 'deletion.confirmed' })}
          onCancel={() => actor.send({ type: 'deletion.cancelled' })}
        />
      )}
      {askedToReplace !== null && (
        <ConfirmDialog
          title={t('session.webhookReplaceTitle')}
          question={t('session.webhookReplaceQuestion', { name: safeName(askedToReplace.url) })}
          confirm={replacing ? t('session.webhookReplacing') : t('session.webhookReplaceConfirm')}
          isBusy={replacing}
          focusAfter={first}
          onConfirm={() => actor.send({ type: 'replacement.confirmed' })}
          onCancel={() => actor.send({ type: 'replacement.cancelled' })}
        />
      )}
    </>
  )
}

function Endpoints({ actor, firstRef }: { actor: WebhooksActor; firstRef: RefObject<HTMLButtonElement | null> }) {
  const endpoints = useSelector(actor, selectEndpoints)
  const failed = useSelector(actor, selectEndpointsHaveFailed)
  const loading = useSelector(actor, selectEndpointsAreLoading)
  // On return from the form or the log, the button that opened it no longer exists, so the focus must be set.
  useEffect(() => firstRef.current?.focus(), [firstRef])
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center gap-3 border-line border-b px-4 py-3">
        <Button ref={firstRef} variant="primary" onClick={() => actor.send({ type: 'item.added' })}>
          <Plus size={15} aria-hidden="true" />
          {t('session.webhookAdd')}
        </Button>
        <p className="min-w-60 flex-1 text-ink-2 text-xs">{t('session.webhooksAbout')}</p>
      </div>
      <div className="scroller min-h-0 flex-1">
        {failed && (
          <NotLoaded text={t('session.webhooksNotLoaded')} onRetry={() => actor.send({ type: 'refetch.requested' })} />
        )}
        {loading && endpoints === null && (
          <p role="status" className="px-4 py-8 text-center text-ink-2">
            {t('session.webhooksLoading')}
          </p>
        )}
        {endpoints?.length === 0 && <p className="px-4 py-8 text-center text-ink-2">{t('session.webhooksNone')}</p>}
        {endpoints !== null && endpoints.length > 0 && (
          <ul aria-label={t('session.webhooksList')} aria-busy={loading}>
            {endpoints.map((endpoint) => (
              <Endpoint key={endpoint.id} actor={actor} endpoint={endpoint} />
            ))}
          </ul>
        )}
      </div>
    </>
  )
}

function Endpoint({ actor, endpoint }: { actor: WebhooksActor; endpoint: WebhookEndpoint }) {
  const name = safeName(endpoint.url)
  const state = webhookStateText(endpoint)
  return (
    <li className="grid gap-2 border-line border-b px-4 py-3 last:border-b-0">
      <div className="grid min-w-0 gap-1">
        <h3 className="font-semibold [overflow-wrap:anywhere]">{name}</h3>
        {endpoint.description !== '' && (
          <p dir="auto" className="[overflow-wrap:anywhere]">
            {safeName(endpoint.description)}
          </p>
        )}
        <p className="flex flex-wrap items-center gap-1.5 text-ink-2 text-xs">
          <Badge tone={state.tone}>{state.text}</Badge>
          {endpoint.events.map((event) => (
            <Badge key={event}>{webhookEventText(event)}</Badge>
          ))}
        </p>
        <p className="text-ink-2 text-xs [overflow-wrap:anywhere]">
          {t('session.webhookMadeBy', {
            name: safeName(endpoint.created_by),
            time: dateAndTime(endpoint.created_at),
          })}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          aria-label={t('session.webhookLogNamed', { name })}
          onClick={() => actor.send({ type: 'log.requested', item: endpoint })}
        >
          {t('session.webhookLog')}
        </Button>
        <Button
          aria-label={t('session.webhookEditNamed', { name })}
          onClick={() => actor.send({ type: 'item.edited', item: endpoint })}
        >
          {t('session.webhookEdit')}
        </Button>
        <Button
          aria-label={t('session.webhookReplaceNamed', { name })}
          onClick={() => actor.send({ type: 'replacement.requested', item: endpoint })}
        >
          {t('session.webhookReplace')}
        </Button>
        <Button
          aria-label={t('session.webhookDeleteNamed', { name })}
          onClick={() => actor.send({ type: 'deletion.requested', item: endpoint })}
        >
          {t('session.webhookDelete')}
        </Button>
      </div>
    </li>
  )
}
