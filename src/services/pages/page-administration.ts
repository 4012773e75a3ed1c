import * as z from 'zod/mini'
import type { TokenOwner } from '../../domain/pages/page-token.ts'
import type { PictureScope, RefreshedPictures, SavedPage } from '../../domain/pages/pages-calls.ts'
import {
  type CreatePageBody,
  deletePageAnswer,
  type PageDeletion,
  pageDeletionAnswer,
  type UpdatePageBody,
  type VerifyTokenBody,
  verifiedToken,
} from '../../schemas/page.ts'
import { count, successAnswer } from '../../schemas/primitives.ts'
import type { Http } from '../http.ts'
import { pageFailures } from './page-failures.ts'

const pathOf = (pageId: string) => `/facebook/pages/${encodeURIComponent(pageId)}`

const picturePaths: Record<PictureScope, string> = {
  pages: '/facebook/pages/refresh-profile-pictures',
  all: '/facebook/refresh-all-profile-pictures',
}

const verified = z.object({ success: z.literal(true), data: z.partial(verifiedToken, { id: true }) })

/**
 * The calls of the page manager (spec section 7). All throw a `Failure` that contains no token. Calls that change data
 * are never aborted.
 */
export function createPageAdministration(http: Http, log: { warn: (text: string) => void }) {
  const refreshed = z.object({
    success: z.literal(true),
    message: z.nullish(z.string()),
    data: z.nullish(z.object({ refreshed: z.nullish(count), failures: pageFailures(log) })),
  })

  return {
    verifyToken: async ({ token }: { token: string }, signal: AbortSignal): Promise<TokenOwner> => {
      const body: VerifyTokenBody = { page_access_token: token.trim() }
      return (await http.post('/facebook/pages/verify-token', { schema: verified, body, signal })).data
    },

    savePage: async ({ pageId, name, token, isActive, senderActions }: SavedPage): Promise<void> => {
      const fields = { page_name: name.trim(), is_active: isActive }
      const held = token.trim()
      if (pageId === null) {
        const body: CreatePageBody = { ...fields, page_access_token: held }
        await http.post('/facebook/pages', { schema: successAnswer, body })
      } else {
        const body: UpdatePageBody = {
          ...fields,
          ...(held === '' ? {} : { page_access_token: held }),
          ...(senderActions === undefined
            ? {}
            : { shows_typing: senderActions.typing, shows_seen: senderActions.seen }),
        }
        await http.put(pathOf(pageId), { schema: successAnswer, body })
      }
    },

    /** The data that is deleted together with a page. */
    loadDeletion: async ({ pageId }: { pageId: string }, signal: AbortSignal): Promise<PageDeletion> =>
      (await http.get(`${pathOf(pageId)}/deletion`, { schema: pageDeletionAnswer, signal })).data,

    /** Returns the server's message, or null. */
    deletePage: async ({ pageId }: { pageId: string }): Promise<string | null> =>
      (await http.delete(pathOf(pageId), { schema: deletePageAnswer })).message ?? null,

    refreshPictures: async ({ scope }: { scope: PictureScope }): Promise<RefreshedPictures> => {
      const { message, data } = await http.post(picturePaths[scope], { schema: refreshed })
      return { message: message ?? null, failures: data?.failures ?? [] }
    },
  }
}
