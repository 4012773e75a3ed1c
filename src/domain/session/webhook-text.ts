import { testEvent, type WebhookDelivery, type WebhookEndpoint, type WebhookEvent } from '../../schemas/webhook.ts'
import { t } from '../../texts/session-on-demand.ts'
import { dateAndTime } from '../moments.ts'

type TextId = Parameters<typeof t>[0]

const eventTexts: Record<WebhookEvent | typeof testEvent, TextId> = {
  'order.changed': 'session.webhookOrderChanged',
  'message.received': 'session.webhookMessageReceived',
  'conversation.waiting': 'session.webhookConversationWaiting',
  [testEvent]: 'session.webhookTestEvent',
}

const isKnown = (event: string): event is keyof typeof eventTexts => Object.hasOwn(eventTexts, event)

/** The event in words. An event of a newer server stays as it is. */
export const webhookEventText = (event: string): string => (isKnown(event) ? t(eventTexts[event]) : event)

/** How the endpoint is, and how much that needs a person. */
export function webhookStateText(endpoint: WebhookEndpoint): { tone: 'ok' | 'neutral' | 'warn' | 'bad'; text: string } {
  const { is_active, disabled_reason, failing_since } = endpoint
  if (!is_active) {
    if (disabled_reason === null) return { tone: 'neutral', text: t('session.webhookOff') }
    const text = t(disabled_reason === 'gone' ? 'session.webhookOffGone' : 'session.webhookOffFailures')
    return { tone: 'bad', text }
  }
  if (failing_since === null) return { tone: 'ok', text: t('session.webhookOn') }
  return { tone: 'warn', text: t('session.webhookFailing', { time: dateAndTime(failing_since) }) }
}

const errorTexts: Record<string, TextId> = {
  timeout: 'session.webhookTimeout',
  private_address: 'session.webhookPrivate',
  address_not_allowed: 'session.webhookPrivate',
  secret_unreadable: 'session.webhookUnreadable',
  endpoint_off: 'session.webhookWasOff',
  ENOTFOUND: 'session.webhookUnknownHost',
  ECONNREFUSED: 'session.webhookNotConnected',
}

/** Why the last attempt failed; null if it did not. */
export function deliveryErrorText({ status, error }: Pick<WebhookDelivery, 'status' | 'error'>): string | null {
  if (error === null) return null
  const known = errorTexts[error]
  if (known !== undefined) return t(known)
  return status === null ? t('session.webhookNoAnswer', { code: error }) : t('session.webhookStatus', { status })
}

export function deliveryStateText(delivery: WebhookDelivery): {
  tone: 'ok' | 'neutral' | 'warn' | 'bad'
  text: string
} {
  const { state, attempts, next_attempt_at: next } = delivery
  if (state === 'delivered') return { tone: 'ok', text: t('session.webhookDelivered') }
  if (state === 'failed') return { tone: 'bad', text: t('session.webhookFailed') }
  if (next === null) return { tone: 'neutral', text: t('session.webhookSending') }
  if (attempts === 0) return { tone: 'neutral', text: t('session.webhookWaiting') }
  return { tone: 'warn', text: t('session.webhookRetry', { time: dateAndTime(next) }) }
}
