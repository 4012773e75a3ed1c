import * as z from 'zod/mini'
import type { SandboxDb } from './tables.ts'

const times = z._default(z.number().check(z.int(), z.minimum(0)), 1)

/** Injected faults (PUT /sandbox/control/faults). Each affected call uses up one of a counted fault. */
export const faults = z.object({
  /** The next sends fail with this error. */
  refuse: z.optional(
    z.object({ times, code: z.number(), subcode: z.optional(z.number()), status: z._default(z.number(), 400) }),
  ),
  /** The next sends succeed, but the connection breaks before the response. */
  loseAnswers: z.optional(z.number().check(z.int(), z.minimum(0))),
  /** The connection of the next sends breaks before the message is accepted. */
  loseRequests: z.optional(z.number().check(z.int(), z.minimum(0))),
  /** The next sends succeed, with a delayed response. */
  delay: z.optional(z.object({ times, milliseconds: z.number().check(z.minimum(0)) })),
  /** The next reads of conversations fail with this error, on one page or on any. */
  refuseReads: z.optional(
    z.object({
      times,
      code: z.number(),
      subcode: z.optional(z.number()),
      status: z._default(z.number(), 400),
      pageId: z.optional(z.string()),
      /** The pause in the usage header. */
      minutes: z.optional(z.number()),
    }),
  ),
  /** The connection of the next reads of conversations breaks, on one page or on any. */
  loseReads: z.optional(z.object({ times, pageId: z.optional(z.string()) })),
  /** Each webhook is posted twice. */
  duplicateWebhooks: z.optional(z.boolean()),
  /** The newest webhook is posted first. */
  reverseWebhooks: z.optional(z.boolean()),
  /** Webhooks are not posted while this is set. */
  holdWebhooks: z.optional(z.boolean()),
})
export type Faults = z.infer<typeof faults>

export async function readFaults(db: SandboxDb): Promise<Faults> {
  const row = await db.selectFrom('sandbox.state').select('faults').executeTakeFirst()
  return faults.parse(row?.faults ?? {})
}

export async function writeFaults(db: SandboxDb, value: Faults): Promise<void> {
  await db
    .updateTable('sandbox.state')
    .set({ faults: JSON.stringify(value) })
    .execute()
}

export type ReadFault = {
  refuse: { code: number; subcode: number | null; status: number; minutes: number | null } | null
  lose: boolean
}

/** The fault for this read of a page's conversations; decrements its counter. */
export async function consumeReadFault(db: SandboxDb, pageId: string): Promise<ReadFault> {
  const current = await readFaults(db)
  if (current.refuseReads === undefined && current.loseReads === undefined) return { refuse: null, lose: false }
  return changeFaults(db, (now) => {
    const { refuseReads, loseReads } = now
    if (refuseReads && refuseReads.times > 0 && (refuseReads.pageId ?? pageId) === pageId) {
      refuseReads.times -= 1
      const { code, subcode = null, status, minutes = null } = refuseReads
      return { refuse: { code, subcode, status, minutes }, lose: false }
    }
    if (loseReads && loseReads.times > 0 && (loseReads.pageId ?? pageId) === pageId) {
      loseReads.times -= 1
      return { refuse: null, lose: true }
    }
    return { refuse: null, lose: false }
  })
}

async function changeFaults<T>(db: SandboxDb, change: (now: Faults) => T): Promise<T> {
  return db.transaction().execute(async (trx) => {
    const row = await trx.selectFrom('sandbox.state').select('faults').forUpdate().executeTakeFirst()
    const now = faults.parse(row?.faults ?? {})
    const result = change(now)
    await trx
      .updateTable('sandbox.state')
      .set({ faults: JSON.stringify(now) })
      .execute()
    return result
  })
}

export type SendFault = {
  refuse: { code: number; subcode: number | null; status: number } | null
  loseRequest: boolean
  loseAnswer: boolean
  delay: number
}

/** The fault for this send; decrements its counter. */
export async function consumeSendFault(db: SandboxDb): Promise<SendFault> {
  const current = await readFaults(db)
  const counted = [current.refuse, current.loseAnswers, current.loseRequests, current.delay]
  if (counted.every((one) => one === undefined)) return none
  return changeFaults(db, (now) => {
    const fault = { ...none }
    if (now.refuse && now.refuse.times > 0) {
      now.refuse.times -= 1
      fault.refuse = { code: now.refuse.code, subcode: now.refuse.subcode ?? null, status: now.refuse.status }
    } else if (now.loseRequests) {
      now.loseRequests -= 1
      fault.loseRequest = true
    } else {
      if (now.loseAnswers) {
        now.loseAnswers -= 1
        fault.loseAnswer = true
      }
      if (now.delay && now.delay.times > 0) {
        now.delay.times -= 1
        fault.delay = now.delay.milliseconds
      }
    }
    return fault
  })
}

const none: SendFault = { refuse: null, loseRequest: false, loseAnswer: false, delay: 0 }
