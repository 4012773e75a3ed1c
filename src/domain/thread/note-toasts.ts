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

type Mention = {
  conversationId: string
  /** Null if the name is not known. */
  by: string | null
  /** The person of the conversation; null if the name is not known. */
  about: string | null
  text: string
  /** The person who is mentioned sees the conversation now. */
  isOpen: boolean
}

/**
 * The toast for the person who is mentioned. A press opens the conversation. Elsewhere than in that conversation the
 * toast stays until it is pressed or closed.
 */
export const mentionToast = ({ conversationId, by, about, text, isOpen }: Mention): ToastText => {
  const letters = Array.from(safeText(text))
  const line = letters.length > shownLength ? `${letters.slice(0, shownLength).join('').trimEnd()}…` : letters.join('')
  const author = by === null ? t('thread.aColleague') : safeName(by)
  const title =
    about === null
      ? info('thread.mentioned', { by: author })
      : info('thread.mentionedAbout', { by: author, about: safeName(about) })
  return { kind: title.kind, text: title.text, news: { line, conversationId, stays: !isOpen } }
}
