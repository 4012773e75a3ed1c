import { Plus } from 'lucide-react'
import { businessDay } from '../../domain/client/business-day.ts'
import type { OrderChange } from '../../domain/client/chat-order-calls.ts'
import { centsOf, formatMoney } from '../../domain/client/money.ts'
import { needsQuestion, nextPaymentStatuses } from '../../domain/client/order-steps.ts'
import { decisionTexts, methodTexts, statusText } from '../../domain/client/order-texts.ts'
import { countedPaymentsOf } from '../../domain/client/orders.ts'
import { safeName } from '../../domain/shown-text.ts'
import { type OrderActor, selectConversationId, selectIsChanging } from '../../machines/client/order.ts'
import { type OrderDetails, paymentStatuses, type RecordedPayment } from '../../schemas/chat-order.ts'
import { t } from '../../texts/orders-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { focusAround } from '../components/focus-around.ts'
import { useMay } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'
import { LinkedMessage } from './LinkedMessage.tsx'
import { useBusiness } from './use-business.ts'
import { useRecordPayment } from './use-record-payment.ts'

type OrderPaymentsProps = { order: OrderDetails; actor: OrderActor; onDismiss: () => void }

/** The payments of an order with their receipts. Who may approve payments decides on them here. */
export function OrderPayments({ order, actor, onDismiss }: OrderPaymentsProps) {
  const changing = useSelector(actor, selectIsChanging)
  const conversationId = useSelector(actor, selectConversationId)
  const record = useRecordPayment({ conversationId, clientId: order.client_id, orderId: order.id })
  return (
    <section className="grid gap-2">
      <div className="flex items-center justify-between gap-2">
        <h3 className="font-semibold text-ink-2 text-xs">{t('orders.payments')}</h3>
        {record !== null && (
          <Button
            className="h-7 px-2 text-xs"
            // A dialog that waits for an answer stays open, so no other one could open.
            disabled={changing}
            onClick={() => {
              onDismiss()
              record()
            }}
          >
            <Plus size={13} aria-hidden="true" />
            {t('orders.recordPayment')}
          </Button>
        )}
      </div>
      {order.payments.length === 0 ? (
        <p className="text-ink-2">{t('orders.noPayments')}</p>
      ) : (
        <ul className="grid gap-3">
          {order.payments.map((payment) => (
            <Payment key={payment.id} payment={payment} order={order} actor={actor} onDismiss={onDismiss} />
          ))}
        </ul>
      )}
    </section>
  )
}

const toneOf = (payment: RecordedPayment) => {
  if (countedPaymentsOf({ payments: [payment] }).length > 0) return 'ok'
  return payment.status === 'pending' ? 'warn' : 'neutral'
}

function Payment({ payment, order, actor, onDismiss }: OrderPaymentsProps & { payment: RecordedPayment }) {
  const business = useBusiness()
  const mayApprove = useMay('payments.approve')
  const changing = useSelector(actor, selectIsChanging)
  const amount = formatMoney(centsOf(payment.amount), business)
  const date = payment.created_at == null ? '' : businessDay(payment.created_at, business)
  const recorder = safeName(payment.recorded_by_name ?? '')
  const decider = safeName(payment.decided_by_name ?? '')
  const from = paymentStatuses.find((status) => status === payment.status)
  const whence = (): string => {
    if (payment.is_imported) return t('orders.paymentImported', { date })
    return recorder === '' ? date : t('orders.recordedBy', { name: recorder, date })
  }
  const people = [whence(), ...(decider === '' ? [] : [t('orders.decidedBy', { name: decider })])]
  return (
    <li className="grid gap-2 rounded-ui border border-line px-3 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-semibold tabular-nums">{amount}</span>
        <Badge tone={toneOf(payment)}>{statusText(payment.status)}</Badge>
        <span className="min-w-0 flex-1 text-right text-ink-2 [overflow-wrap:anywhere]">
          {payment.method !== null && t(methodTexts[payment.method])}
          {payment.reference !== null && (
            <>
              {' · '}
              <bdi>{safeName(payment.reference)}</bdi>
            </>
          )}
        </span>
      </div>
      <p className="text-2xs text-ink-3">{people.join(', ')}</p>
      <LinkedMessage
        order={order}
        id={payment.message_id}
        attachment={payment.attachment}
        caption={t('orders.receipt')}
        onDismiss={onDismiss}
      />
      {mayApprove && from !== undefined && (
        <div className="flex flex-wrap gap-2">
          {nextPaymentStatuses(payment).map((to) => (
            <Button
              key={to}
              variant={to === 'approved' ? 'primary' : to === 'rejected' ? 'danger' : 'ghost'}
              disabled={changing}
              aria-label={t(decisionTexts[to].name, { amount })}
              onClick={(event) => {
                const change: OrderChange = { kind: 'payment', paymentId: payment.id, from, to }
                // A question gives the focus back by itself.
                if (!needsQuestion(change)) focusAround(event)
                actor.send({ type: 'change.requested', change })
              }}
            >
              {t(decisionTexts[to].text)}
            </Button>
          ))}
        </div>
      )}
    </li>
  )
}
