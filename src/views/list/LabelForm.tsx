import type { ActorRefFrom } from 'xstate'
import { selectMayAddKeyword } from '../../machines/keyword-fields.ts'
import { type labelFormMachine, selectBlockedReason, selectKeywordProblem } from '../../machines/list/label-form.ts'
import { labelColours } from '../../schemas/label.ts'
import { labelLimits } from '../../schemas/labels-of-row.ts'
import { t } from '../../texts/list-on-demand.ts'
import { Field } from '../components/Field.tsx'
import { FormFrame } from '../components/FormFrame.tsx'
import { KeywordField } from '../components/KeywordField.tsx'
import { useItemForm } from '../use-item-form.ts'
import { useSelector } from '../use-selector.ts'
import { LabelDot } from './LabelChip.tsx'
import { colourNames } from './label-colours.ts'

type FormActor = ActorRefFrom<typeof labelFormMachine>

/** The form for a new or existing label. */
export function LabelForm({ actor }: { actor: FormActor }) {
  const { fields, change, isNew, isSaving: saving, frame } = useItemForm(actor)
  const blockedReason = useSelector(actor, selectBlockedReason)
  const problem = useSelector(actor, selectKeywordProblem)
  const mayAdd = useSelector(actor, selectMayAddKeyword)
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
      <KeywordField
        fields={fields}
        problem={problem}
        mayAdd={mayAdd}
        maxLength={labelLimits.keyword * labelLimits.keywords}
        readOnly={saving}
        texts={{
          label: t('list.labelKeywords'),
          advice: t('list.labelKeywordAdvice'),
          add: t('list.keywordAdd'),
          added: t('list.addedKeywords'),
          remove: (keyword) => t('list.keywordRemove', { keyword }),
        }}
        onType={(keyword) => change({ keyword })}
        onEvent={actor.send}
      />
    </FormFrame>
  )
}
