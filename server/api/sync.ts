import { Hono } from 'hono'
import * as z from 'zod/mini'
import {
  historySyncAnswer,
  syncAllRecentAnswer,
  syncConversationBody,
  syncedMessagesAnswer,
  syncHistoryBody,
  syncRecentBody,
  syncStatusAnswer,
} from '../../src/schemas/sync.ts'
import type { HistorySyncs } from '../network/sync/history-syncs.ts'
import { failuresOf, type RecentSync } from '../network/sync/recent-sync.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'
import { handlePageError, networkRefusals } from './page-refusal.ts'
import { ofPage } from './pages.ts'

const ofSync = z.object({ syncId: z.string().check(z.minLength(1)) })
const tag = 'Sync'
const noSuchSync = 'There is no such sync'
const ofAnyPage = { 400: 'The body is not valid', 410: 'The page is not connected', ...networkRefusals }

/** Historical and recent sync (spec section 7), to be mounted at /api/facebook. */
export function createSyncRoutes({ historySyncs, recent }: { historySyncs: HistorySyncs; recent: RecentSync }) {
  const app = new Hono<Authenticated>()
  app.onError(handlePageError)
  return app
    .get(
      '/pages/:pageId/sync-status',
      described({
        tag,
        summary: 'The message counts of a page, and its running historical syncs',
        answer: syncStatusAnswer,
        refusals: { 410: 'The page is not connected' },
      }),
      requirePermission('pages.read'),
      valid('param', ofPage),
      async (c) => {
        const data = await historySyncs.status(c.req.valid('param').pageId)
        return c.json({ success: true, data } satisfies z.infer<typeof syncStatusAnswer>)
      },
    )
    .post(
      '/pages/:pageId/sync-history',
      described({
        tag,
        takesBody: true,
        summary: 'Start a historical sync, or return the running one of the same page and platform',
        answer: historySyncAnswer,
        refusals: { 400: 'The body is not valid', 410: 'The page is not connected' },
      }),
      requirePermission('sync.run'),
      valid('param', ofPage),
      valid('json', syncHistoryBody),
      async (c) => {
        const { pageId } = c.req.valid('param')
        const data = await historySyncs.start({ pageId, ...c.req.valid('json'), staffId: c.get('staff').id })
        return c.json({ success: true, data } satisfies z.infer<typeof historySyncAnswer>)
      },
    )
    .get(
      '/history-syncs/:syncId',
      described({
        tag,
        summary: 'The progress of a historical sync',
        answer: historySyncAnswer,
        refusals: { 410: noSuchSync },
      }),
      requirePermission('pages.read'),
      valid('param', ofSync),
      async (c) => {
        const data = await historySyncs.find(c.req.valid('param').syncId)
        if (data === null) return refuse(c, 410, noSuchSync)
        return c.json({ success: true, data } satisfies z.infer<typeof historySyncAnswer>)
      },
    )
    .post(
      '/history-syncs/:syncId/cancel',
      described({
        tag,
        summary: 'Cancel a historical sync; stored messages stay',
        answer: historySyncAnswer,
        refusals: { 410: noSuchSync },
      }),
      requirePermission('sync.run'),
      valid('param', ofSync),
      async (c) => {
        const data = await historySyncs.cancel(c.req.valid('param').syncId)
        if (data === null) return refuse(c, 410, noSuchSync)
        return c.json({ success: true, data } satisfies z.infer<typeof historySyncAnswer>)
      },
    )
    .post(
      '/pages/:pageId/sync-conversation',
      described({
        tag,
        takesBody: true,
        summary: 'Sync the messages of one conversation',
        answer: syncedMessagesAnswer,
        refusals: ofAnyPage,
      }),
      requirePermission('sync.run'),
      valid('param', ofPage),
      valid('json', syncConversationBody),
      async (c) => {
        const { userPsid, platform } = c.req.valid('json')
        const syncedMessages = await recent.conversation(
          c.req.valid('param').pageId,
          platform,
          userPsid,
          c.req.raw.signal,
        )
        return c.json({ success: true, data: { syncedMessages } } satisfies z.infer<typeof syncedMessagesAnswer>)
      },
    )
    .post(
      '/pages/:pageId/sync-recent',
      described({
        tag,
        takesBody: true,
        summary: 'Sync the recent conversations of a page',
        answer: syncedMessagesAnswer,
        refusals: ofAnyPage,
      }),
      requirePermission('sync.run'),
      valid('param', ofPage),
      valid('json', syncRecentBody),
      async (c) => {
        const { hoursBack } = c.req.valid('json')
        const syncedMessages = await recent.page(c.req.valid('param').pageId, hoursBack, c.req.raw.signal)
        return c.json({ success: true, data: { syncedMessages } } satisfies z.infer<typeof syncedMessagesAnswer>)
      },
    )
    .post(
      '/sync-all-recent',
      described({
        tag,
        takesBody: true,
        summary: 'Sync the recent conversations of every active page; a failed page does not stop the others',
        answer: syncAllRecentAnswer,
        refusals: { 400: 'The body is not valid', ...networkRefusals },
      }),
      requirePermission('sync.run'),
      valid('json', syncRecentBody),
      async (c) => {
        const outcomes = await recent.allPages(c.req.valid('json').hoursBack, { signal: c.req.raw.signal })
        const done = outcomes.filter(({ refusal }) => refusal === null)
        const [first] = outcomes
        if (done.length === 0 && first?.refusal) {
          return refuse(c, first.refusal.status, first.refusal.text, first.refusal.code)
        }
        return c.json({
          success: true,
          data: {
            totalSyncedMessages: outcomes.reduce((sum, { messages }) => sum + messages, 0),
            pagesSynced: done.length,
            failures: failuresOf(outcomes),
          },
        } satisfies z.infer<typeof syncAllRecentAnswer>)
      },
    )
}
