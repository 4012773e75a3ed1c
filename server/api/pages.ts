import { Hono } from 'hono'
import * as z from 'zod/mini'
import {
  createPageBody,
  deletePageAnswer,
  type Page,
  pageDeletionAnswer,
  pagesAnswer,
  refreshPicturesAnswer,
  savedPageAnswer,
  updatePageBody,
  verifyTokenAnswer,
  verifyTokenBody,
} from '../../src/schemas/page.ts'
import type { Db } from '../database/database.ts'
import { listPages } from '../database/pages.ts'
import type { PageManagement } from '../network/pages/page-management.ts'
import type { PagePictures } from '../network/pictures/page-pictures.ts'
import { described, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'
import { handlePageError, networkRefusals } from './page-refusal.ts'

export const ofPage = z.object({ pageId: z.string().check(z.minLength(1)) })
const tag = 'Pages'

type ListedPage = Awaited<ReturnType<typeof listPages>>[number]

export const toApiPage = (page: ListedPage): Page => ({
  ...page,
  token_invalid_since: page.token_invalid_since?.toISOString() ?? null,
  keeps_token: true,
  created_at: page.created_at.toISOString(),
  updated_at: page.updated_at.toISOString(),
})

/** The connected pages (spec section 7), to be mounted at /api/facebook. Never returns an access token. */
export function createPageRoutes({
  db,
  management,
  pagePictures,
}: {
  db: Db
  management: PageManagement
  pagePictures: Pick<PagePictures, 'refreshAll'>
}) {
  const app = new Hono<Authenticated>()
  app.onError(handlePageError)

  for (const path of ['/pages/refresh-profile-pictures', '/refresh-all-profile-pictures']) {
    app.post(
      path,
      described({
        tag,
        summary: 'Refresh the pictures of all pages; pictures of people are not refreshed',
        answer: refreshPicturesAnswer,
      }),
      requirePermission('pages.manage'),
      async (c) => {
        const data = await pagePictures.refreshAll()
        const message = `Refreshed the pictures of ${data.refreshed} of ${data.refreshed + data.failures.length} pages`
        return c.json({ success: true, data, message } satisfies z.infer<typeof refreshPicturesAnswer>)
      },
    )
  }

  return app
    .get(
      '/pages',
      described({ tag, summary: 'The connected pages, without their access tokens', answer: pagesAnswer }),
      requirePermission('pages.read'),
      async (c) => {
        const pages = await listPages(db)
        return c.json({
          success: true,
          data: { data: pages.map(toApiPage) },
        } satisfies z.infer<typeof pagesAnswer>)
      },
    )
    .post(
      '/pages/verify-token',
      described({
        tag,
        takesBody: true,
        summary: 'Read from the network which page an access token belongs to',
        answer: verifyTokenAnswer,
        refusals: { 400: 'The body is not valid', ...networkRefusals },
      }),
      requirePermission('pages.manage'),
      valid('json', verifyTokenBody),
      async (c) => {
        const page = await management.verify(c.req.valid('json').page_access_token)
        return c.json({
          success: true,
          data: {
            id: page.pageId,
            name: page.name,
            username: page.username,
            category: page.category,
            picture: page.picture,
            instagram_account_id: page.instagramId,
            is_connected: page.isConnected,
          },
        } satisfies z.infer<typeof verifyTokenAnswer>)
      },
    )
    .post(
      '/pages',
      described({
        tag,
        takesBody: true,
        summary: 'Connect the page that an access token belongs to',
        answer: savedPageAnswer,
        refusals: { 400: 'The body is not valid', 409: 'The page is connected already', ...networkRefusals },
      }),
      requirePermission('pages.manage'),
      valid('json', createPageBody),
      async (c) => {
        const { page_name, page_access_token, is_active } = c.req.valid('json')
        const page = await management.create(
          { name: page_name, token: page_access_token, isActive: is_active },
          c.get('actor'),
        )
        return c.json({ success: true, data: toApiPage(page) } satisfies z.infer<typeof savedPageAnswer>)
      },
    )
    .put(
      '/pages/:pageId',
      described({
        tag,
        takesBody: true,
        summary: 'Change a page; without a token it keeps the stored one',
        answer: savedPageAnswer,
        refusals: { 400: 'The body is not valid', 410: 'The page is not connected', ...networkRefusals },
      }),
      requirePermission('pages.manage'),
      valid('param', ofPage),
      valid('json', updatePageBody),
      async (c) => {
        const { page_name, page_access_token, is_active, shows_typing, shows_seen } = c.req.valid('json')
        const page = await management.update(
          c.req.valid('param').pageId,
          {
            name: page_name,
            token: page_access_token || undefined,
            isActive: is_active,
            showsTyping: shows_typing,
            showsSeen: shows_seen,
          },
          c.get('actor'),
        )
        return c.json({ success: true, data: toApiPage(page) } satisfies z.infer<typeof savedPageAnswer>)
      },
    )
    .get(
      '/pages/:pageId/deletion',
      described({
        tag,
        summary: 'Count what a deletion of the page would delete',
        answer: pageDeletionAnswer,
        refusals: { 410: 'The page is not connected' },
      }),
      requirePermission('pages.manage'),
      valid('param', ofPage),
      async (c) => {
        const data = await management.deletion(c.req.valid('param').pageId)
        return c.json({ success: true, data } satisfies z.infer<typeof pageDeletionAnswer>)
      },
    )
    .delete(
      '/pages/:pageId',
      described({
        tag,
        summary: 'Delete a page with its messages; idempotent',
        answer: deletePageAnswer,
        refusals: { 409: 'A message is being sent from it' },
      }),
      requirePermission('pages.manage'),
      valid('param', ofPage),
      async (c) => {
        await management.remove(c.req.valid('param').pageId, c.get('actor'))
        return c.json({ success: true, message: 'Page deleted' } satisfies z.infer<typeof deletePageAnswer>)
      },
    )
}
