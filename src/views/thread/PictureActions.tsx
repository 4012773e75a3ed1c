import { ReceiptText, ShoppingCart } from 'lucide-react'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import { receiptsOf } from '../../domain/thread/order-sources.ts'
import type { Message } from '../../schemas/message.ts'
import { t } from '../../texts/orders-on-demand.ts'
import { useNewOrder } from '../client/use-new-order.ts'
import { IconButton } from '../components/Button.tsx'
import { useDialog, useMayOpen } from '../use-inbox.ts'
import { useOpenThread } from '../use-list.ts'

/** Beside a picture of a customer who is linked to a client: makes an order or a payment from it. */
export default function PictureActions({ message }: { message: Message }) {
  const { conversation } = useOpenThread()
  if (conversation?.client_id == null) return null
  return <Actions message={message} conversationId={rowIdOf(conversation)} clientId={conversation.client_id} />
}

type ActionsProps = { message: Message; conversationId: string; clientId: string }

function Actions({ message, ...subject }: ActionsProps) {
  const dialog = useDialog()
  const mayRecord = useMayOpen('recordPayment')
  const openNewOrder = useNewOrder(subject)
  const record = () => {
    const input = { ...subject, orderId: null, pictures: receiptsOf(message) }
    dialog.send({ type: 'dialog.requested', dialog: { name: 'recordPayment', input } })
  }
  return (
    <>
      {mayRecord && (
        <IconButton label={t('orders.paymentFromPicture')} onClick={record}>
          <ReceiptText size={16} aria-hidden="true" />
        </IconButton>
      )}
      {openNewOrder !== null && (
        <IconButton label={t('orders.fromPicture')} onClick={() => openNewOrder(message)}>
          <ShoppingCart size={16} aria-hidden="true" />
        </IconButton>
      )}
    </>
  )
}
