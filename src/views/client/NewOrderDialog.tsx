import { Plus } from 'lucide-react'
import { useState } from 'react'
import { formatMoney } from '../../domain/client/money.ts'
import {
  amountsOf,
  type OrderFields,
  type OrderSource,
  offeredSources,
  withNewItem,
  withoutItem,
} from '../../domain/client/new-order.ts'
import { typedCents } from '../../domain/client/typed-amounts.ts'
import { dateAndTime } from '../../domain/moments.ts'
import { safeText } from '../../domain/shown-text.ts'
import { newOrder } from '../../machines/client/new-order.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import type { Product } from '../../schemas/product.ts'
import { t } from '../../texts/orders-on-demand.ts'
import { CreationDialog, type FieldsProps } from '../CreationDialog.tsx'
import { Button } from '../components/Button.tsx'
import { Choice } from '../components/Choice.tsx'
import { Field } from '../components/Field.tsx'
import { useSelector } from '../use-selector.ts'
import { OrderItemFields } from './OrderItemFields.tsx'
import { useBusiness } from './use-business.ts'

/** The dialog of a new order of the linked client. */
export default function NewOrderDialog({ actor, title, onDismiss }: DialogProps<'newOrder'>) {
  const products = useSelector(actor, newOrder.selectFacts)
  const { sources } = useSelector(actor, newOrder.selectInput)
  return (
    <CreationDialog
      actor={actor}
      form={newOrder}
      title={title}
      onDismiss={onDismiss}
      texts={{
        loading: t('orders.productsLoading'),
        notLoaded: t('orders.productsNotLoaded'),
        submit: t('orders.make'),
      }}
      className="w-180"
    >
      {(props) => (
        <>
          <Items {...props} products={products} />
          <Amounts {...props} />
          {sources.length > 0 && <Source {...props} sources={sources} />}
        </>
      )}
    </CreationDialog>
  )
}

function Items({
  fields: { items },
  saving,
  onChange,
  products,
}: FieldsProps<OrderFields> & { products: readonly Product[] }) {
  /** The key of the item that was added last. */
  const [added, setAdded] = useState<number | null>(null)
  const add = () => {
    const all = withNewItem(items)
    setAdded(all.at(-1)?.key ?? null)
    onChange({ items: all })
  }
  return (
    // Takes the focus when an item is removed.
    <fieldset tabIndex={-1} className="grid gap-3" disabled={saving}>
      <legend className="mb-2 font-semibold">{t('orders.items')}</legend>
      {items.map((item, index) => (
        <OrderItemFields
          key={item.key}
          item={item}
          number={index + 1}
          products={products}
          hasFocus={item.key === added}
          onChange={(change) =>
            onChange({ items: items.map((one) => (one.key === item.key ? { ...one, ...change } : one)) })
          }
          onRemove={() => onChange({ items: withoutItem(items, item.key) })}
        />
      ))}
      <Button className="justify-self-start" onClick={add}>
        <Plus size={15} aria-hidden="true" />
        {t('orders.addItem')}
      </Button>
    </fieldset>
  )
}

function Amounts({ fields, saving, onChange }: FieldsProps<OrderFields>) {
  const business = useBusiness()
  const amounts = amountsOf(fields)
  const money = (cents: number | undefined) =>
    cents === undefined ? t('orders.noTotal') : formatMoney(cents, business)
  const problem = (text: string) => (typedCents(text) === null ? t('orders.amountWrong') : null)
  const isTooHigh = amounts !== null && (typedCents(fields.discount) ?? 0) > amounts.items
  return (
    <div className="grid items-start gap-4 sm:grid-cols-[1fr_1fr_14rem]">
      <Field
        label={t('orders.discount')}
        inputMode="decimal"
        maxLength={20}
        readOnly={saving}
        value={fields.discount}
        error={isTooHigh ? t('orders.discountTooHigh') : problem(fields.discount)}
        onChange={({ target }) => onChange({ discount: target.value })}
      />
      <Field
        label={t('orders.deliveryFee')}
        inputMode="decimal"
        maxLength={20}
        readOnly={saving}
        value={fields.deliveryFee}
        error={problem(fields.deliveryFee)}
        onChange={({ target }) => onChange({ deliveryFee: target.value })}
      />
      <dl
        aria-live="polite"
        className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-1 rounded-ui bg-sunken px-3 py-2 tabular-nums"
      >
        <dt className="text-ink-2">{t('orders.sum')}</dt>
        <dd className="text-right">{money(amounts?.items)}</dd>
        <dt className="font-semibold">{t('orders.total')}</dt>
        <dd className="text-right font-semibold">{money(amounts?.total)}</dd>
      </dl>
    </div>
  )
}

function Source({ fields, saving, onChange, sources }: FieldsProps<OrderFields> & { sources: readonly OrderSource[] }) {
  const offered = offeredSources(sources)
  const idOf = (messageId: string, attachment: number | null) => `${messageId} ${attachment ?? ''}`
  const find = (id: string) => offered.find(({ source, attachment }) => idOf(source.id, attachment) === id)
  const textOf = (id: string): string => {
    const found = find(id)
    if (found === undefined) return t('orders.noSource')
    const { source, attachment } = found
    const text = source.text === null ? t('orders.picture') : safeText(source.text)
    const shown = t('orders.sourceOption', { time: dateAndTime(source.sentAt), text })
    if (attachment === null) return shown
    const number = source.pictures.indexOf(attachment) + 1
    return `${shown} (${t('orders.pictureNumber', { number, count: source.pictures.length })})`
  }
  return (
    <Choice
      label={t('orders.source')}
      value={fields.messageId === null ? '' : idOf(fields.messageId, fields.attachment)}
      options={['', ...offered.map(({ source, attachment }) => idOf(source.id, attachment))]}
      textOf={textOf}
      disabled={saving}
      onChoose={(id) => {
        const found = find(id)
        onChange({ messageId: found?.source.id ?? null, attachment: found?.attachment ?? null })
      }}
    />
  )
}
