import * as z from 'zod/mini'

/** What of a snapshot a report holds: `children` are the ids of those that run. */
const state = z.object({
  value: z.unknown(),
  status: z.enum(['active', 'done', 'error', 'stopped']),
  context: z.record(z.string(), z.unknown()),
  children: z.array(z.string()),
})
export type ReportedState = z.infer<typeof state>

const received = z.object({
  /** Counts through all actors. */
  seq: z.number(),
  /** Milliseconds. */
  at: z.number(),
  event: z.looseObject({ type: z.string() }),
  /** What the machine asked the world outside meanwhile. */
  drawn: z.array(z.object({ name: z.string(), value: z.unknown() })),
})
export type ReportedEvent = z.infer<typeof received>

const actor = z.object({
  session: z.string(),
  id: z.string(),
  systemId: z.nullable(z.string()),
  parent: z.nullable(z.string()),
  machine: z.string(),
  input: z.unknown(),
  /** How many older events were dropped before `from`. */
  dropped: z.number(),
  from: z.extend(state, { seq: z.number() }),
  events: z.array(received),
  to: state,
})
export type ReportedActor = z.infer<typeof actor>

/** A report of a problem: what each actor received last, masked, between a state that is known and the last. */
export const reportFile = z.object({
  format: z.literal('staff-inbox-report'),
  version: z.literal(1),
  takenAt: z.string(),
  /** What the pages were built from; null where the build did not know. */
  commit: z.nullable(z.string()),
  actors: z.array(actor),
})
export type ReportFile = z.infer<typeof reportFile>
