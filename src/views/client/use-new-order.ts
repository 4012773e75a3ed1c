import { sourcesIn } from '../../domain/thread/order-sources.ts'
import { selectMessages } from '../../machines/thread/thread.ts'
import type { Message } from '../../schemas/message.ts'
import { useDialog, useMayOpen } from '../use-inbox.ts'
import { useOpenThread } from '../use-list.ts'

/**
 * Opens the form of a new order, with the last messages of the open conversation to choose from. Null if the person may
 * make no order.
 */
export function useNewOrder(subject: {
  conversationId: string
  clientId: string
}): ((chosen: Message | null) => void) | null {
  const dialog = useDialog()
  const mayOpen = useMayOpen('newOrder')
  const { thread } = useOpenThread()
  if (!mayOpen) return null
  return (chosen) => {
    const messages = thread === null ? [] : selectMessages(thread.getSnapshot())
    const input = { ...subject, messageId: chosen?.message_id ?? null, sources: sourcesIn(messages, chosen) }
    dialog.send({ type: 'dialog.requested', dialog: { name: 'newOrder', input } })
  }
}
