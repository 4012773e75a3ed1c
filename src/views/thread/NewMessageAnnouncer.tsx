import { useRef } from 'react'
import { safeText } from '../../domain/shown-text.ts'
import type { Message } from '../../schemas/message.ts'
import { t } from '../../texts/list.ts'

/** Announces new messages of the person to screen readers, but not the messages that the thread opened with. */
export function NewMessageAnnouncer({ messages, author }: { messages: readonly Message[]; author: string }) {
  const last = messages.at(-1)
  const openedWith = useRef(last?.message_id)
  const isNews = last !== undefined && last.direction === 'incoming' && last.message_id !== openedWith.current
  return (
    <p aria-live="polite" className="sr-only">
      {isNews && safeText(`${author}: ${last.message_text?.trim() || t('list.attachment')}`)}
    </p>
  )
}
