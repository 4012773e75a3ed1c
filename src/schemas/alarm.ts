import * as z from 'zod/mini'

const alarmKinds = ['webhooks', 'token', 'parked', 'queue', 'disk'] as const

/** An incident, shown to administrators. `ended_at` is null while it lasts. */
const alarm = z.object({
  id: z.number(),
  kind: z.enum(alarmKinds),
  /** One sentence: what happened and what to do. */
  text: z.string(),
  started_at: z.string(),
  ended_at: z.nullable(z.string()),
})
export type Alarm = z.infer<typeof alarm>

/** Open incidents, then ended ones; each newest first. At most 100. */
export const alarmsAnswer = z.object({ success: z.literal(true), data: z.array(alarm) })
