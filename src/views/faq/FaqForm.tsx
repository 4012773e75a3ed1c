import { useEffect, useId, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import { type FaqFields, priorityRange } from '../../domain/faq/faq-fields.ts'
import { fitsInMessage } from '../../domain/send/text-limit.ts'
import { safeName } from '../../domain/shown-text.ts'
import { type FaqActor, selectCategories } from '../../machines/faq/faq.ts'
import {
  type faqFormMachine,
  selectAsksToDiscard,
  selectBlockedReason,
  selectError,
  selectFields,
  selectIsNew,
  selectIsSaving,
  selectPriorityProblem,
} from '../../machines/faq/faq-form.ts'
import { faqLimits } from '../../schemas/faq.ts'
import { t } from '../../texts/faq-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { DiscardDialog } from '../components/DiscardDialog.tsx'
import { Field, FieldLabel, NeededNote, Select } from '../components/Field.tsx'
import { SubmitButton } from '../components/SubmitButton.tsx'
import { useSelector } from '../use-selector.ts'
import { KeywordField } from './KeywordField.tsx'

/** The form for a new or existing FAQ entry (spec section 5). */
export function FaqForm({ actor, faq }: { actor: ActorRefFrom<typeof faqFormMachine>; faq: FaqActor }) {
  const fields = useSelector(actor, selectFields)
  const error = useSelector(actor, selectError)
  const isNew = useSelector(actor, selectIsNew)
  const saving = useSelector(actor, selectIsSaving)
  const priorityProblem = useSelector(actor, selectPriorityProblem)
  const blockedReason = useSelector(actor, selectBlockedReason)
  const asksToDiscard = useSelector(actor, selectAsksToDiscard)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const heading = useId()
  const change = (changed: Partial<FaqFields>) => actor.send({ type: 'fields.typed', change: changed })
  const action = isNew ? t('faq.addFaq') : t('faq.updateFaq')
  return (
    <form
      ref={form}
      noValidate
      aria-labelledby={heading}
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        actor.send({ type: 'form.submitted' })
      }}
    >
      <div className="scroller grid min-h-0 flex-1 content-start gap-4 px-4 py-3">
        <h3 id={heading} className="font-semibold">
          {isNew ? t('faq.addFaq') : t('faq.editFaq')}
        </h3>
        {error !== null && (
          <p role="alert" className="rounded-ui bg-bad-soft px-3 py-2 text-bad">
            {error}
          </p>
        )}
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
        <KeywordField actor={actor} readOnly={saving} />
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
      </div>
      <footer className="flex shrink-0 items-center justify-end gap-2 border-line border-t px-4 py-3">
        <NeededNote />
        <Button disabled={saving} onClick={() => actor.send({ type: 'form.cancelled' })}>
          {t('shared.cancel')}
        </Button>
        <SubmitButton busy={saving} blockedReason={blockedReason}>
          {saving ? t('shared.saving') : action}
        </SubmitButton>
      </footer>
      {asksToDiscard && <DiscardDialog actor={actor} />}
    </form>
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
        {!fitsInMessage(value, 'instagram') && <span className="block text-warn">{t('faq.tooLongForInstagram')}</span>}
      </p>
    </div>
  )
}
