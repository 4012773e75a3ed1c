import type { Platform } from '../../schemas/conversation.ts'
import type { BestPageReason } from '../../schemas/message.ts'
import { t } from '../../texts/send-on-demand.ts'

/**
 * The page and identity that a message will be sent with, and the reason, shown before sending (spec section 4,
 * Sending).
 */
export type SendRoute = {
  pageId: string
  /**
   * `chosen`: chosen by staff. `fallback`: the look-up of the best page failed, so the conversation's first page is
   * used. Null if the API gives no reason.
   */
  reason: BestPageReason | 'chosen' | 'fallback' | null
  /**
   * `own`: the look-up failed, so the conversation's own identity is used. `none`: no identity is known there.
   * `unchecked`: the look-up had no answer, and the conversation has no own identity there.
   */
  identity: 'found' | 'own' | 'none' | 'unchecked'
  /** The platform of the identity; null if the API does not provide it. */
  platform: Platform | null
}

/** The page that a message will be sent from, if known: the page of the route, or the conversation's only page. */
export const pageInUse = (route: SendRoute | null, pageIds: readonly string[]): string | null =>
  route?.pageId ?? (pageIds.length === 1 ? (pageIds[0] ?? null) : null)

const reasons = {
  last_incoming: 'send.reasonLastIncoming',
  last_message: 'send.reasonLastMessage',
  only_page: 'send.reasonOnlyPage',
  first_page: 'send.reasonFirstPage',
  fallback: 'send.reasonFallback',
} as const satisfies Record<Exclude<SendRoute['reason'], 'chosen' | null>, string>

/** Why a page was selected; empty if staff chose it. */
export const routeReason = ({ reason }: SendRoute, name: string): string => {
  if (reason === 'chosen') return ''
  return t(reason === null ? 'send.reasonBest' : reasons[reason], { name })
}

const warnings = {
  own: 'send.identityNotLookedUp',
  none: 'send.identityUnknown',
  unchecked: 'send.identityUnchecked',
} as const satisfies Record<Exclude<SendRoute['identity'], 'found'>, string>

/** The problem of the identity that a message will be sent to; null if there is none. */
export const routeWarning = ({ identity }: SendRoute, name: string): string | null => {
  return identity === 'found' ? null : t(warnings[identity], { name })
}
