import { Plus, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { type ChoiceFields, type ChoiceKind, mostChoices, withKind } from '../../domain/send/choice-fields.ts'
import { structuredLimits } from '../../schemas/structured-limits.ts'
import { t } from '../../texts/send-on-demand.ts'
import { Button, IconButton } from '../components/Button.tsx'
import { FieldLabel, TextInput } from '../components/Field.tsx'
import { focusAround } from '../components/focus-around.ts'
import { Select } from '../components/Select.tsx'

const kinds = {
  none: 'send.choicesNone',
  quickReplies: 'send.choiceQuickReplies',
  buttons: 'send.choiceButtons',
} as const satisfies Record<ChoiceKind, string>

type ChoicesFieldProps = { fields: ChoiceFields; saving: boolean; onChange: (fields: ChoiceFields) => void }

/** Quick replies or buttons below the text of a saved reply. */
export function ChoicesField({ fields, saving, onChange }: ChoicesFieldProps) {
  const { kind, rows } = fields
  const id = useId()
  const changeRow = (index: number, change: Partial<(typeof rows)[number]>) =>
    onChange({ kind, rows: rows.map((row, at) => (at === index ? { ...row, ...change } : row)) })
  return (
    <fieldset className="grid gap-1.5" disabled={saving}>
      <div className="flex flex-wrap items-center gap-2">
        <FieldLabel htmlFor={`${id}-kind`}>{t('send.choicesBelow')}</FieldLabel>
        <Select
          id={`${id}-kind`}
          value={kind}
          onChange={({ target }) => onChange(withKind(fields, target.value as ChoiceKind))}
        >
          {Object.entries(kinds).map(([value, text]) => (
            <option key={value} value={value}>
              {t(text)}
            </option>
          ))}
        </Select>
      </div>
      {kind !== 'none' && (
        <>
          <p className="text-2xs text-ink-3">
            {t(kind === 'buttons' ? 'send.choicesButtonsHint' : 'send.choicesHint')}
          </p>
          {rows.map((row, index) => {
            const number = index + 1
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the place is the identity of a row
              <div key={index} className="flex flex-wrap items-center gap-1.5">
                <TextInput
                  className="min-w-36 flex-1"
                  aria-label={t('send.choiceTitle', { number })}
                  placeholder={t('send.choiceTitle', { number })}
                  maxLength={structuredLimits.title}
                  autoComplete="off"
                  value={row.title}
                  onChange={({ target }) => changeRow(index, { title: target.value })}
                />
                {kind === 'buttons' && (
                  <TextInput
                    className="min-w-48 flex-1"
                    type="url"
                    aria-label={t('send.choiceUrl', { number })}
                    placeholder={t('send.choiceUrl', { number })}
                    maxLength={structuredLimits.url}
                    autoComplete="off"
                    value={row.url}
                    onChange={({ target }) => changeRow(index, { url: target.value })}
                  />
                )}
                <IconButton
                  label={t('send.choiceDelete', { number })}
                  onClick={(event) => {
                    focusAround(event)
                    onChange({ kind, rows: rows.filter((_, at) => at !== index) })
                  }}
                >
                  <Trash2 size={14} aria-hidden="true" />
                </IconButton>
              </div>
            )
          })}
          {rows.length < mostChoices(kind) && (
            <Button
              className="justify-self-start"
              onClick={() => onChange({ kind, rows: [...rows, { title: '', url: '' }] })}
            >
              <Plus size={14} aria-hidden="true" />
              {t('send.choiceAdd')}
            </Button>
          )}
        </>
      )}
    </fieldset>
  )
}
