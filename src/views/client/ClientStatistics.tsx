import { formatMoney } from '../../domain/client/money.ts'
import type { OrderTotals } from '../../domain/client/orders.ts'
import { t } from '../../texts/client-on-demand.ts'
import { classNames } from '../components/class-names.ts'
import { useBusiness } from './use-business.ts'

const count = new Intl.NumberFormat()

function Tile({ label, value, alarming = false }: { label: string; value: string; alarming?: boolean }) {
  return (
    <div className="min-w-0 rounded-ui border border-line bg-panel px-3 py-2">
      <dt className="text-ink-2 text-xs">{label}</dt>
      <dd className={classNames('font-semibold text-lg [overflow-wrap:anywhere]', alarming && 'text-bad')}>{value}</dd>
    </div>
  )
}

/** The totals of a client's orders (spec section 2). */
export function ClientStatistics({ totals, wide = false }: { totals: OrderTotals; wide?: boolean }) {
  const business = useBusiness()
  return (
    <dl className={classNames('grid grid-cols-2 gap-2', wide && 'sm:grid-cols-4')}>
      <Tile label={t('client.totalOrders')} value={count.format(totals.orders)} />
      <Tile label={t('client.pending')} value={count.format(totals.pending)} />
      <Tile label={t('client.totalSpent')} value={formatMoney(totals.spent, business)} />
      <Tile
        label={t('client.outstanding')}
        value={formatMoney(totals.outstanding, business)}
        alarming={totals.outstanding > 0}
      />
    </dl>
  )
}
