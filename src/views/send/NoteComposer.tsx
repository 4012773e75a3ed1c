import { StickyNote } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { safeName } from '../../domain/shown-text.ts'
import { mentionCandidates, withMention } from '../../domain/thread/mentions.ts'
import { noteBlockedReason, selectIsSavingNote, selectNoteText } from '../../machines/thread/notes.ts'
import { noteLimits } from '../../schemas/note.ts'
import { t } from '../../texts/send-on-demand.ts'
import { Avatar } from '../components/Avatar.tsx'
import { Button } from '../components/Button.tsx'
import { isComposing } from '../components/is-composing.ts'
import { writingMark } from '../components/message-box.ts'
import { selectText } from '../components/select-text.ts'
import { membersInOrder } from '../list/members-in-order.ts'
import { useTeam, useUserId } from '../use-inbox.ts'
import { usePart } from '../use-part.ts'
import { useSelector } from '../use-selector.ts'

/**
 * The input for an internal note. Yellow, and it names no social page: a note is for staff only. Loaded with the thread,
 * because a frame without a composer would change the height of the thread, which would then lose its end.
 */
export function NoteComposer() {
  const id = useId()
  const notes = usePart('notes')
  const text = useSelector(notes, (snapshot) => (snapshot ? selectNoteText(snapshot) : ''))
  const isSaving = useSelector(notes, (snapshot) => snapshot !== undefined && selectIsSavingNote(snapshot))
  const userId = useUserId()
  const team = useTeam()
  const [caret, setCaret] = useState(0)
  /** The place of the @ whose suggestions Escape closed. */
  const [dismissedAt, setDismissedAt] = useState<number | null>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const reason = noteBlockedReason(text)
  const colleagues = membersInOrder(team, userId).filter((member) => member.is_active && member.id !== userId)
  const at = text.slice(0, caret).lastIndexOf('@')
  const candidates = at === dismissedAt ? [] : mentionCandidates(text, caret, colleagues)
  const save = () => {
    if (reason === null && !isSaving) notes?.send({ type: 'note.submitted', members: team })
  }
  const mention = (member: (typeof candidates)[number]) => {
    const next = withMention(text, caret, member)
    notes?.send({ type: 'note.typed', text: next.text })
    setCaret(next.caret)
    selectText(box.current, [next.caret, next.caret])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return
    const [first] = candidates
    if (event.key === 'Escape' && first !== undefined) {
      // The next Escape leaves the thread.
      event.preventDefault()
      event.stopPropagation()
      setDismissedAt(at)
    } else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && first !== undefined) {
      event.preventDefault()
      mention(first)
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      save()
    }
  }
  return (
    <form
      aria-label={t('send.note')}
      className="grid shrink-0 grid-cols-1 gap-2 border-line border-t bg-note px-4 py-3 max-md:gap-1 max-md:p-2"
      onSubmit={(event) => {
        event.preventDefault()
        save()
        box.current?.focus()
      }}
    >
      <p id={`${id}-hint`} className="flex items-center gap-1.5 text-ink-2 text-xs">
        <StickyNote size={13} aria-hidden="true" />
        {t('send.noteHint')}
      </p>
      {candidates.length > 0 && (
        <ul aria-label={t('send.mention')} className="flex flex-wrap gap-1">
          {candidates.map((member, index) => (
            <li key={member.id}>
              {/* Enter takes the first one. */}
              <Button variant={index === 0 ? 'on' : 'outline'} className="h-7" onClick={() => mention(member)}>
                <Avatar name={member.name} size="xs" />
                <bdi>{safeName(member.name)}</bdi>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="grid grid-cols-1 gap-1 rounded-ui border border-edge bg-panel p-2 pl-3 max-md:flex max-md:items-end max-md:p-0.5 max-md:pl-3 has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:outline-accent has-[textarea:focus-visible]:outline-offset-1">
        <textarea
          ref={box}
          // biome-ignore lint/a11y/noAutofocus: the person has just chosen to write a note
          autoFocus
          aria-label={t('send.note')}
          {...writingMark('note')}
          aria-describedby={`${id}-hint ${id}-size`}
          aria-invalid={reason === 'tooLong' || undefined}
          dir="auto"
          rows={2}
          placeholder={t('send.notePlaceholder')}
          value={text}
          className="field-sizing-content max-h-48 min-h-12 w-full min-w-0 resize-none bg-transparent py-1 outline-none max-md:max-h-40 max-md:min-h-11 max-md:flex-1 max-md:basis-0 max-md:py-2.5"
          onChange={({ target }) => {
            setCaret(target.selectionStart)
            if (target.value.slice(0, target.selectionStart).lastIndexOf('@') !== dismissedAt) setDismissedAt(null)
            notes?.send({ type: 'note.typed', text: target.value })
          }}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
        />
        <div className="flex items-center justify-end gap-2">
          <span
            id={`${id}-size`}
            role={reason === 'tooLong' ? 'status' : undefined}
            className={reason === 'tooLong' ? 'font-medium text-bad text-xs' : 'text-ink-3 text-xs'}
          >
            {text.length > noteLimits.text * 0.9 &&
              t('send.noteSize', { size: text.trim().length, limit: noteLimits.text })}
          </span>
          <Button type="submit" variant="primary" disabled={reason !== null || isSaving || notes === undefined}>
            {isSaving ? t('send.savingNote') : t('send.saveNote')}
          </Button>
        </div>
      </div>
    </form>
  )
}
