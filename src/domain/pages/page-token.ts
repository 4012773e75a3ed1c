import type { Page, VerifiedToken } from '../../schemas/page.ts'
import { t } from '../../texts/pages-on-demand.ts'
import { Failure } from '../failure.ts'
import { safeName } from '../shown-text.ts'

/** What a token was verified to belong to; a foreign API may tell no more than the name (spec section 3). */
export type TokenOwner = Omit<VerifiedToken, 'id'> & { id?: string | undefined }

/**
 * Why a good token cannot be used in this form, or null where it can: `page` is what is edited, null where one is added.
 */
export function tokenMismatchOf(page: Pick<Page, 'page_id'> | null, owner: TokenOwner): string | null {
  const name = safeName(owner.name)
  if (page === null) return owner.is_connected ? t('pages.alreadyListed', { name }) : null
  return owner.id === undefined || owner.id === page.page_id ? null : t('pages.tokenOfAnother', { name })
}

/** Whether a failed verification speaks against the token, and not of a call that did not work. */
export const isTokenRefused = (failure: unknown): boolean =>
  failure instanceof Failure &&
  Boolean(failure.error) &&
  (failure.kind === 'badAnswer' || [400, 409, 410, 422].includes(failure.status ?? 0))
