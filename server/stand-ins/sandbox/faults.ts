import * as z from 'zod/mini'
import type { SandboxDb } from './tables.ts'

const times = z._default(z.number().check(z.int(), z.minimum(0)), 1)

/** Faults that the sandbox is told to have (PUT /sandbox/control/faults). Counted ones are used up by the calls they are for. */
export const faults = z.object({
  /** The next sends are refused with these numbers. */
  refuse: z.optional(
    z.object({ times, code: z.number(), subcode: z.optional(z.number()), status: z._default(z.number(), 400) }),
  ),
  /** The next sends are taken, but the connection breaks before the answer. */
  loseAnswers: z.optional(z.number().check(z.int(), z.minimum(0))),
  /** The connection of the next sends breaks before they are taken. */
  loseRequests: z.optional(z.number().check(z.int(), z.minimum(0))),
  /** The next sends are taken, and answered only after so long. */
  delay: z.optional(z.object({ times, milliseconds: z.number().check(z.minimum(0)) })),
  /** The next reads of conversations are refused with these numbers, of one page or of any. */
  refuseReads: z.optional(
    z.object({
      times,
      code: z.number(),
      subcode: z.optional(z.number()),
      status: z._default(z.number(), 400),
      pageId: z.optional(z.string()),
      /** What the usage header says of how long to wait. */
      minutes: z.optional(z.number()),
    }),
  ),
  /** The next reads of conversations, of one page or of any, lose their connection. */
  loseReads: z.optional(z.object({ times, pageId: z.optional(z.string()) })),
  /** Each webhook is posted twice. */
  duplicateWebhooks: z.optional(z.boolean()),
  /** The newest webhook is posted first. */
  reverseWebhooks: z.optional(z.boolean()),
  /** Webhooks wait until this is lifted. */
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

/** What is to go wrong with a read of a page's conversations; counts it. */
export async function takeReadFault(db: SandboxDb, pageId: string): Promise<ReadFault> {
  const standing = await readFaults(db)
  if (standing.refuseReads === undefined && standing.loseReads === undefined) return { refuse: null, lose: false }
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

/** What is to go wrong with the send in hand; counts it. */
export async function takeSendFault(db: SandboxDb): Promise<SendFault> {
  const standing = await readFaults(db)
  const counted = [standing.refuse, standing.loseAnswers, standing.loseRequests, standing.delay]
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
