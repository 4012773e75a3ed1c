import type { ActorRefFrom } from 'xstate'
import { maxLengths } from '../../domain/client/product-fields.ts'
import {
  type productFormMachine,
  selectBlockedReason,
  selectCodeProblem,
  selectLinkProblem,
  selectPictureProblem,
  selectPriceProblem,
} from '../../machines/client/product-form.ts'
import { t } from '../../texts/orders-on-demand.ts'
import { Field } from '../components/Field.tsx'
import { FormFrame } from '../components/FormFrame.tsx'
import { useItemForm } from '../use-item-form.ts'
import { useSelector } from '../use-selector.ts'
import { useBusiness } from './use-business.ts'

/** The form of a product. */
export function ProductForm({ actor }: { actor: ActorRefFrom<typeof productFormMachine> }) {
  const { fields, change, isNew, isSaving: saving, frame } = useItemForm(actor)
  const { currency } = useBusiness()
  const codeProblem = useSelector(actor, selectCodeProblem)
  const priceProblem = useSelector(actor, selectPriceProblem)
  const pictureProblem = useSelector(actor, selectPictureProblem)
  const linkProblem = useSelector(actor, selectLinkProblem)
  const blockedReason = useSelector(actor, selectBlockedReason)
  return (
    <FormFrame
      {...frame}
      heading={t(isNew ? 'orders.productAddTitle' : 'orders.productEditTitle')}
      blockedReason={blockedReason}
      submit={saving ? t('shared.saving') : t(isNew ? 'orders.productAdd' : 'orders.productUpdate')}
    >
      <Field
        label={t('orders.productName')}
        required
        dir="auto"
        maxLength={maxLengths.name}
        readOnly={saving}
        value={fields.name}
        onChange={({ target }) => change({ name: target.value })}
      />
      <div className="grid grid-cols-2 items-start gap-4">
        <Field
          label={`${t('orders.productPrice')} (${currency})`}
          required
          inputMode="decimal"
          maxLength={20}
          readOnly={saving}
          value={fields.price}
          error={priceProblem}
          onChange={({ target }) => change({ price: target.value })}
        />
        <Field
          label={t('orders.productCode')}
          spellCheck={false}
          maxLength={maxLengths.code}
          readOnly={saving}
          value={fields.code}
          error={codeProblem}
          onChange={({ target }) => change({ code: target.value })}
        />
      </div>
      <Field
        label={t('orders.productPicture')}
        type="url"
        spellCheck={false}
        maxLength={maxLengths.address}
        readOnly={saving}
        value={fields.picture}
        error={pictureProblem}
        onChange={({ target }) => change({ picture: target.value })}
      />
      <Field
        label={t('orders.productLink')}
        type="url"
        spellCheck={false}
        maxLength={maxLengths.address}
        readOnly={saving}
        value={fields.link}
        error={linkProblem}
        onChange={({ target }) => change({ link: target.value })}
      />
      <label className="flex min-h-8 w-fit cursor-pointer items-center gap-2 touch:min-h-11">
        <input
          type="checkbox"
          className="size-4 shrink-0 accent-accent"
          checked={fields.isActive}
          disabled={saving}
          onChange={({ target }) => change({ isActive: target.checked })}
        />
        {t('orders.productIsActive')}
      </label>
    </FormFrame>
  )
}
