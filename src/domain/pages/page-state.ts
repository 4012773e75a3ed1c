import type { Page } from '../../schemas/page.ts'

/** Whether the network refuses the page's token, so that the page cannot be used until the token is renewed. */
export const isDisconnected = ({ token_invalid_since }: Pick<Page, 'token_invalid_since'>): boolean =>
  token_invalid_since != null

/** Why nothing can be sent from a page; null if sending is possible. */
export function troubleOf(page: Pick<Page, 'token_invalid_since' | 'is_active'>): 'disconnected' | 'inactive' | null {
  if (isDisconnected(page)) return 'disconnected'
  return page.is_active ? null : 'inactive'
}
