import { totalOf } from '../../server/stand-ins/shops/records.ts'
import type { StandInOrder } from '../../server/stand-ins/shops/tables.ts'
import type { Invariant } from './invariants.ts'
import type { World } from './world.ts'

/** Other programs: the shops, the receivers of events, and what staff undo. */
export function createProgramChecks(
  { database, receiver, undone }: World,
  report: (invariant: Invariant, detail: string) => void,
) {
  async function checkShops(): Promise<void> {
    const rows = await database.read<{
      id: string
      shop: string
      data: StandInOrder
      updated_at: Date
      version: Date | null
      reason: string | null
      total: number | null
    }>(
      `select r.id::text, r.shop, r.data, r.updated_at, known.version, known.reason, o.total_amount::float as total
       from sandbox.shop_rows r
       join shops s on s.kind = r.shop
       left join shop_rows known on known.shop_id = s.id and known.kind = 'order'
         and regexp_replace(known.number, '\\D', '', 'g') = r.id::text
       left join orders o on o.external_id = known.external_id
       where r.kind = 'orders'`,
    )
    for (const { id, shop, data, updated_at, version, reason, total } of rows) {
      const name = `order ${id} of ${shop}`
      const second = (at: Date | null) => (at === null ? 0 : Math.floor(at.getTime() / 1_000))
      if (reason !== null) report('the shop is stored', `${name} is refused: ${reason}`)
      else if (second(version) < second(updated_at))
        report(
          'the shop is stored',
          `${name} has the version ${version?.toISOString()} and not ${updated_at.toISOString()}`,
        )
      else if (
        total !== null &&
        data.state !== 'cancelled' &&
        Math.round(total * 100) !== totalOf(data) - data.refunded
      )
        report('the shop is stored', `${name} has the total ${total} and not ${(totalOf(data) - data.refunded) / 100}`)
    }
  }

  return {
    async check(): Promise<void> {
      for (const [id, bodies] of receiver.received)
        if (new Set(bodies).size > 1) report('an event is delivered', `${id} was delivered with different bodies`)
      for (const { before, after } of undone.splice(0))
        if (before !== after) report('merge then undo restores', `${after} and not ${before}`)
    },

    async checkAtRest(): Promise<void> {
      await checkShops()
      const deliveries = await database.read<{ id: string; state: string }>(
        `select event_id as id, d.state from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
         where e.is_active`,
      )
      for (const { id, state } of deliveries) {
        if (state !== 'delivered') report('an event is delivered', `${id} is ${state}`)
        else if (!receiver.received.has(id)) report('an event is delivered', `${id} has not reached its receiver`)
      }
    },
  }
}
