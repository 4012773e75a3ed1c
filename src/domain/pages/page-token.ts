import type { Page, VerifiedToken } from '../../schemas/page.ts'
import { t } from '../../texts/pages-on-demand.ts'
import { Failure } from '../failure.ts'
import { safeName } from '../shown-text.ts'

/** The page that a verified token belongs to. A foreign API may answer only the name (spec section 3). */
export type TokenOwner = Omit<VerifiedToken, 'id'> & { id?: string | undefined }

/**
 * Why a valid token cannot be used in this form; null if it can. `page` is the page being edited, or null for a new
 * page.
 */
export function tokenMismatchOf(page: Pick<Page, 'page_id'> | null, owner: TokenOwner): string | null {
  const name = safeName(owner.name)
  if (page === null) return owner.is_connected ? t('pages.alreadyListed', { name }) : null
  return owner.id === undefined || owner.id === page.page_id ? null : t('pages.tokenOfAnother', { name })
}

/** Whether the verification failed because the token was refused, rather than because the call failed. */
export const isTokenRefused = (failure: unknown): boolean =>
  failure instanceof Failure &&
  Boolean(failure.error) &&
  (failure.kind === 'badAnswer' || [400, 409, 410, 422].includes(failure.status ?? 0))
