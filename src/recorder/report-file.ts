import * as z from 'zod/mini'

/** The part of a snapshot that a report contains. `children` are the ids of the running child actors. */
const state = z.object({
  value: z.unknown(),
  status: z.enum(['active', 'done', 'error', 'stopped']),
  context: z.record(z.string(), z.unknown()),
  children: z.array(z.string()),
})
export type ReportedState = z.infer<typeof state>

const received = z.object({
  /** Counts events across all actors. */
  seq: z.number(),
  /** In milliseconds. */
  at: z.number(),
  event: z.looseObject({ type: z.string() }),
  /** The non-deterministic values that the machine read while it handled the event. */
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
  /** The number of older events dropped before `from`. */
  dropped: z.number(),
  from: z.extend(state, { seq: z.number() }),
  events: z.array(received),
  to: state,
})
export type ReportedActor = z.infer<typeof actor>

/** A problem report: the last events of each actor, masked, between a known state and the last state. */
export const reportFile = z.object({
  format: z.literal('staff-inbox-report'),
  version: z.literal(1),
  takenAt: z.string(),
  /** The commit that the pages were built from; null if the build did not know it. */
  commit: z.nullable(z.string()),
  actors: z.array(actor),
})
export type ReportFile = z.infer<typeof reportFile>
