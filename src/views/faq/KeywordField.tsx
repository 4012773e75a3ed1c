import { X } from 'lucide-react'
import { useId, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import { safeName } from '../../domain/shown-text.ts'
import { type faqFormMachine, selectKeywordProblem, selectMayAddKeyword } from '../../machines/faq/faq-form.ts'
import { selectFields } from '../../machines/item-forms.ts'
import { faqLimits } from '../../schemas/faq.ts'
import { t } from '../../texts/faq-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { FieldLabel, TextInput } from '../components/Field.tsx'
import { useSelector } from '../use-selector.ts'

type KeywordFieldProps = { actor: ActorRefFrom<typeof faqFormMachine>; readOnly: boolean }

/** The keywords of an entry, added by Enter or Add. Each keyword has a button that removes it. */
export function KeywordField({ actor, readOnly }: KeywordFieldProps) {
  const fields = useSelector(actor, selectFields)
  const problem = useSelector(actor, selectKeywordProblem)
  const mayAdd = useSelector(actor, selectMayAddKeyword)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)

  const add = () => {
    actor.send({ type: 'keyword.added' })
    input.current?.focus()
  }
  const remove = (keyword: string, index: number) => {
    const buttons = list.current?.querySelectorAll('button')
    const next = buttons?.[index + 1] ?? buttons?.[index - 1] ?? input.current
    actor.send({ type: 'keyword.removed', keyword })
    next?.focus()
  }
  return (
    <div className="grid gap-1">
      <FieldLabel htmlFor={id} required>
        {t('faq.keywords')}
      </FieldLabel>
      <div className="flex gap-2">
        <TextInput
          ref={input}
          id={id}
          autoComplete="off"
          placeholder={t('faq.keywordHint')}
          maxLength={faqLimits.keyword}
          value={fields.keyword}
          readOnly={readOnly}
          // Only the list of keywords is required: an empty input next to it is not invalid.
          aria-required
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
          {t('faq.add')}
        </Button>
      </div>
      <p id={`${id}-hint`} role="status" className={problem === null ? 'text-2xs text-ink-3' : 'text-bad text-xs'}>
        {problem ?? t('faq.keywordAdvice')}
      </p>
      {fields.keywords.length > 0 && (
        <ul ref={list} aria-label={t('faq.addedKeywords')} className="flex flex-wrap gap-1.5">
          {fields.keywords.map((keyword, index) => (
            <li
              key={keyword}
              className="flex max-w-full items-center gap-1 rounded-tag border border-line bg-sunken pl-2 text-xs"
            >
              <bdi className="[overflow-wrap:anywhere]">{safeName(keyword)}</bdi>
              <button
                type="button"
                aria-label={t('faq.removeKeyword', { keyword: safeName(keyword) })}
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
