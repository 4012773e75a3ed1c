import { X } from 'lucide-react'
import { type ClipboardEvent, useId, useRef } from 'react'
import { isKeywordList, type KeywordFields } from '../../domain/keywords.ts'
import { safeName } from '../../domain/shown-text.ts'
import type { KeywordEvent } from '../../machines/keyword-fields.ts'
import { t } from '../../texts/shared-on-demand.ts'
import { Button } from './Button.tsx'
import { FieldLabel, TextInput } from './Field.tsx'
import { isComposing } from './is-composing.ts'

type KeywordFieldProps = {
  fields: KeywordFields
  /** Why the typed keyword cannot be added; null if it can, or if none is typed. */
  problem: string | null
  mayAdd: boolean
  /** Characters of the field, which may hold several keywords. */
  maxLength: number
  readOnly: boolean
  required?: boolean
  texts: {
    label: string
    hint?: string
    advice: string
    add: string
    added: string
    remove: (keyword: string) => string
  }
  onType: (keyword: string) => void
  onEvent: (event: KeywordEvent) => void
}

/** Keywords, added by Enter or Add, also several with commas or semicolons between them; a pasted list is added at once. Each keyword has a button that removes it. */
export function KeywordField({
  fields,
  problem,
  mayAdd,
  maxLength,
  readOnly,
  required = false,
  texts,
  onType,
  onEvent,
}: KeywordFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)

  const add = () => {
    onEvent({ type: 'keyword.added' })
    input.current?.focus()
  }
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text')
    if (readOnly || !isKeywordList(pasted)) return
    // The field itself would join the lines of the list to one word.
    event.preventDefault()
    const { value, selectionStart, selectionEnd } = event.currentTarget
    const list = pasted.trim().replace(/[\r\n]+/g, ', ')
    onType(`${value.slice(0, selectionStart ?? 0)}${list}${value.slice(selectionEnd ?? 0)}`.slice(0, maxLength))
    add()
  }
  const remove = (keyword: string, index: number) => {
    const buttons = list.current?.querySelectorAll('button')
    const next = buttons?.[index + 1] ?? buttons?.[index - 1] ?? input.current
    onEvent({ type: 'keyword.removed', keyword })
    next?.focus()
  }
  return (
    <div className="grid gap-1">
      <FieldLabel htmlFor={id} required={required}>
        {texts.label}
      </FieldLabel>
      <div className="flex gap-2">
        <TextInput
          ref={input}
          id={id}
          autoComplete="off"
          placeholder={texts.hint}
          maxLength={maxLength}
          value={fields.keyword}
          readOnly={readOnly}
          // Only the list of keywords is required: an empty input next to it is not invalid.
          aria-required={required || undefined}
          aria-invalid={problem === null ? undefined : true}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => onType(target.value)}
          onPaste={onPaste}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
            event.preventDefault()
            add()
          }}
        />
        <Button className="h-9" disabled={!mayAdd} onClick={add}>
          {texts.add}
        </Button>
      </div>
      <p id={`${id}-hint`} role="status" className={problem === null ? 'text-2xs text-ink-3' : 'text-bad text-xs'}>
        {problem ?? `${texts.advice} ${t('shared.keywordSeparators')}`}
      </p>
      {fields.keywords.length > 0 && (
        <ul ref={list} aria-label={texts.added} className="flex flex-wrap gap-1.5">
          {fields.keywords.map((keyword, index) => (
            <li
              key={keyword}
              className="flex max-w-full items-center gap-1 rounded-tag border border-line bg-sunken pl-2 text-xs"
            >
              <bdi className="[overflow-wrap:anywhere]">{safeName(keyword)}</bdi>
              <button
                type="button"
                aria-label={texts.remove(safeName(keyword))}
                disabled={readOnly}
                className="grid size-6 touch:size-11 shrink-0 place-items-center rounded-tag text-ink-2 hover:text-ink"
                onClick={() => remove(keyword, index)}
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
