import { LoaderCircle, SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { ConversationPage } from '../../domain/conversation-text.ts'
import { withSummary } from '../../domain/draft-text.ts'
import { newKey } from '../../domain/new-key.ts'
import type { SummaryKind } from '../../machines/summaries.ts'
import { Button } from '../components/Button.tsx'
import { Select } from '../components/Field.tsx'
import type { Summaries } from './use-summaries.ts'

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
  summaries: Summaries
  /** Answers whether the message was taken on; only then the text is cleared. */
  onSend: (draft: Draft) => boolean
}

/** 229 is what browsers report for a key that an input method has taken, also where `isComposing` is already over. */
const isComposing = (event: KeyboardEvent): boolean => event.nativeEvent.isComposing || event.keyCode === 229

/** Where staff write their answer (spec section 2): Enter sends, Shift+Enter breaks the line. */
export function Composer({ initialDraft, onDraftChange, pages, sending, summaries, onSend }: ComposerProps) {
  const [draft, setDraft] = useState(initialDraft)
  const selectId = useId()
  const change = (next: Draft) => {
    setDraft(next)
    onDraftChange(next)
  }
  const { text, pageId } = draft
  const blank = text.trim() === ''
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (!summaries.waiting) return
    const summary = summaries.take()
    if (summary === null) return
    change({ ...draft, text: withSummary(text, summary) })
    box.current?.focus()
  })
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
      <div className="grid gap-1 rounded-ui border border-edge p-2 pl-3 has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:outline-accent has-[textarea:focus-visible]:outline-offset-1">
        <textarea
          ref={box}
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
        <div className="-ml-1 flex items-center gap-2">
          <SummaryButton kind="orders" sending={sending} summaries={summaries}>
            Orders
          </SummaryButton>
          <SummaryButton kind="payments" sending={sending} summaries={summaries}>
            Payments
          </SummaryButton>
          <span className="flex-1" />
          <Button type="submit" variant="primary" disabled={blank || sending}>
            {sending ? 'Sending…' : 'Send'}
            <SendHorizontal size={15} aria-hidden="true" />
          </Button>
        </div>
      </div>
    </form>
  )
}

type SummaryButtonProps = { kind: SummaryKind; sending: boolean; summaries: Summaries; children: string }

/** Puts a summary into the input, where it can be looked at and changed before it is sent. */
function SummaryButton({ kind, sending, summaries, children }: SummaryButtonProps) {
  const isFetching = summaries.fetching === kind
  return (
    <Button
      disabled={!summaries.available || sending}
      aria-busy={isFetching}
      title={summaries.available ? `Put a summary of the client's ${kind} into the message` : 'No linked client'}
      onClick={() => summaries.request(kind)}
    >
      {children}
      {isFetching && <LoaderCircle size={14} aria-hidden="true" className="animate-spin" />}
    </Button>
  )
}
