import { Autocomplete } from '@base-ui/react/autocomplete'
import { Trash2 } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { formatMoney } from '../../domain/client/money.ts'
import { type ItemFields, lineTotalOf } from '../../domain/client/new-order.ts'
import { matchingProducts, maxLengths } from '../../domain/client/product-fields.ts'
import { amountText, typedCents, typedQuantity } from '../../domain/client/typed-amounts.ts'
import { safeName } from '../../domain/shown-text.ts'
import type { Product } from '../../schemas/product.ts'
import { t } from '../../texts/orders-on-demand.ts'
import { IconButton } from '../components/Button.tsx'
import { Field, FieldLabel, TextInput } from '../components/Field.tsx'
import { focusAround } from '../components/focus-around.ts'
import { useBusiness } from './use-business.ts'

/** The number of products that the list under the field shows. */
const offeredAtOnce = 8

type OrderItemFieldsProps = {
  item: ItemFields
  number: number
  products: readonly Product[]
  onChange: (change: Partial<ItemFields>) => void
  onRemove: () => void
  /** The name has the focus when the item is shown first. */
  hasFocus: boolean
}

/** The fields of one item of a new order. Choosing a product also fills the price. */
export function OrderItemFields({ item, number, products, onChange, onRemove, hasFocus }: OrderItemFieldsProps) {
  const business = useBusiness()
  const total = lineTotalOf(item)
  const problemId = useId()
  const isWrong = (typed: string, value: number | null) => typed.trim() !== '' && value === null
  const isQuantityWrong = isWrong(item.quantity, typedQuantity(item.quantity))
  const isPriceWrong = isWrong(item.price, typedCents(item.price))
  return (
    <fieldset className="grid grid-cols-[1fr_1fr_auto] items-end gap-2 border-line border-b pb-3 sm:grid-cols-[minmax(0,1fr)_5rem_8rem_6.5rem_auto] sm:border-b-0 sm:pb-0">
      <legend className="sr-only">{t('orders.item', { number })}</legend>
      <ProductField item={item} products={products} onChange={onChange} hasFocus={hasFocus} />
      <Field
        label={t('orders.quantity')}
        required
        inputMode="decimal"
        maxLength={12}
        value={item.quantity}
        isInvalid={isQuantityWrong}
        describedBy={isQuantityWrong ? problemId : undefined}
        onChange={({ target }) => onChange({ quantity: target.value })}
      />
      <Field
        label={t('orders.price')}
        required
        inputMode="decimal"
        maxLength={20}
        value={item.price}
        isInvalid={isPriceWrong}
        describedBy={isPriceWrong ? problemId : undefined}
        onChange={({ target }) => onChange({ price: target.value })}
      />
      <p className="flex h-9 items-center justify-end text-right tabular-nums max-sm:order-last max-sm:col-span-3 max-sm:h-auto">
        {total === null ? t('orders.noTotal') : formatMoney(total, business)}
      </p>
      <IconButton
        label={t('orders.removeItem', { number })}
        className="h-9"
        onClick={(event) => {
          focusAround(event)
          onRemove()
        }}
      >
        <Trash2 size={15} aria-hidden="true" />
      </IconButton>
      {(isQuantityWrong || isPriceWrong) && (
        <p id={problemId} className="col-span-full text-bad text-xs max-sm:order-last">
          {[isQuantityWrong && t('orders.quantityWrong'), isPriceWrong && t('orders.amountWrong')]
            .filter(Boolean)
            .join(' ')}
        </p>
      )}
    </fieldset>
  )
}

type ProductFieldProps = Pick<OrderItemFieldsProps, 'item' | 'products' | 'onChange' | 'hasFocus'>

function ProductField({ item, products, onChange, hasFocus }: ProductFieldProps) {
  const id = useId()
  // The list belongs to the dialog. Elsewhere in the page no landmark would contain it.
  const [place, setPlace] = useState<HTMLDivElement | null>(null)
  const business = useBusiness()
  const found = useMemo(() => matchingProducts(products, item.name).slice(0, offeredAtOnce), [products, item.name])
  return (
    <div ref={setPlace} className="grid gap-1 max-sm:col-span-3">
      <FieldLabel htmlFor={id} required>
        {t('orders.itemName')}
      </FieldLabel>
      <Autocomplete.Root
        mode="none"
        items={found}
        itemToStringValue={({ name }: Product) => name}
        value={item.name}
        onValueChange={(name, { reason }) => {
          // Choosing a product sets the name together with the price.
          if (reason === 'input-change' || reason === 'input-clear') onChange({ name })
        }}
      >
        <Autocomplete.Input
          id={id}
          render={<TextInput />}
          autoFocus={hasFocus}
          required
          dir="auto"
          spellCheck={false}
          maxLength={maxLengths.name}
          placeholder={t('orders.itemNameHint')}
        />
        <Autocomplete.Portal container={place}>
          <Autocomplete.Positioner positionMethod="fixed" sideOffset={4} align="start" className="z-60 outline-none">
            <Autocomplete.Popup
              hidden={found.length === 0}
              className="w-(--anchor-width) min-w-64 max-w-[calc(100vw-2rem)] overflow-hidden rounded-ui border border-line bg-panel text-ink shadow-float"
            >
              <Autocomplete.List
                aria-label={t('orders.products')}
                className="max-h-72 overflow-y-auto p-1 outline-none"
              >
                {(product: Product) => (
                  <Autocomplete.Item
                    key={product.id}
                    value={product}
                    onClick={() => onChange({ name: product.name, price: amountText(product.price) })}
                    className="flex min-h-9 cursor-pointer items-center justify-between gap-3 rounded-ui px-2 touch:min-h-11 data-highlighted:bg-accent-soft"
                  >
                    <span className="min-w-0">
                      <bdi className="block truncate">{safeName(product.name)}</bdi>
                      {product.code !== null && (
                        <bdi className="block truncate text-2xs text-ink-2">{safeName(product.code)}</bdi>
                      )}
                    </span>
                    <span className="shrink-0 tabular-nums">{formatMoney(product.price, business)}</span>
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      </Autocomplete.Root>
    </div>
  )
}
