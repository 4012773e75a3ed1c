import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { dateAndTime } from '../../domain/moments.ts'
import { deliveryErrorText, deliveryStateText, webhookEventText } from '../../domain/session/webhook-text.ts'
import { safeName } from '../../domain/shown-text.ts'
import {
  selectDeliveries,
  selectLoggedEndpoint,
  selectLogHasFailed,
  selectLogHasMore,
  selectLogIsLoading,
  selectLogIsLoadingMore,
  selectLogIsSending,
  type WebhookLogActor,
} from '../../machines/session/webhook-log.ts'
import type { WebhookDelivery } from '../../schemas/webhook.ts'
import { t } from '../../texts/session-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { NotLoaded } from '../components/TryAgain.tsx'
import { useSelector } from '../use-selector.ts'

/** What was sent to one endpoint. */
export function WebhookLog({ actor }: { actor: WebhookLogActor }) {
  const endpoint = useSelector(actor, selectLoggedEndpoint)
  const sending = useSelector(actor, selectLogIsSending)
  const back = useRef<HTMLButtonElement>(null)
  useEffect(() => back.current?.focus(), [])
  return (
    <>
      <div className="grid shrink-0 gap-2 border-line border-b px-4 py-3">
        <div className="flex flex-wrap items-center gap-2">
          <Button ref={back} onClick={() => actor.send({ type: 'log.closed' })}>
            <ArrowLeft size={15} aria-hidden="true" />
            {t('session.webhookBack')}
          </Button>
          <Button onClick={() => actor.send({ type: 'refetch.requested' })}>{t('session.webhookRefresh')}</Button>
          {endpoint.is_active && (
            <Button disabled={sending} onClick={() => actor.send({ type: 'test.requested' })}>
              {t('session.webhookTest')}
            </Button>
          )}
        </div>
        <h3 className="font-semibold [overflow-wrap:anywhere]">
          {t('session.webhookLogTitle', { name: safeName(endpoint.url) })}
        </h3>
        <p className="text-ink-2 text-xs">{t('session.webhookLogAbout')}</p>
      </div>
      <div className="scroller min-h-0 flex-1">
        <Deliveries actor={actor} mayResend={endpoint.is_active && !sending} />
      </div>
    </>
  )
}

function Deliveries({ actor, mayResend }: { actor: WebhookLogActor; mayResend: boolean }) {
  const deliveries = useSelector(actor, selectDeliveries)
  const loading = useSelector(actor, selectLogIsLoading)
  const failed = useSelector(actor, selectLogHasFailed)
  const hasMore = useSelector(actor, selectLogHasMore)
  const loadingMore = useSelector(actor, selectLogIsLoadingMore)
  return (
    <>
      {failed && (
        <NotLoaded text={t('session.webhookLogNotLoaded')} onRetry={() => actor.send({ type: 'refetch.requested' })} />
      )}
      {loading && deliveries === null && (
        <p role="status" className="px-4 py-8 text-center text-ink-2">
          {t('session.webhookLogLoading')}
        </p>
      )}
      {deliveries?.length === 0 && <p className="px-4 py-8 text-center text-ink-2">{t('session.webhookLogNone')}</p>}
      {deliveries !== null && deliveries.length > 0 && (
        <ul aria-label={t('session.webhookLog')} aria-busy={loading}>
          {deliveries.map((delivery) => (
            <Delivery
              key={delivery.id}
              delivery={delivery}
              mayResend={mayResend}
              onResend={() => actor.send({ type: 'resend.requested', delivery: delivery.id })}
            />
          ))}
        </ul>
      )}
      {hasMore && (
        <div className="flex justify-center px-4 py-3">
          <Button aria-disabled={loadingMore} onClick={() => actor.send({ type: 'more.requested' })}>
            {t(loadingMore ? 'session.webhookLogMoreLoading' : 'session.webhookLogMore')}
          </Button>
        </div>
      )}
    </>
  )
}

function Delivery({
  delivery,
  mayResend,
  onResend,
}: {
  delivery: WebhookDelivery
  mayResend: boolean
  onResend: () => void
}) {
  const event = webhookEventText(delivery.type)
  const time = dateAndTime(delivery.created_at)
  const state = deliveryStateText(delivery)
  const error = deliveryErrorText(delivery)
  return (
    <li className="flex flex-wrap items-start gap-2 border-line border-b px-4 py-2 last:border-b-0">
      <div className="grid min-w-60 flex-1 gap-1">
        <p className="flex flex-wrap items-center gap-1.5">
          <span className="font-medium">{event}</span>
          <span className="text-ink-2 text-xs">{time}</span>
          <Badge tone={state.tone}>{state.text}</Badge>
        </p>
        <p className="flex flex-wrap gap-x-2 text-ink-2 text-xs [overflow-wrap:anywhere]">
          <span>{t('session.webhookAttempts', { count: delivery.attempts })}</span>
          {error === null ? (
            delivery.status !== null && <span>{t('session.webhookStatus', { status: delivery.status })}</span>
          ) : (
            <span>{error}</span>
          )}
          <code>{safeName(delivery.event_id)}</code>
        </p>
      </div>
      <Button disabled={!mayResend} aria-label={t('session.webhookResendNamed', { event, time })} onClick={onResend}>
        {t('session.webhookResend')}
      </Button>
    </li>
  )
}
