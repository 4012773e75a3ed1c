import { type ReactNode, useId, useRef } from 'react'
import { businessDay } from '../../domain/client/business-day.ts'
import { orderNameOf } from '../../domain/client/client-orders.ts'
import { centsOf, formatMoney } from '../../domain/client/money.ts'
import {
  amountProblem,
  excessOf,
  isDouble,
  offeredAmount,
  offeredOrders,
  type PaymentFields,
  type PaymentSource,
} from '../../domain/client/new-payment.ts'
import { methodTexts, statusText } from '../../domain/client/order-texts.ts'
import { balanceOf } from '../../domain/client/orders.ts'
import { amountText } from '../../domain/client/typed-amounts.ts'
import { recordPayment } from '../../machines/client/record-payment.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { chatOrderLimits, paymentMethods } from '../../schemas/chat-order.ts'
import type { Order } from '../../schemas/order.ts'
import { t } from '../../texts/orders-on-demand.ts'
import { CreationDialog, type FieldsProps } from '../CreationDialog.tsx'
import { Button } from '../components/Button.tsx'
import { Choice } from '../components/Choice.tsx'
import { classNames } from '../components/class-names.ts'
import { embeddable } from '../components/embeddable.ts'
import { Field } from '../components/Field.tsx'
import { useSelector } from '../use-selector.ts'
import { useBusiness } from './use-business.ts'

/** The dialog that records a payment, from the receipt in a message or for an order, with the receipt beside the form. */
export default function RecordPaymentDialog({ actor, title, onDismiss }: DialogProps<'recordPayment'>) {
  const orders = useSelector(actor, recordPayment.selectFacts)
  const source = useSelector(actor, recordPayment.selectInput)
  const refused = useSelector(actor, recordPayment.selectRefused)
  const hasPictures = source.pictures.length > 0
  return (
    <CreationDialog
      actor={actor}
      form={recordPayment}
      title={title}
      onDismiss={onDismiss}
      texts={{
        loading: t('orders.ordersLoading'),
        notLoaded: t('orders.ordersNotLoaded'),
        submit: t('orders.recordPayment'),
      }}
      className={hasPictures ? 'w-170' : 'w-105'}
    >
      {(props) => (
        <div className={classNames('grid items-start gap-4', hasPictures && 'sm:grid-cols-[minmax(0,1fr)_15rem]')}>
          <div className="grid content-start gap-4">
            <PaymentForm {...props} orders={orders} asksAboutDouble={isDouble(props.fields, refused)} />
          </div>
          {hasPictures && <Receipts {...props} source={source} />}
        </div>
      )}
    </CreationDialog>
  )
}

type ReceiptsProps = FieldsProps<PaymentFields> & { source: PaymentSource }

/** The pictures beside the form. Of several, the person chooses the receipt; for an order there may be none. */
function Receipts({ fields, saving, onChange, source: { orderId, pictures } }: ReceiptsProps) {
  const group = useId()
  const isOptional = orderId !== null
  const shown = pictures.map(({ messageId, place, url, name }) => (
    <img
      key={`${messageId} ${place}`}
      src={embeddable(url) ?? undefined}
      alt={`${t('orders.receipt')}: ${name}`}
      referrerPolicy="no-referrer"
      className={classNames(
        'w-full rounded-ui border border-line bg-sunken object-contain',
        isOptional ? 'max-h-40' : 'max-h-88 max-sm:max-h-52',
      )}
    />
  ))
  if (pictures.length < 2 && !isOptional) return <div className="grid gap-2 max-sm:order-first">{shown}</div>
  const choice = (receipt: number | null, text: string) => (
    <ReceiptChoice
      key={receipt}
      group={group}
      text={text}
      isChosen={fields.receipt === receipt}
      onChoose={() => onChange({ receipt })}
    >
      {receipt !== null && shown[receipt]}
    </ReceiptChoice>
  )
  return (
    <fieldset className={classNames('grid gap-2', !isOptional && 'max-sm:order-first')} disabled={saving}>
      <legend className="mb-1.5 text-ink-2 text-xs">{t('orders.chooseReceipt')}</legend>
      {isOptional && choice(null, t('orders.noReceipt'))}
      {pictures.map((_, index) =>
        choice(index, t('orders.pictureNumber', { number: index + 1, count: pictures.length })),
      )}
    </fieldset>
  )
}

type ReceiptChoiceProps = { group: string; text: string; isChosen: boolean; onChoose: () => void; children: ReactNode }

function ReceiptChoice({ group, text, isChosen, onChoose, children }: ReceiptChoiceProps) {
  return (
    <label className="grid cursor-pointer gap-1.5 rounded-ui border border-line p-2 has-checked:border-accent has-checked:bg-sunken">
      <span className="flex min-h-8 items-center gap-2 touch:min-h-11">
        <input
          type="radio"
          name={group}
          className="size-4 shrink-0 accent-accent"
          checked={isChosen}
          onChange={onChoose}
        />
        {text}
      </span>
      {children}
    </label>
  )
}

type PaymentFormProps = FieldsProps<PaymentFields> & { orders: readonly Order[]; asksAboutDouble: boolean }

function PaymentForm({ fields, saving, onChange, orders, asksAboutDouble }: PaymentFormProps) {
  const business = useBusiness()
  const amount = useRef<HTMLInputElement>(null)
  const offered = offeredOrders(orders)
  const toPay = offeredAmount(fields, orders)
  const excess = excessOf(fields, orders)
  const excessId = useId()
  const orderText = (id: string): string => {
    const order = offered.find((one) => one.id === id)
    if (order === undefined) return t('orders.paymentNeedsOrder')
    const balance = balanceOf(order)
    const values = {
      order: `${orderNameOf(order)}, ${businessDay(order.created_at, business)}`,
      total: formatMoney(centsOf(order.total_amount), business),
    }
    return balance > 0
      ? t('orders.paymentOrderOption', { ...values, balance: formatMoney(balance, business) })
      : t('orders.paymentOrderSettled', { ...values, status: statusText(order.status) })
  }
  return (
    <>
      <Choice
        label={t('orders.paymentOrder')}
        value={fields.orderId ?? ''}
        options={offered.length === 0 ? [''] : offered.map(({ id }) => id)}
        textOf={orderText}
        disabled={saving || offered.length === 0}
        onChoose={(orderId) => onChange({ orderId })}
      />
      <div className="grid gap-1.5">
        <Field
          ref={amount}
          label={`${t('orders.amount')} (${business.currency})`}
          required
          inputMode="decimal"
          maxLength={20}
          readOnly={saving}
          value={fields.amount}
          error={amountProblem(fields)}
          describedBy={excess === null ? undefined : excessId}
          onChange={({ target }) => onChange({ amount: target.value })}
        />
        <p id={excessId} role="status" className="text-warn text-xs empty:hidden">
          {excess !== null && t('orders.moreThanBalance', { amount: formatMoney(excess, business) })}
        </p>
        {toPay !== null && (
          <Button
            className="justify-self-start"
            disabled={saving}
            onClick={() => {
              // The press removes the button.
              amount.current?.focus()
              onChange({ amount: amountText(toPay) })
            }}
          >
            {t('orders.useBalance', { amount: formatMoney(toPay, business) })}
          </Button>
        )}
      </div>
      <Choice
        label={t('orders.method')}
        value={fields.method}
        options={paymentMethods}
        textOf={(method) => t(methodTexts[method])}
        disabled={saving}
        onChoose={(method) => onChange({ method, acceptsDouble: false })}
      />
      <Field
        label={t('orders.reference')}
        spellCheck={false}
        maxLength={chatOrderLimits.reference}
        readOnly={saving}
        value={fields.reference}
        onChange={({ target }) => onChange({ reference: target.value, acceptsDouble: false })}
      />
      {asksAboutDouble && (
        <label className="flex min-h-8 cursor-pointer items-center gap-2 touch:min-h-11">
          <input
            type="checkbox"
            className="size-4 shrink-0 accent-accent"
            checked={fields.acceptsDouble}
            disabled={saving}
            onChange={({ target }) => onChange({ acceptsDouble: target.checked })}
          />
          {t('orders.acceptDouble')}
        </label>
      )}
    </>
  )
}
