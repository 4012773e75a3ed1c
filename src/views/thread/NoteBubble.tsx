import { StickyNote, Trash2 } from 'lucide-react'
import { dateAndTime, timeOfDay } from '../../domain/moments.ts'
import { safeName } from '../../domain/shown-text.ts'
import { selectDeletingNote } from '../../machines/thread/notes.ts'
import type { Note } from '../../schemas/note.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { useWriting } from '../use-colleagues.ts'
import { useTeam, useUserId } from '../use-inbox.ts'
import { usePart } from '../use-part.ts'
import { useSelector } from '../use-selector.ts'
import { MessageText } from './MessageText.tsx'

/** An internal note between the messages. Takes a note and no message. */
export function NoteBubble({ note }: { note: Note }) {
  const userId = useUserId()
  const team = useTeam()
  const notes = usePart('notes')
  const deleting = useSelector(notes, (snapshot) => (snapshot ? selectDeletingNote(snapshot) : null))
  const { mayNote } = useWriting()
  const isOwn = note.staff_id === userId
  const known = team.find(({ id }) => id === note.staff_id)?.name
  const by = isOwn ? t('thread.you') : known === undefined ? t('thread.aColleague') : safeName(known)
  return (
    <article
      data-not-saved
      aria-label={t('thread.noteOf', { name: by, time: timeOfDay(note.created_at) })}
      className="flex flex-col items-end gap-1 pb-2"
    >
      <div className="max-w-[min(62%,40rem)] rounded-ui bg-note px-3 py-2 max-md:max-w-[82%]">
        <MessageText text={note.text} />
      </div>
      <p className="flex max-w-full items-center gap-1 whitespace-pre px-1.5 text-2xs text-ink-2">
        <StickyNote size={12} aria-hidden="true" className="shrink-0" />
        <bdi className="overflow-hidden text-ellipsis font-medium">{by}</bdi>
        <time dateTime={note.created_at} title={dateAndTime(note.created_at)}>
          {' · '}
          {timeOfDay(note.created_at)}
        </time>
        <span>
          {' · '}
          {t('thread.onlyStaff')}
        </span>
        {isOwn && mayNote && (
          <button
            type="button"
            title={t('thread.deleteNote')}
            aria-label={t('thread.deleteNote')}
            disabled={deleting !== null}
            className="grid size-6 touch:size-11 place-items-center rounded-ui hover:bg-sunken"
            onClick={() => notes?.send({ type: 'note.removed', id: note.id })}
          >
            <Trash2 size={12} aria-hidden="true" />
          </button>
        )}
      </p>
    </article>
  )
}
