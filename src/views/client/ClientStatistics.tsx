import { formatMoney } from '../../domain/client/money.ts'
import type { OrderTotals } from '../../domain/client/orders.ts'
import { classNames } from '../components/class-names.ts'

const count = new Intl.NumberFormat()

function Tile({ name, value, alarming = false }: { name: string; value: string; alarming?: boolean }) {
  return (
    <div className="min-w-0 rounded-ui border border-line bg-panel px-3 py-2">
      <dt className="text-ink-2 text-xs">{name}</dt>
      <dd className={classNames('font-semibold text-lg [overflow-wrap:anywhere]', alarming && 'text-bad')}>{value}</dd>
    </div>
  )
}

/** What a client's orders add up to (spec section 2). */
export function ClientStatistics({ totals, wide = false }: { totals: OrderTotals; wide?: boolean }) {
  return (
    <dl className={classNames('grid grid-cols-2 gap-2', wide && 'sm:grid-cols-4')}>
      <Tile name="Total Orders" value={count.format(totals.orders)} />
      <Tile name="Pending" value={count.format(totals.pending)} />
      <Tile name="Total Spent" value={formatMoney(totals.spent)} />
      <Tile name="Outstanding" value={formatMoney(totals.outstanding)} alarming={totals.outstanding > 0} />
    </dl>
  )
}
