import { Plus, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { amountText, typedCents } from '../../domain/client/typed-amounts.ts'
import { newSaleItem, withSaleItem } from '../../domain/comments/live-sale.ts'
import { safeName } from '../../domain/shown-text.ts'
import { liveSale } from '../../machines/comments/live-sale.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { type LiveSale, liveSaleLimits, type SaleItem } from '../../schemas/live-sale.ts'
import { productLimits } from '../../schemas/product.ts'
import { t } from '../../texts/comments-on-demand.ts'
import { Button, IconButton } from '../components/Button.tsx'
import { Field, FieldLabel, TextInput } from '../components/Field.tsx'
import { Select } from '../components/Select.tsx'
import { Check, SettingsDialog } from '../SettingsDialog.tsx'
import { useSelector } from '../use-selector.ts'

/** The sale by comments: its post, its keyword and its products by number. */
export default function LiveSaleDialog(props: DialogProps<'liveSale'>) {
  const { posts } = useSelector(props.actor, liveSale.selectFacts)
  const [post, items] = [useId(), useRef<HTMLFieldSetElement>(null)]
  return (
    <SettingsDialog
      {...props}
      form={liveSale}
      texts={{
        loading: t('comments.saleLoading'),
        failed: t('comments.saleNotLoaded'),
        overtaken: t('comments.saleOvertaken'),
        save: t('comments.saleSave'),
      }}
      className="w-160"
    >
      {(sale, saving) => {
        const edit = (change: Partial<LiveSale>) =>
          props.actor.send({ type: 'settings.edited', settings: { ...sale, ...change } })
        const isListed = sale.post_id === null || posts.some(({ id }) => id === sale.post_id)
        return (
          <fieldset ref={items} disabled={saving} className="grid gap-4 p-4">
            <p className="text-ink-2 text-xs">{t('comments.saleAbout')}</p>
            <Check isChecked={sale.is_on} label={t('comments.saleOn')} onChange={(is_on) => edit({ is_on })} />
            <div className="grid gap-1">
              <FieldLabel htmlFor={post}>{t('comments.salePost')}</FieldLabel>
              <Select
                id={post}
                value={sale.post_id ?? ''}
                onChange={({ target }) => edit({ post_id: target.value || null })}
              >
                <option value="">{t('comments.saleAnyLive')}</option>
                {posts.map(({ id, message }) => (
                  <option key={id} value={id}>
                    {safeName(message ?? '') || t('comments.noPostText')}
                  </option>
                ))}
                {!isListed && <option value={sale.post_id ?? ''}>{t('comments.saleOtherPost')}</option>}
              </Select>
            </div>
            <Field
              label={t('comments.saleKeyword')}
              value={sale.keyword}
              maxLength={liveSaleLimits.keyword}
              autoComplete="off"
              onChange={({ target }) => edit({ keyword: target.value })}
            />
            {sale.items.map((item, at) => (
              <Item
                // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no ids; a new or removed one shows all of them anew
                key={`${sale.items.length} ${at}`}
                item={item}
                onChange={(change) =>
                  props.actor.send({ type: 'settings.edited', settings: withSaleItem(sale, at, change) })
                }
                onRemove={() => {
                  edit({ items: sale.items.filter((_, index) => index !== at) })
                  items.current?.querySelector<HTMLButtonElement>('[data-add]')?.focus()
                }}
              />
            ))}
            <Button
              data-add=""
              className="justify-self-start"
              disabled={sale.items.length >= liveSaleLimits.items}
              onClick={() => edit({ items: [...sale.items, newSaleItem(sale)] })}
            >
              <Plus size={15} aria-hidden="true" />
              {t('comments.saleAdd')}
            </Button>
          </fieldset>
        )
      }}
    </SettingsDialog>
  )
}

type ItemProps = { item: SaleItem; onChange: (change: Partial<SaleItem>) => void; onRemove: () => void }

const wholeIn = (text: string): number => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN)

/** One product of the sale. What is typed as a price stays as it was typed. */
function Item({ item: { number, name, price, stock }, onChange, onRemove }: ItemProps) {
  const id = useId()
  const [priceText, setPriceText] = useState(Number.isNaN(price) ? '' : amountText(price))
  const shownNumber = Number.isNaN(number) ? '' : String(number)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset inside a fieldset would be announced with both names
    <div
      role="group"
      aria-label={t('comments.saleItem', { number: shownNumber })}
      className="grid grid-cols-[6.5rem_minmax(0,1fr)_auto] gap-2 rounded-ui border border-line p-3 sm:grid-cols-[4.5rem_minmax(0,1fr)_7rem_6rem_auto]"
    >
      <div className="grid content-start gap-1">
        <FieldLabel htmlFor={`${id}-number`}>{t('comments.saleItemNumber')}</FieldLabel>
        <TextInput
          id={`${id}-number`}
          inputMode="numeric"
          defaultValue={shownNumber}
          onChange={({ target }) => onChange({ number: wholeIn(target.value) })}
        />
      </div>
      <div className="grid content-start gap-1">
        <FieldLabel htmlFor={`${id}-name`}>{t('comments.saleItemName')}</FieldLabel>
        <TextInput
          id={`${id}-name`}
          dir="auto"
          maxLength={productLimits.name}
          value={name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      </div>
      <IconButton
        label={t('comments.saleRemove', { number: shownNumber })}
        className="self-end sm:order-last"
        onClick={onRemove}
      >
        <X size={15} aria-hidden="true" />
      </IconButton>
      <div className="grid content-start gap-1 max-sm:col-start-1">
        <FieldLabel htmlFor={`${id}-price`}>{t('comments.saleItemPrice')}</FieldLabel>
        <TextInput
          id={`${id}-price`}
          inputMode="decimal"
          value={priceText}
          onChange={({ target }) => {
            setPriceText(target.value)
            onChange({ price: target.value.trim() === '' ? Number.NaN : (typedCents(target.value) ?? Number.NaN) })
          }}
        />
      </div>
      <div className="grid content-start gap-1">
        <FieldLabel htmlFor={`${id}-stock`}>{t('comments.saleItemStock')}</FieldLabel>
        <TextInput
          id={`${id}-stock`}
          inputMode="numeric"
          placeholder={t('comments.saleNoLimit')}
          defaultValue={stock === null ? '' : String(stock)}
          onChange={({ target }) => {
            const typed = wholeIn(target.value)
            onChange({ stock: Number.isNaN(typed) ? null : typed })
          }}
        />
      </div>
    </div>
  )
}
