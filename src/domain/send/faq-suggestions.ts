import type { Conversation } from '../../schemas/conversation.ts'
import type { FaqEntry } from '../../schemas/faq.ts'
import type { Message } from '../../schemas/message.ts'
import { answererOf } from '../faq/faq-answers.ts'
import { rowIdOf } from '../list/conversation-row.ts'
import { isWaiting } from '../list/views.ts'
import { writtenText } from '../written-text.ts'

/** The messages of a person since the last answer, newest first. `key` differs for each message. */
export type Question = {
  key: string
  texts: readonly string[]
  /** The page of the last message; null if it is not known. */
  pageId: string | null
  /** Entries that are only similar are suggested too (feature 'faq-matching'). */
  isTolerant: boolean
}

/** The maximum number of messages in which a question is looked for. */
const maxTexts = 5

/**
 * The question that a conversation waits with; null if nobody waits, or if something else came last. `messages`: the loaded
 * messages of the thread, oldest first.
 */
export function questionOf(
  conversation: Conversation,
  messages: readonly Message[],
  isTolerant: boolean,
): Question | null {
  const { last_message_text, last_message_direction, last_message_at, last_message_page_id, page_id } = conversation
  if (!isWaiting(conversation) || last_message_direction !== 'incoming') return null
  const answered = messages.findLastIndex(({ direction }) => direction === 'outgoing')
  const asked = messages.slice(answered + 1)
  const since = asked.map(writtenText)
  const texts = (since.length > 0 ? since.toReversed() : [last_message_text])
    .flatMap((text) => text?.trim() || [])
    .slice(0, maxTexts)
  if (texts.length === 0) return null
  return {
    key: `${rowIdOf(conversation)} ${last_message_at} ${texts.length}`,
    texts,
    pageId: asked.at(-1)?.page_id ?? last_message_page_id ?? page_id ?? null,
    isTolerant,
  }
}

/** The maximum number of suggestions for one question. */
const maxSuggestions = 3

/**
 * The active entries of the page that match the newest message that any entry matches, best first, at most three. A person
 * reads them before they are sent, so doubtful matches are suggested too.
 */
export function suggestionsFor(
  { texts, pageId, isTolerant }: Question,
  entries: readonly FaqEntry[],
): readonly FaqEntry[] {
  const active = entries.filter((entry) => entry.is_active)
  const candidates = active.map(({ category_name, ...entry }) => ({ ...entry, category_name: category_name ?? null }))
  const answerTo = answererOf(candidates)
  for (const text of texts) {
    const { matches, near } = answerTo(text, { pageId, leastScore: null })
    const found = (matches.length > 0 || !isTolerant ? matches : near).slice(0, maxSuggestions)
    if (found.length > 0) return found.flatMap(({ id }) => active.find((entry) => entry.id === id) ?? [])
  }
  return []
}
