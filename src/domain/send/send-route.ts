import type { Platform } from '../../schemas/conversation.ts'
import type { BestPageReason } from '../../schemas/message.ts'

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

const reasons: Record<Exclude<SendRoute['reason'], 'chosen' | null>, (name: string) => string> = {
  last_incoming: (name) => `where ${name} wrote last`,
  last_message: () => 'where the last message was sent',
  only_page: (name) => `the only active page that knows ${name}`,
  first_page: () => 'the first page, for nothing was written yet',
  unasked: () => 'the first page, for the best one could not be looked up',
}

/** Why a page was taken for a person; empty where it was chosen. */
export const routeReason = ({ reason }: SendRoute, name: string): string => {
  if (reason === 'chosen') return ''
  return reason === null ? `the best page for ${name}` : reasons[reason](name)
}

/** What is wrong with the identity that a message will go to; null where nothing is. */
export const routeWarning = ({ identity }: SendRoute, name: string): string | null => {
  if (identity === 'found') return null
  return identity === 'own'
    ? `${name} could not be looked up on this page: the identity of this conversation will be used.`
    : `${name} is not known on this page: a message cannot be sent from it.`
}
