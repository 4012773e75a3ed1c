import { dayKey, momentOf } from '../../domain/moments.ts'
import type { Outgoing } from '../../domain/outgoing.ts'
import type { Message } from '../../schemas/message.ts'

/** What the thread is made of, top to bottom. */
export type ThreadItem =
  /** Above the first message: where older ones come in. */
  | { kind: 'edge'; key: string }
  | { kind: 'day'; key: string; moment: string }
  | { kind: 'message'; key: string; message: Message }
  | { kind: 'send'; key: string; send: Outgoing }

/** Reading a date costs more than the rest of a row: each message's day is worked out once. */
const days = new WeakMap<Message, string>()
const dayOf = (message: Message): string => {
  const known = days.get(message)
  if (known !== undefined) return known
  const day = dayKey(momentOf(message))
  days.set(message, day)
  return day
}

/**
 * Messages, oldest first, with a heading where a day begins, and the sends that are not confirmed yet below them.
 * A send keeps its key when it becomes a message, so that its bubble stays where it is; where both are there
 * for a moment, the message is shown.
 */
export function threadItems(messages: readonly Message[], sends: readonly Outgoing[]): ThreadItem[] {
  const items: ThreadItem[] = [{ kind: 'edge', key: 'edge' }]
  const delivered = new Set<string>()
  let day: string | null = null
  for (const message of messages) {
    const next = dayOf(message)
    if (next !== day) {
      day = next
      items.push({ kind: 'day', key: `day:${day}`, moment: momentOf(message) })
    }
    const sendKey = message.idempotency_key
    if (sendKey != null) delivered.add(sendKey)
    items.push({ kind: 'message', key: sendKey == null ? `message:${message.message_id}` : `own:${sendKey}`, message })
  }
  for (const send of sends) if (!delivered.has(send.key)) items.push({ kind: 'send', key: `own:${send.key}`, send })
  return items
}
