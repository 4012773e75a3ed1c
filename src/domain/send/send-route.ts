import type { Platform } from '../../schemas/conversation.ts'
import type { BestPageReason } from '../../schemas/message.ts'
import { t } from '../../texts/send.ts'

/** Where a message will go out from, and why, before it is sent (spec section 4, Sending). */
export type SendRoute = {
  pageId: string
  /**
   * `chosen` by the person; `unasked` where the look-up of the best page failed and the conversation's first page is
   * used; null where the API does not say why a page is the best.
   */
  reason: BestPageReason | 'chosen' | 'unasked' | null
  /** `own`: the look-up failed and the conversation's own identity is used; `none`: there is nobody to send it to. */
  identity: 'found' | 'own' | 'none'
  /** Where that identity is; null where the API does not say. */
  platform: Platform | null
}

/** The page that a message will go out from, as far as it is known: the route's, or the only one there is. */
export const pageInUse = (route: SendRoute | null, pageIds: readonly string[]): string | null =>
  route?.pageId ?? (pageIds.length === 1 ? (pageIds[0] ?? null) : null)

const reasons = {
  last_incoming: 'send.reasonLastIncoming',
  last_message: 'send.reasonLastMessage',
  only_page: 'send.reasonOnlyPage',
  first_page: 'send.reasonFirstPage',
  unasked: 'send.reasonUnasked',
} as const satisfies Record<Exclude<SendRoute['reason'], 'chosen' | null>, string>

/** Why a page was taken for a person; empty where it was chosen. */
export const routeReason = ({ reason }: SendRoute, name: string): string => {
  if (reason === 'chosen') return ''
  return t(reason === null ? 'send.reasonBest' : reasons[reason], { name })
}

/** What is wrong with the identity that a message will go to; null where nothing is. */
export const routeWarning = ({ identity }: SendRoute, name: string): string | null => {
  if (identity === 'found') return null
  return t(identity === 'own' ? 'send.identityNotLookedUp' : 'send.identityUnknown', { name })
}
