import type { Message } from '../../schemas/message.ts'
import type { QuotedMessage } from '../../schemas/reactions-receipts-replies.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { safeText } from '../shown-text.ts'

const kinds = [
  ['image_data', 'thread.picture'],
  ['video_data', 'thread.video'],
  ['audio_data', 'thread.audio'],
] as const

/** The text of a message, or what it is. */
export function previewText({ message_text, attachments }: Pick<Message, 'message_text' | 'attachments'>): string {
  if (message_text) return message_text
  const [first] = attachments?.data ?? []
  if (first === undefined) return ''
  const kind = kinds.find(([field]) => first[field])
  return t(kind === undefined ? 'thread.file' : kind[1])
}

/** What is shown of a quoted message, on one line. */
export function quotedText({ state, text }: QuotedMessage): string {
  if (state === 'deleted') return t('thread.originalDeleted')
  if (state !== 'known') return t('thread.originalUnknown')
  return safeText(text?.trim() || t('thread.originalUnshown'))
}
