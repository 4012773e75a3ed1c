import { t } from '../../texts/thread-on-demand.ts'
import { safeName, safeText } from '../shown-text.ts'
import { type ToastText, toastsIn } from '../toast.ts'

const { info, error } = toastsIn(t)

export const noteToasts = {
  failed: error('thread.notesFailed'),
  notSaved: error('thread.noteNotSaved'),
  notDeleted: error('thread.noteNotDeleted'),
} as const

/** The number of characters of a note in a toast. */
const shownLength = 120

/** The toast for the person who is mentioned. A name is null if it is not known. */
export const mentionToast = (note: { by: string | null; about: string | null; text: string }): ToastText => {
  const letters = Array.from(safeText(note.text))
  const text = letters.length > shownLength ? `${letters.slice(0, shownLength).join('').trimEnd()}…` : letters.join('')
  const by = note.by === null ? t('thread.aColleague') : safeName(note.by)
  return note.about === null
    ? info('thread.mentioned', { by, text })
    : info('thread.mentionedAbout', { by, about: safeName(note.about), text })
}
