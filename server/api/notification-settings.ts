import { Hono } from 'hono'
import type * as z from 'zod/mini'
import {
  notificationSettingsAnswer,
  saveNotificationSettingsAnswer,
  saveNotificationSettingsBody,
} from '../../src/schemas/notification-settings.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { findNotificationSettings, saveNotificationSettings } from '../database/notification-settings.ts'
import { described, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Notifications'
const none = { settings: null, version: 0 }

/** The notification settings of the signed-in person (feature 'notifications'), to be mounted at /api/facebook. */
export const createNotificationSettingsRoutes = ({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }) =>
  new Hono<Authenticated>()
    .get(
      '/notification-settings',
      described({
        tag,
        summary: 'What the signed-in person wants to be notified about',
        answer: notificationSettingsAnswer,
      }),
      requirePermission('conversations.read'),
      async (c) => {
        const data = (await findNotificationSettings(db, c.get('staff').id)) ?? none
        return c.json({ success: true, data } satisfies z.infer<typeof notificationSettingsAnswer>)
      },
    )
    .put(
      '/notification-settings',
      described({
        tag,
        takesBody: true,
        summary: 'Save the own settings; not saved if they replace another version than the stored one',
        answer: saveNotificationSettingsAnswer,
        refusals: { 400: 'The body is not valid' },
      }),
      requirePermission('conversations.read'),
      valid('json', saveNotificationSettingsBody),
      async (c) => {
        const { isSaved, stored } = await saveNotificationSettings(db, {
          ...c.req.valid('json'),
          staffId: c.get('staff').id,
          now: new Date(clock.now()),
        })
        return c.json({
          success: true,
          data: { is_saved: isSaved, ...(stored ?? none) },
        } satisfies z.infer<typeof saveNotificationSettingsAnswer>)
      },
    )
