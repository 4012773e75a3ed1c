import { sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { nextTurn } from '../../next-turn.ts'
import { splitByPerson } from './lanes.ts'

/** Deliveries that one statement stores. */
const maxTogether = 200

type Lanes = readonly (number | null)[]
type Waiting = { text: string; delivery: unknown; resolve: (lanes: Lanes) => void; reject: (reason: unknown) => void }

/**
 * Stores deliveries for the worker. Those that arrive while a statement runs are stored together by the next one. The
 * returned function resolves with the lanes of the delivery when it is committed, and rejects if the database refuses the
 * statement.
 */
export function createDeliveryInbox({ db, clock }: { db: Db; clock: Clock }) {
  let waiting: Waiting[] = []
  let isStoring = false

  async function storeWaiting(): Promise<void> {
    if (isStoring) return
    isStoring = true
    while (waiting.length > 0) {
      await nextTurn()
      const together = waiting.slice(0, maxTogether)
      waiting = waiting.slice(maxTogether)
      try {
        const split = together.map(({ text, delivery }) => splitByPerson(text, delivery))
        await insert(split.flat())
        for (const [index, { resolve }] of together.entries()) resolve((split[index] ?? []).map(({ lane }) => lane))
      } catch (error) {
        for (const { reject } of together) reject(error)
      }
    }
    isStoring = false
  }

  async function insert(parts: readonly { body: string; lane: number | null }[]): Promise<void> {
    await sql`
      insert into webhook_inbox (body, lane, due_at)
      select body, lane, ${new Date(clock.now())}
      from unnest(${parts.map(({ body }) => body)}::text[], ${parts.map(({ lane }) => lane)}::integer[])
        with ordinality as part (body, lane, position)
      order by position`.execute(db)
  }

  return (text: string, delivery: unknown): Promise<Lanes> =>
    new Promise((resolve, reject) => {
      waiting.push({ text, delivery, resolve, reject })
      void storeWaiting()
    })
}
