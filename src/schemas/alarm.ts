import * as z from 'zod/mini'
import { moment } from './primitives.ts'

const alarmKinds = [
  'webhooks',
  'token',
  'parked',
  'queue',
  'disk',
  'endpoint-failing',
  'endpoint-off',
  'shop-key',
  'shop-unreachable',
] as const

/** An incident, shown to administrators. `ended_at` is null while it lasts. */
const alarm = z.object({
  id: z.number(),
  kind: z.enum(alarmKinds),
  /** What happened and what to do. */
  text: z.string(),
  started_at: moment,
  ended_at: z.nullable(moment),
})
export type Alarm = z.infer<typeof alarm>

/** Open incidents, then ended ones; each newest first. At most 100. */
export const alarmsAnswer = z.object({ success: z.literal(true), data: z.array(alarm) })

/** What the inbox shows of an incident. Without the kind, so that an open tab shows the kinds of a newer server. */
export const shownAlarm = z.omit(alarm, { kind: true })
export type ShownAlarm = z.infer<typeof shownAlarm>
