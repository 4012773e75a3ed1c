import { receiptsIn } from '../../domain/thread/order-sources.ts'
import { selectThread } from '../../machines/session/session.ts'
import { selectConversationId, selectMessages } from '../../machines/thread/thread.ts'
import { useSession } from '../actors.tsx'
import { useDialog, useMayOpen } from '../use-inbox.ts'

/** `conversationId`: the conversation that the order was opened from; undefined if it was opened elsewhere. */
type Subject = { orderId: string; clientId: string; conversationId: string | undefined }

/**
 * Opens the form of a payment for an order, with the last pictures of its conversation to choose from if that is open. The
 * dialog of the order comes back after it. Null if the person may record no payment.
 */
export function useRecordPayment({ conversationId, ...order }: Subject): (() => void) | null {
  const session = useSession()
  const dialog = useDialog()
  if (!useMayOpen('recordPayment')) return null
  return () => {
    const thread = selectThread(session.getSnapshot())?.getSnapshot()
    const isOpen = thread !== undefined && selectConversationId(thread) === conversationId
    const input = { ...order, ...(conversationId !== undefined && { conversationId }) }
    // Of another conversation, the pictures may be those of another client.
    const pictures = isOpen ? receiptsIn(selectMessages(thread)) : []
    dialog.send({
      type: 'dialog.requested',
      dialog: { name: 'recordPayment', input: { ...input, pictures } },
      next: { name: 'order', input },
    })
  }
}
