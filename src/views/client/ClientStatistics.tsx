import { formatMoney } from '../../domain/client/money.ts'
import type { OrderTotals } from '../../domain/client/orders.ts'
import { t } from '../../texts/client-on-demand.ts'
import { classNames } from '../components/class-names.ts'
import { useBusiness } from './use-business.ts'

const count = new Intl.NumberFormat()

type TileProps = { label: string; value: string; className?: string | undefined; valueClassName?: string }

function Tile({ label, value, className, valueClassName = 'text-lg' }: TileProps) {
  return (
    <div className={classNames('min-w-0 rounded-ui border border-line bg-panel px-3 py-2', className)}>
      <dt className="text-ink-2 text-xs">{label}</dt>
      <dd className={classNames('font-semibold [overflow-wrap:anywhere]', valueClassName)}>{value}</dd>
    </div>
  )
}

/** The totals of a client's orders (spec section 2). What is owed comes first, and is red above zero. */
export function ClientStatistics({ totals, wide = false }: { totals: OrderTotals; wide?: boolean }) {
  const business = useBusiness()
  return (
    <dl className={classNames('grid grid-cols-2 gap-2', wide && 'sm:grid-cols-4')}>
      <Tile
        label={t('client.outstanding')}
        value={formatMoney(totals.outstanding, business)}
        className={wide ? undefined : 'col-span-full'}
        valueClassName={classNames(wide ? 'text-lg' : 'text-2xl', totals.outstanding > 0 && 'text-bad')}
      />
      <Tile label={t('client.totalOrders')} value={count.format(totals.orders)} />
      <Tile label={t('client.pending')} value={count.format(totals.pending)} />
      <Tile
        label={t('client.totalSpent')}
        value={formatMoney(totals.spent, business)}
        className={wide ? undefined : 'col-span-full'}
      />
    </dl>
  )
}
