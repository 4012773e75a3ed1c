import type { Conversation } from '../../schemas/conversation.ts'
import type { FaqEntry } from '../../schemas/faq.ts'
import { matchesOf } from '../faq/faq-matching.ts'
import { rowIdOf } from '../list/conversation-row.ts'
import { isWaiting } from '../list/views.ts'

/** The last message of a person who waits for an answer. `key` differs for each message. */
export type Question = { key: string; text: string }

/** The question that a conversation waits with; null if nobody waits, or if something else came last. */
export function questionOf(conversation: Conversation): Question | null {
  const { last_message_text, last_message_direction, last_message_at } = conversation
  const text = last_message_text?.trim() ?? ''
  if (!isWaiting(conversation) || last_message_direction !== 'incoming' || text === '') return null
  return { key: `${rowIdOf(conversation)} ${last_message_at}`, text }
}

/** The maximum number of suggestions for one question. */
const maxSuggestions = 3

/** The active entries that match the question, best first, at most three. */
export function suggestionsFor(question: Question, entries: readonly FaqEntry[]): readonly FaqEntry[] {
  const active = entries.filter((entry) => entry.is_active)
  const matches = matchesOf(
    question.text,
    active.map(({ category_name, ...entry }) => ({ ...entry, category_name: category_name ?? null })),
  )
  return matches.slice(0, maxSuggestions).flatMap(({ id }) => active.find((entry) => entry.id === id) ?? [])
}
