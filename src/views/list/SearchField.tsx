import { Search, X } from 'lucide-react'
import type { RefObject } from 'react'
import { searchLimit } from '../../schemas/conversation.ts'
import { t } from '../../texts/list.ts'
import { IconButton } from '../components/Button.tsx'
import { TextInput } from '../components/Field.tsx'
import { isComposing } from '../components/is-composing.ts'

type SearchFieldProps = {
  ref: RefObject<HTMLInputElement | null>
  text: string
  onChange: (text: string) => void
  /** Called on Escape in an empty box or on Arrow down: moves the focus to the list. */
  onLeave: () => void
}

/** The search box of the list. The first Escape clears the box. */
export function SearchField({ ref, text, onChange, onLeave }: SearchFieldProps) {
  return (
    <div className="relative focus-within:z-10">
      <Search
        size={15}
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-3 my-auto text-ink-3"
      />
      <TextInput
        ref={ref}
        type="search"
        aria-label={t('list.searchConversations')}
        aria-keyshortcuts="/"
        placeholder={t('list.searchConversations')}
        autoComplete="off"
        spellCheck={false}
        maxLength={searchLimit}
        className="peer border-transparent bg-sunken pr-9 pl-9 [&::-webkit-search-cancel-button]:appearance-none"
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if ((event.key !== 'ArrowDown' && event.key !== 'Escape') || isComposing(event.nativeEvent)) return
          event.preventDefault()
          event.stopPropagation()
          if (event.key === 'Escape' && text !== '') onChange('')
          else onLeave()
        }}
      />
      {text === '' ? (
        <span
          aria-hidden="true"
          className="absolute inset-y-0 right-2 my-auto grid size-5 place-items-center rounded-tag border border-line bg-panel text-2xs text-ink-3 peer-focus:hidden max-sm:hidden pointer-coarse:hidden"
        >
          /
        </span>
      ) : (
        <IconButton
          label={t('list.clearTheSearch')}
          className="absolute inset-y-0 right-0.5 my-auto"
          onClick={() => {
            onChange('')
            ref.current?.focus()
          }}
        >
          <X size={15} aria-hidden="true" />
        </IconButton>
      )}
    </div>
  )
}
