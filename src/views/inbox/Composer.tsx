import { SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import type { ConversationPage } from '../../domain/conversation-text.ts'
import { newKey } from '../../domain/new-key.ts'
import { Button } from '../components/Button.tsx'
import { Select } from '../components/Field.tsx'

/** What is being typed, and the page it is to go out from. The id is new whenever a draft was taken on and the next begins. */
export type Draft = { id: string; text: string; pageId: string | null }

type ComposerProps = {
  /** What was being typed here when the conversation was left. */
  initialDraft: Draft
  onDraftChange: (draft: Draft) => void
  /** The pages a message can go out from; the selector is shown for more than one. */
  pages: readonly ConversationPage[]
  /** A send of this conversation is under way. */
  sending: boolean
  /** Answers whether the message was taken on; only then the text is cleared. */
  onSend: (draft: Draft) => boolean
}

/** 229 is what browsers report for a key that an input method has taken, also where `isComposing` is already over. */
const isComposing = (event: KeyboardEvent): boolean => event.nativeEvent.isComposing || event.keyCode === 229

/** Where staff write their answer (spec section 2): Enter sends, Shift+Enter breaks the line. */
export function Composer({ initialDraft, onDraftChange, pages, sending, onSend }: ComposerProps) {
  const [draft, setDraft] = useState(initialDraft)
  const selectId = useId()
  const change = (next: Draft) => {
    setDraft(next)
    onDraftChange(next)
  }
  const { text, pageId } = draft
  const blank = text.trim() === ''
  const send = () => {
    if (blank || sending) return
    if (onSend(draft)) change({ id: newKey(), text: '', pageId })
  }
  return (
    <form
      aria-label="Answer"
      className="grid shrink-0 gap-2 border-line border-t px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {pages.length > 1 && (
        <div className="flex min-w-0 items-center gap-2 text-ink-2 text-xs">
          <label htmlFor={selectId} className="shrink-0">
            Send from
          </label>
          <Select
            id={selectId}
            value={pageId ?? ''}
            onChange={(event) => change({ ...draft, pageId: event.target.value || null })}
          >
            <option value="">Auto-select</option>
            {pages.map((page) => (
              <option key={page.id} value={page.id}>
                {page.name}
              </option>
            ))}
          </Select>
        </div>
      )}
      <div className="flex items-end gap-2 rounded-ui border border-edge p-2 pl-3 has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:outline-accent has-[textarea:focus-visible]:outline-offset-1">
        <textarea
          aria-label="Message"
          aria-keyshortcuts="Enter"
          dir="auto"
          rows={2}
          placeholder="Type a message..."
          value={text}
          className="field-sizing-content max-h-48 min-h-12 w-full min-w-0 resize-none bg-transparent py-1 outline-none"
          onChange={(event) => change({ ...draft, text: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return
            event.preventDefault()
            send()
          }}
        />
        <Button type="submit" variant="primary" disabled={blank || sending}>
          {sending ? 'Sending…' : 'Send'}
          <SendHorizontal size={15} aria-hidden="true" />
        </Button>
      </div>
    </form>
  )
}
