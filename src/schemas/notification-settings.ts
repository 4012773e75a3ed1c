import * as z from 'zod/mini'
import { isTimeZone } from './business.ts'
import { answerOf, count } from './primitives.ts'
import { timeOfDay } from './time-of-day.ts'

/** What a staff member wants to be notified about (feature 'notifications'). */
const notificationSettings = z.object({
  /** The messages of conversations that are assigned to this person. */
  mine: z.boolean(),
  /** The messages of conversations that nobody is assigned to. */
  unassigned: z.boolean(),
  /** The messages of conversations that are assigned to colleagues. */
  others: z.boolean(),
  /** Notes that mention this person. */
  mentions: z.boolean(),
  /** Comments that need an answer. Settings that were saved before there was this choice do as for `unassigned`. */
  comments: z.optional(z.boolean()),
  sound: z.boolean(),
  desktop: z.boolean(),
  /** Whether a desktop notification shows the text. */
  showsText: z.boolean(),
  quiet: z.object({
    isOn: z.boolean(),
    from: timeOfDay,
    /** On the next day, unless it is later than `from`. The same time means 24 hours. */
    to: timeOfDay,
    /** The days on which quiet hours begin; 0 is Sunday. */
    days: z.array(z.number().check(z.int(), z.minimum(0), z.maximum(6))).check(z.maxLength(7)),
    /** The IANA name of the time zone of `from`, `to` and `days`. */
    timeZone: z.string().check(z.maxLength(64), z.refine(isTimeZone, 'not a time zone')),
  }),
})
export type NotificationSettings = z.infer<typeof notificationSettings>

/** The settings of the signed-in person; null and version 0 if none were saved. The version increases with every write. */
const savedNotificationSettings = z.object({ settings: z.nullable(notificationSettings), version: count })
export type SavedNotificationSettings = z.infer<typeof savedNotificationSettings>

export const notificationSettingsAnswer = answerOf(savedNotificationSettings)

/** `replaces`: the version that the person saw. Another version on the server refuses the write. */
export const saveNotificationSettingsBody = z.object({ settings: notificationSettings, replaces: count })
export type SaveNotificationSettingsBody = z.infer<typeof saveNotificationSettingsBody>

/** The settings on the server after the call. */
export const saveNotificationSettingsAnswer = answerOf(z.extend(savedNotificationSettings, { is_saved: z.boolean() }))
