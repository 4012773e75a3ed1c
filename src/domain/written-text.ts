import type { Message } from '../schemas/message.ts'

/** The text that the writer wrote: `message_text` without the end that stands for other parts of the message. */
export function writtenText({ message_text: text, content }: Pick<Message, 'message_text' | 'content'>): string {
  const fallback = content?.fallback ?? ''
  if (!text || fallback === '') return text ?? ''
  if (text === fallback) return ''
  return text.endsWith(`\n${fallback}`) ? text.slice(0, -fallback.length - 1) : text
}
