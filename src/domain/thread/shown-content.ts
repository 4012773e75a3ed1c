import type { Attachment, Message } from '../../schemas/message.ts'
import { type MessagePart, parsePart } from '../../schemas/message-part.ts'
import { writtenText } from '../written-text.ts'

/** What a bubble shows of a message. */
export type ShownContent = {
  text: string
  parts: readonly MessagePart[]
  /** The attachments that no part shows. */
  attachments: readonly Attachment[]
  /** When the text was edited last; null if never. */
  editedAt: string | null
}

const noParts: readonly MessagePart[] = []

export function shownContentOf(message: Message): ShownContent {
  const attachments = message.attachments?.data ?? []
  const text = writtenText(message)
  const editedAt = message.content?.edited_at ?? null
  const values = message.content?.parts ?? []
  if (values.length === 0) return { text, parts: noParts, attachments, editedAt }
  const parts = values.map(parsePart)
  const used = new Set(parts.flatMap(filesOf))
  return { text, parts, attachments: attachments.filter((_, index) => !used.has(index)), editedAt }
}

/** Whether a part comes before the text, because it says what the text is about. */
const leads = ({ kind }: MessagePart) => kind === 'referral' || kind === 'story_reply'

export const leadingParts = (parts: readonly MessagePart[]) => parts.filter(leads)
export const followingParts = (parts: readonly MessagePart[]) => parts.filter((part) => !leads(part))

/** The indexes of the files that a part shows. */
function filesOf(part: MessagePart): number[] {
  if (part.kind === 'template') return part.cards.flatMap(({ file }) => file ?? [])
  return 'file' in part && part.file != null ? [part.file] : []
}

/** Whether the message is more than a text or files, and needs room to the messages around it to be seen as one. */
export const isComposite = ({ content, reply_to }: Message): boolean =>
  reply_to != null || (content?.parts ?? []).length > 0

/** Google Maps. Nothing is loaded from there before the link is opened. */
export const mapAddress = (latitude: number, longitude: number): string =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(`${latitude},${longitude}`)}`
