import { useMemo } from 'react'
import type { ActorRefFrom } from 'xstate'
import { recentOrders, totalsOf } from '../../domain/client/orders.ts'
import { type clientDetailsMachine, selectClientData, selectHasFailed } from '../../machines/client/client-details.ts'
import type { Order } from '../../schemas/order.ts'
import { t } from '../../texts/client-on-demand.ts'
import { TryAgain } from '../components/TryAgain.tsx'
import { useSelector } from '../use-selector.ts'
import { ClientDetailsSkeleton } from './ClientDetailsSkeleton.tsx'
import { ClientStatistics } from './ClientStatistics.tsx'
import { OrderLine } from './OrderLine.tsx'

/**
 * The statistics and recent orders of the linked client, which `details` loads (spec section 2, client details
 * sidebar).
 */
export default function ClientDetails({ details }: { details: ActorRefFrom<typeof clientDetailsMachine> }) {
  const orders = useSelector(details, selectClientData)?.orders
  const failed = useSelector(details, selectHasFailed)
  return (
    <div tabIndex={-1} className="grid gap-3">
      {orders ? (
        <Orders orders={orders} />
      ) : failed ? (
        <div className="grid justify-items-start gap-2 rounded-ui border border-line p-3">
          <p className="text-ink-2">{t('client.ordersNotLoaded')}</p>
          <TryAgain part={t('client.partOrders')} onRetry={() => details.send({ type: 'refetch.requested' })} />
        </div>
      ) : (
        <ClientDetailsSkeleton />
      )}
    </div>
  )
}

function Orders({ orders }: { orders: readonly Order[] }) {
  const totals = useMemo(() => totalsOf(orders), [orders])
  const recent = useMemo(() => recentOrders(orders), [orders])
  return (
    <>
      <ClientStatistics totals={totals} />
      <section>
        <h3 className="mb-1.5 font-semibold text-ink-2 text-xs">{t('client.recentOrders')}</h3>
        {recent.length === 0 ? (
          <p className="border-line border-t py-2 text-ink-2">{t('client.noOrders')}</p>
        ) : (
          <ul>
            {recent.map((order) => (
              <OrderLine key={order.id} order={order} />
            ))}
          </ul>
        )}
      </section>
    </>
  )
}
