import { type RefObject, useRef } from 'react'
import { businessDay } from '../../domain/client/business-day.ts'
import type { OrderChange } from '../../domain/client/chat-order-calls.ts'
import { orderNameOf } from '../../domain/client/client-orders.ts'
import { centsOf, formatMoney } from '../../domain/client/money.ts'
import { needsQuestion, nextOrderStatuses } from '../../domain/client/order-steps.ts'
import { isUsualStep, statusText, stepTexts } from '../../domain/client/order-texts.ts'
import { balanceOf, isCancelled, overpaidOf, paidOf } from '../../domain/client/orders.ts'
import { safeName } from '../../domain/shown-text.ts'
import {
  type OrderActor,
  selectAskedAbout,
  selectHasFailed,
  selectIsChanging,
  selectOrder,
} from '../../machines/client/order.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import type { OrderDetails } from '../../schemas/chat-order.ts'
import { t } from '../../texts/orders-on-demand.ts'
import { Badge } from '../components/Badge.tsx'
import { Button } from '../components/Button.tsx'
import { ConfirmDialog } from '../components/ConfirmDialog.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { focusAround } from '../components/focus-around.ts'
import { NotLoaded } from '../components/TryAgain.tsx'
import { useMay } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'
import { LinkedMessage } from './LinkedMessage.tsx'
import { OrderPayments } from './OrderPayments.tsx'
import { useBusiness } from './use-business.ts'

/** The dialog of an order: its items, its payments, and the steps that each may take. */
export default function OrderDialog({ actor, title, onDismiss }: DialogProps<'order'>) {
  const order = useSelector(actor, selectOrder)
  const hasFailed = useSelector(actor, selectHasFailed)
  const askedAbout = useSelector(actor, selectAskedAbout)
  const parts = useRef<HTMLElement>(null)
  return (
    <DialogFrame
      title={order === null ? title : `${title} ${orderNameOf(order)}`}
      onDismiss={onDismiss}
      className="w-160 max-w-full max-sm:h-full max-sm:w-full max-sm:rounded-none max-sm:border-0"
    >
      {order !== null ? (
        // The scrolled part takes the focus, so that the keyboard can scroll it.
        <section
          ref={parts}
          aria-label={title}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          tabIndex={0}
          className="scroller grid min-h-0 flex-1 content-start gap-5 px-4 py-3"
        >
          <Head order={order} actor={actor} />
          <Items order={order} onDismiss={onDismiss} />
          <OrderPayments order={order} actor={actor} onDismiss={onDismiss} />
        </section>
      ) : hasFailed ? (
        <NotLoaded text={t('orders.orderNotLoaded')} onRetry={() => actor.send({ type: 'refetch.requested' })} />
      ) : (
        <p role="status" className="px-4 py-8 text-center text-ink-2">
          {t('orders.orderLoading')}
        </p>
      )}
      {askedAbout !== null && order !== null && (
        <Question order={order} actor={actor} change={askedAbout} focusAfter={parts} />
      )}
    </DialogFrame>
  )
}

type PartProps = { order: OrderDetails; actor: OrderActor }

type QuestionProps = PartProps & { change: OrderChange; focusAfter: RefObject<HTMLElement | null> }

/** Whether to cancel or reject the order, or to reject one of its payments. */
function Question({ order, actor, change, focusAfter }: QuestionProps) {
  const business = useBusiness()
  const events = {
    focusAfter,
    onConfirm: () => actor.send({ type: 'change.confirmed' }),
    onCancel: () => actor.send({ type: 'change.refused' }),
  }
  if (change.kind === 'order') {
    const isRejected = change.to === 'rejected'
    const action = t(isRejected ? 'orders.rejectOrder' : 'orders.step.cancelled')
    return (
      <ConfirmDialog
        title={action}
        question={t(isRejected ? 'orders.rejectOrderQuestion' : 'orders.cancelQuestion', { order: orderNameOf(order) })}
        confirm={action}
        refuse={t('orders.keepOrder')}
        {...events}
      />
    )
  }
  const payment = order.payments.find(({ id }) => id === change.paymentId)
  if (payment === undefined) return null
  const question = t(payment.reference === null ? 'orders.rejectQuestion' : 'orders.rejectQuestionReference', {
    amount: formatMoney(centsOf(payment.amount), business),
  })
  return (
    <ConfirmDialog
      title={t('orders.rejectPayment')}
      question={question}
      confirm={t('orders.rejectPayment')}
      {...events}
    />
  )
}

function Head({ order, actor }: PartProps) {
  const business = useBusiness()
  const mayManage = useMay('orders.manage')
  const changing = useSelector(actor, selectIsChanging)
  const date = businessDay(order.created_at, business)
  const name = safeName(order.created_by_name ?? '')
  const steps = mayManage ? nextOrderStatuses(order) : []
  return (
    <div className="grid gap-2">
      <p className="flex flex-wrap items-center gap-2 text-ink-2">
        <Badge tone={isCancelled(order) ? 'bad' : order.status === 'completed' ? 'ok' : 'neutral'}>
          {statusText(order.status)}
        </Badge>
        {name === '' ? t('orders.madeOn', { date }) : t('orders.madeBy', { name, date })}
      </p>
      {steps.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {steps.map((to) => (
            <Button
              key={to}
              variant={isUsualStep(to) ? 'outline' : 'ghost'}
              disabled={changing}
              onClick={(event) => {
                const change: OrderChange = { kind: 'order', from: order.status ?? '', to }
                // A question gives the focus back by itself.
                if (!needsQuestion(change)) focusAround(event)
                actor.send({ type: 'change.requested', change })
              }}
            >
              {t(stepTexts[to])}
            </Button>
          ))}
        </div>
      )}
      {order.is_imported && <p className="text-ink-2">{t('orders.imported')}</p>}
    </div>
  )
}

function Items({ order, onDismiss }: { order: OrderDetails; onDismiss: () => void }) {
  const business = useBusiness()
  const money = (amount: number) => formatMoney(centsOf(amount), business)
  const [paid, balance, overpaid] = [paidOf(order), balanceOf(order), overpaidOf(order)]
  const lines = [
    ...(order.discount ? [{ label: t('orders.discount'), amount: `−${money(order.discount)}` }] : []),
    ...(order.delivery_fee ? [{ label: t('orders.deliveryFee'), amount: money(order.delivery_fee) }] : []),
    { label: t('orders.total'), amount: money(order.total_amount), isStrong: true },
    ...(paid === 0 ? [] : [{ label: t('orders.paid'), amount: formatMoney(paid, business) }]),
    ...(overpaid === 0 ? [] : [{ label: t('orders.overpaid'), amount: formatMoney(overpaid, business) }]),
    ...(isCancelled(order)
      ? []
      : [{ label: t('orders.balance'), amount: formatMoney(balance, business), isStrong: true }]),
  ]
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold text-ink-2 text-xs">{t('orders.items')}</h3>
      <ul>
        {(order.items ?? []).map((item, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: the items of an order have no ids and keep their order
            key={index}
            className="flex items-baseline justify-between gap-3 border-line border-t py-1.5"
          >
            <span dir="auto" className="min-w-0 [overflow-wrap:anywhere]">
              {safeName(item.name ?? '')}
            </span>
            <span className="shrink-0 text-ink-2 tabular-nums">
              {item.unit_price == null
                ? item.quantity
                : t('orders.quantityTimes', { quantity: String(item.quantity ?? 1), price: money(item.unit_price) })}
            </span>
          </li>
        ))}
      </ul>
      <dl className="grid gap-1 border-line border-t pt-1.5 tabular-nums">
        {lines.map(({ label, amount, isStrong }) => (
          <div
            key={label}
            className={isStrong ? 'flex justify-between font-semibold' : 'flex justify-between text-ink-2'}
          >
            <dt>{label}</dt>
            <dd>{amount}</dd>
          </div>
        ))}
      </dl>
      <LinkedMessage
        order={order}
        id={order.message_id}
        attachment={order.attachment}
        caption={t('orders.source')}
        onDismiss={onDismiss}
      />
    </section>
  )
}
