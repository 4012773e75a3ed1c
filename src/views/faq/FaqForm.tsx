import { useId } from 'react'
import type { ActorRefFrom } from 'xstate'
import { priorityRange } from '../../domain/faq/faq-fields.ts'
import { fitsInMessage } from '../../domain/send/text-limit.ts'
import { offers } from '../../domain/session/features.ts'
import { safeName } from '../../domain/shown-text.ts'
import { type FaqActor, selectCategories } from '../../machines/faq/faq.ts'
import {
  type faqFormMachine,
  selectBlockedReason,
  selectConflicts,
  selectKeywordProblem,
  selectPriorityProblem,
} from '../../machines/faq/faq-form.ts'
import { selectMayAddKeyword } from '../../machines/keyword-fields.ts'
import { faqLimits } from '../../schemas/faq.ts'
import { t } from '../../texts/faq-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { Field, FieldLabel } from '../components/Field.tsx'
import { FormFrame } from '../components/FormFrame.tsx'
import { KeywordField } from '../components/KeywordField.tsx'
import { Select } from '../components/Select.tsx'
import { UnfilledVariable } from '../components/UnfilledVariable.tsx'
import { useUser } from '../use-inbox.ts'
import { useItemForm } from '../use-item-form.ts'
import { useSelector } from '../use-selector.ts'
import { FaqConflicts } from './FaqConflicts.tsx'
import { PagesField } from './FaqPages.tsx'

/** The form for a new or existing FAQ entry (spec section 5). */
export function FaqForm({ actor, faq }: { actor: ActorRefFrom<typeof faqFormMachine>; faq: FaqActor }) {
  const { fields, change, isNew, isSaving: saving, frame } = useItemForm(actor)
  const priorityProblem = useSelector(actor, selectPriorityProblem)
  const blockedReason = useSelector(actor, selectBlockedReason)
  const problem = useSelector(actor, selectKeywordProblem)
  const conflicts = useSelector(actor, selectConflicts)
  const offersMore = offers(useUser(), 'faq-matching')
  const mayAdd = useSelector(actor, selectMayAddKeyword)
  return (
    <FormFrame
      {...frame}
      heading={isNew ? t('faq.addFaq') : t('faq.editFaq')}
      blockedReason={blockedReason}
      submit={saving ? t('shared.saving') : isNew ? t('faq.addFaq') : t('faq.updateFaq')}
    >
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_14rem]">
        <Field
          label={t('faq.title')}
          required
          autoComplete="off"
          maxLength={faqLimits.title}
          readOnly={saving}
          value={fields.title}
          onChange={({ target }) => change({ title: target.value })}
        />
        <CategoryField
          faq={faq}
          value={fields.categoryId}
          disabled={saving}
          onChange={(categoryId) => change({ categoryId })}
        />
      </div>
      <KeywordField
        fields={fields}
        problem={problem}
        mayAdd={mayAdd}
        maxLength={faqLimits.keyword * faqLimits.keywords}
        readOnly={saving}
        required
        texts={{
          label: t('faq.keywords'),
          hint: t('faq.keywordHint'),
          advice: t(offersMore ? 'faq.keywordAdviceSimilar' : 'faq.keywordAdvice'),
          add: t('faq.add'),
          added: t('faq.addedKeywords'),
          remove: (keyword) => t('faq.removeKeyword', { keyword }),
        }}
        onType={(keyword) => change({ keyword })}
        onEvent={actor.send}
      />
      {offersMore && <FaqConflicts conflicts={conflicts} />}
      {offersMore && <PagesField fields={fields} disabled={saving} onChange={change} />}
      <ResponseField value={fields.response} readOnly={saving} onChange={(response) => change({ response })} />
      <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
        <div className="w-76 max-w-full">
          <Field
            label={t('faq.priorityField', { least: priorityRange.least, most: priorityRange.most })}
            type="number"
            inputMode="numeric"
            min={priorityRange.least}
            max={priorityRange.most}
            step={1}
            readOnly={saving}
            value={fields.priority}
            error={priorityProblem}
            onChange={({ target }) => change({ priority: target.value })}
          />
        </div>
        <label className="flex h-9 cursor-pointer items-center gap-2 touch:min-h-11">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={fields.isActive}
            disabled={saving}
            onChange={({ target }) => change({ isActive: target.checked })}
          />
          {t('shared.active')}
        </label>
      </div>
    </FormFrame>
  )
}

type CategoryFieldProps = { faq: FaqActor; value: string; disabled: boolean; onChange: (categoryId: string) => void }

function CategoryField({ faq, value, disabled, onChange }: CategoryFieldProps) {
  const categories = useSelector(faq, selectCategories)
  const id = useId()
  return (
    <div className="grid content-start gap-1">
      <FieldLabel htmlFor={id} required>
        {t('faq.category')}
      </FieldLabel>
      <Select
        id={id}
        required
        className="h-9 w-full border-edge!"
        value={value}
        disabled={disabled}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">{t('faq.selectCategory')}</option>
        {categories?.map((category) => (
          <option key={category.id} value={category.id}>
            {safeName(category.name)}
          </option>
        ))}
      </Select>
      {categories === null && (
        <Button className="justify-self-start" onClick={() => faq.send({ type: 'refetch.requested' })}>
          {t('faq.loadCategories')}
        </Button>
      )}
    </div>
  )
}

type ResponseFieldProps = { value: string; readOnly: boolean; onChange: (response: string) => void }

function ResponseField({ value, readOnly, onChange }: ResponseFieldProps) {
  const id = useId()
  return (
    <div className="grid gap-1">
      <FieldLabel htmlFor={id} required>
        {t('faq.response')}
      </FieldLabel>
      <textarea
        id={id}
        required
        dir="auto"
        rows={6}
        maxLength={faqLimits.response}
        readOnly={readOnly}
        aria-describedby={`${id}-hint`}
        className="min-h-24 w-full resize-y rounded-ui border border-edge bg-panel px-3 py-2 text-ink"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <p id={`${id}-hint`} className="text-2xs text-ink-3">
        {t('faq.userNameHint')}
        <UnfilledVariable text={value} />
        {!fitsInMessage(value, 'instagram') && <span className="block text-warn">{t('faq.tooLongForInstagram')}</span>}
      </p>
    </div>
  )
}
