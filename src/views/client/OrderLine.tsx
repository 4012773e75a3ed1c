import { businessDay } from '../../domain/client/business-day.ts'
import { orderNameOf } from '../../domain/client/client-orders.ts'
import { centsOf, formatMoney } from '../../domain/client/money.ts'
import { hasPendingPayment, isCancelled, type PaymentStatus, paymentStatusOf } from '../../domain/client/orders.ts'
import { safeName } from '../../domain/shown-text.ts'
import type { Order } from '../../schemas/order.ts'
import { t } from '../../texts/client-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { useBusiness } from './use-business.ts'

const tones = { paid: 'ok', partial: 'warn', unpaid: 'bad' } as const satisfies Record<PaymentStatus, unknown>

const states = { paid: 'client.paid', partial: 'client.partial', unpaid: 'client.unpaid' } as const satisfies Record<
  PaymentStatus,
  string
>

/**
 * An order with its status and its payment status (spec sections 2 and 4). Nothing is owed for a cancelled order. With
 * `onOpen` the name is a button, and a press anywhere on the line opens the order.
 */
export function OrderLine({ order, onOpen }: { order: Order; onOpen?: (() => void) | undefined }) {
  const payment = paymentStatusOf(order)
  const business = useBusiness()
  const name = orderNameOf(order)
  return (
    <li className="relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 border-line border-t py-1.5">
      <b dir="auto" className="font-semibold [overflow-wrap:anywhere]">
        {onOpen === undefined ? (
          name
        ) : (
          <button
            type="button"
            className="touch:-my-3 touch:min-h-11 max-w-full cursor-pointer text-left font-semibold underline-offset-2 after:absolute after:inset-0 after:rounded-ui hover:underline"
            onClick={onOpen}
          >
            {name}
          </button>
        )}
      </b>
      <span className="text-right">{formatMoney(centsOf(order.total_amount), business)}</span>
      <span className="truncate text-ink-2 text-xs">
        <time dateTime={order.created_at}>{businessDay(order.created_at, business)}</time>
        {order.status && (
          <>
            {' · '}
            <bdi>{safeName(order.status)}</bdi>
          </>
        )}
      </span>
      <span className="flex justify-end gap-1">
        {onOpen !== undefined && hasPendingPayment(order) && <Badge tone="warn">{t('client.paymentWaits')}</Badge>}
        <Badge tone={isCancelled(order) ? 'neutral' : tones[payment]}>{t(states[payment])}</Badge>
      </span>
    </li>
  )
}
