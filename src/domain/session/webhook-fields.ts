import {
  type WebhookBody,
  type WebhookEndpoint,
  type WebhookEvent,
  webhookEvents,
  webhookLimits,
} from '../../schemas/webhook.ts'
import { t } from '../../texts/session-on-demand.ts'

/** The values of the form of a webhook. */
export type WebhookFields = { url: string; description: string; events: readonly WebhookEvent[]; isActive: boolean }

/** An endpoint to save. `id`: null for a new one. */
export type WebhookToSave = { id: string | null; body: WebhookBody }

/** The form values for a new webhook, which gets every event, or for an existing one. */
export const webhookFieldsOf = (endpoint: WebhookEndpoint | null): WebhookFields => ({
  url: endpoint?.url ?? '',
  description: endpoint?.description ?? '',
  events: endpoint === null ? webhookEvents : webhookEvents.filter((event) => endpoint.events.includes(event)),
  isActive: endpoint?.is_active ?? true,
})

/** The problem of the typed address; null if it may be one or is empty. The server decides whether it is allowed. */
export function webhookUrlProblem({ url }: WebhookFields): string | null {
  const typed = url.trim()
  if (typed === '') return null
  if (typed.length > webhookLimits.url) return t('shared.tooLong', { most: webhookLimits.url })
  return /^https?:\/\/[^/]/i.test(typed) && URL.canParse(typed) ? null : t('session.webhookUrlWrong')
}

/** The first problem that prevents saving; null if there is none. */
export function webhookBlockedReason(fields: WebhookFields): string | null {
  if (fields.url.trim() === '') return t('session.webhookUrlMissing')
  const problem = webhookUrlProblem(fields)
  if (problem !== null) return problem
  if (fields.description.trim().length > webhookLimits.description)
    return t('shared.tooLong', { most: webhookLimits.description })
  return fields.events.length === 0 ? t('session.webhookEventMissing') : null
}

/** The request body for saving. */
export const webhookBodyOf = ({ url, description, events, isActive }: WebhookFields): WebhookBody => ({
  url: url.trim(),
  description: description.trim(),
  events: [...events],
  is_active: isActive,
})
