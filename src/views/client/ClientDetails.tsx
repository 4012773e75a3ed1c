import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import type { ActorRefFrom } from 'xstate'
import { recentOrders, totalsOf } from '../../domain/client/orders.ts'
import { type clientDetailsMachine, selectClientData, selectHasFailed } from '../../machines/client/client-details.ts'
import type { Order } from '../../schemas/order.ts'
import { t } from '../../texts/client-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { TryAgain } from '../components/TryAgain.tsx'
import { useDialog, useMayOpen } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'
import { ClientDetailsSkeleton } from './ClientDetailsSkeleton.tsx'
import { ClientStatistics } from './ClientStatistics.tsx'
import { OrderLine } from './OrderLine.tsx'
import { useNewOrder } from './use-new-order.ts'

type ClientDetailsProps = {
  details: ActorRefFrom<typeof clientDetailsMachine>
  conversationId: string
  clientId: string
}

/**
 * The statistics and recent orders of the linked client, which `details` loads (spec section 2, client details
 * sidebar).
 */
export default function ClientDetails({ details, ...subject }: ClientDetailsProps) {
  const orders = useSelector(details, selectClientData)?.orders
  const failed = useSelector(details, selectHasFailed)
  return (
    <div tabIndex={-1} className="grid gap-3">
      {orders ? (
        <Orders orders={orders} {...subject} />
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

function Orders({ orders, ...subject }: Omit<ClientDetailsProps, 'details'> & { orders: readonly Order[] }) {
  const totals = useMemo(() => totalsOf(orders), [orders])
  const recent = useMemo(() => recentOrders(orders), [orders])
  const dialog = useDialog()
  const mayOpen = useMayOpen('order')
  const openNewOrder = useNewOrder(subject)
  return (
    <>
      <ClientStatistics totals={totals} />
      <section>
        <div className="mb-1.5 flex items-center justify-between gap-2">
          <h3 className="font-semibold text-ink-2 text-xs">{t('client.recentOrders')}</h3>
          {openNewOrder !== null && (
            <Button className="h-7 px-2 text-xs" onClick={() => openNewOrder(null)}>
              <Plus size={13} aria-hidden="true" />
              {t('client.newOrder')}
            </Button>
          )}
        </div>
        {recent.length === 0 ? (
          <p className="border-line border-t py-2 text-ink-2">{t('client.noOrders')}</p>
        ) : (
          <ul>
            {recent.map((order) => (
              <OrderLine
                key={order.id}
                order={order}
                onOpen={
                  mayOpen
                    ? () => {
                        const input = { ...subject, orderId: order.id }
                        dialog.send({ type: 'dialog.requested', dialog: { name: 'order', input } })
                      }
                    : undefined
                }
              />
            ))}
          </ul>
        )}
      </section>
    </>
  )
}
