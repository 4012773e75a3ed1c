import type { Message } from '../schemas/message.ts'

const times = new WeakMap<Message, number>()

/** The message time: when the network says that the message was written, else when the server stored it; ISO 8601. */
export const momentOf = (message: Message): string => message.timestamp_fb ?? message.created_at

/** The message time in milliseconds since 1970. */
export function sentAt(message: Message): number {
  const known = times.get(message)
  if (known !== undefined) return known
  const time = Date.parse(momentOf(message))
  times.set(message, time)
  return time
}

/** A position in a thread: message time, then id. */
export type Place = { at: number; id: string }

export const placeOf = (message: Message): Place => ({ at: sentAt(message), id: message.message_id })

export const comparePlaces = (a: Place, b: Place): number => a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
