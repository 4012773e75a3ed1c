import { Hono } from 'hono'
import type * as z from 'zod/mini'
import { autoSyncConfig, autoSyncStatusAnswer, forceSyncAnswer } from '../../src/schemas/auto-sync.ts'
import type { AutoSync } from '../network/sync/auto-sync.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Auto-sync'
type StatusAnswer = z.infer<typeof autoSyncStatusAnswer>

/** The automatic sync (spec section 7), to be mounted at /api/facebook. */
export const createAutoSyncRoutes = ({ autoSync }: { autoSync: Omit<AutoSync, 'work'> }) =>
  new Hono<Authenticated>()
    .get(
      '/auto-sync/status',
      described({
        tag,
        summary: 'Whether auto-sync is enabled, the result of its last run, and the time of the next one',
        answer: autoSyncStatusAnswer,
      }),
      requirePermission('pages.read'),
      async (c) => c.json({ success: true, data: await autoSync.status() } satisfies StatusAnswer),
    )
    .put(
      '/auto-sync/config',
      described({
        tag,
        takesBody: true,
        summary: 'Set the interval, the hours back, and whether auto-sync is enabled',
        answer: autoSyncStatusAnswer,
        refusals: { 400: 'A value is missing or out of its range' },
      }),
      requirePermission('sync.manage'),
      valid('json', autoSyncConfig),
      async (c) => {
        const data = await autoSync.configure(c.req.valid('json'), c.get('actor'))
        return c.json({ success: true, data } satisfies StatusAnswer)
      },
    )
    .post(
      '/auto-sync/start',
      described({ tag, summary: 'Enable auto-sync; the first run starts at once', answer: autoSyncStatusAnswer }),
      requirePermission('sync.manage'),
      async (c) => c.json({ success: true, data: await autoSync.start(c.get('actor')) } satisfies StatusAnswer),
    )
    .post(
      '/auto-sync/stop',
      described({
        tag,
        summary: 'Disable auto-sync; a running sync ends after its current pages',
        answer: autoSyncStatusAnswer,
      }),
      requirePermission('sync.manage'),
      async (c) => c.json({ success: true, data: await autoSync.stop(c.get('actor')) } satisfies StatusAnswer),
    )
    .post(
      '/auto-sync/force-sync',
      described({
        tag,
        summary: 'Sync at once and return the run when it has ended, or while it is running if that takes long',
        answer: forceSyncAnswer,
        refusals: { 503: 'It could not begin in time' },
      }),
      requirePermission('sync.run'),
      async (c) => {
        const data = await autoSync.force(c.get('staff').id)
        if (data === null) return refuse(c, 503, 'The sync has not begun yet. Look again in a moment.', 'NOT_BEGUN')
        return c.json({ success: true, data } satisfies z.infer<typeof forceSyncAnswer>)
      },
    )
