import { X } from 'lucide-react'
import { useId, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import { safeName } from '../../domain/shown-text.ts'
import { selectFields } from '../../machines/item-forms.ts'
import {
  type labelFormMachine,
  selectBlockedReason,
  selectKeywordProblem,
  selectMayAddKeyword,
} from '../../machines/list/label-form.ts'
import { labelColours } from '../../schemas/label.ts'
import { labelLimits } from '../../schemas/labels-of-row.ts'
import { t } from '../../texts/list-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { Field, FieldLabel, TextInput } from '../components/Field.tsx'
import { FormFrame } from '../components/FormFrame.tsx'
import { useItemForm } from '../use-item-form.ts'
import { useSelector } from '../use-selector.ts'
import { LabelDot } from './LabelChip.tsx'
import { colourNames } from './label-colours.ts'

type FormActor = ActorRefFrom<typeof labelFormMachine>

/** The form for a new or existing label. */
export function LabelForm({ actor }: { actor: FormActor }) {
  const { fields, change, isNew, isSaving: saving, frame } = useItemForm(actor)
  const blockedReason = useSelector(actor, selectBlockedReason)
  return (
    <FormFrame
      {...frame}
      heading={isNew ? t('list.labelNew') : t('list.labelEdit')}
      blockedReason={blockedReason}
      submit={saving ? t('shared.saving') : t('list.labelSave')}
    >
      <Field
        label={t('list.labelName')}
        required
        autoComplete="off"
        maxLength={labelLimits.name}
        readOnly={saving}
        value={fields.name}
        onChange={({ target }) => change({ name: target.value })}
      />
      <fieldset disabled={saving} className="grid gap-1">
        <legend className="font-medium text-xs">{t('list.labelColour')}</legend>
        <div className="flex flex-wrap gap-1.5 pt-1">
          {labelColours.map((colour) => (
            <label
              key={colour}
              className="flex h-8 touch:min-h-11 cursor-pointer items-center gap-1.5 rounded-ui border border-line px-2 text-xs has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent has-checked:bg-accent-soft"
            >
              <input
                type="radio"
                name="colour"
                className="sr-only"
                checked={fields.colour === colour}
                onChange={() => change({ colour })}
              />
              <LabelDot colour={colour} />
              {t(colourNames[colour])}
            </label>
          ))}
        </div>
      </fieldset>
      <Keywords actor={actor} readOnly={saving} />
    </FormFrame>
  )
}

/** The keywords, added by Enter or Add. Each keyword has a button that removes it. */
function Keywords({ actor, readOnly }: { actor: FormActor; readOnly: boolean }) {
  const fields = useSelector(actor, selectFields)
  const problem = useSelector(actor, selectKeywordProblem)
  const mayAdd = useSelector(actor, selectMayAddKeyword)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const add = () => {
    actor.send({ type: 'keyword.added' })
    input.current?.focus()
  }
  return (
    <div className="grid gap-1">
      <FieldLabel htmlFor={id}>{t('list.labelKeywords')}</FieldLabel>
      <div className="flex gap-2">
        <TextInput
          ref={input}
          id={id}
          autoComplete="off"
          maxLength={labelLimits.keyword}
          value={fields.keyword}
          readOnly={readOnly}
          aria-invalid={problem === null ? undefined : true}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => actor.send({ type: 'fields.typed', change: { keyword: target.value } })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            add()
          }}
        />
        <Button className="h-9" disabled={!mayAdd} onClick={add}>
          {t('list.keywordAdd')}
        </Button>
      </div>
      <p id={`${id}-hint`} role="status" className={problem === null ? 'text-2xs text-ink-3' : 'text-bad text-xs'}>
        {problem ?? t('list.labelKeywordAdvice')}
      </p>
      {fields.keywords.length > 0 && (
        <ul aria-label={t('list.addedKeywords')} className="flex flex-wrap gap-1.5">
          {fields.keywords.map((keyword) => (
            <li
              key={keyword}
              className="flex max-w-full items-center gap-1 rounded-tag border border-line bg-sunken pl-2 text-xs"
            >
              <bdi className="[overflow-wrap:anywhere]">{safeName(keyword)}</bdi>
              <button
                type="button"
                aria-label={t('list.keywordRemove', { keyword: safeName(keyword) })}
                disabled={readOnly}
                className="grid size-6 touch:size-11 shrink-0 place-items-center rounded-tag text-ink-2 hover:text-ink"
                onClick={() => {
                  actor.send({ type: 'keyword.removed', keyword })
                  input.current?.focus()
                }}
              >
                <X size={13} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
