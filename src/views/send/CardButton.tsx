import { Package } from 'lucide-react'
import type { Platform } from '../../schemas/conversation.ts'
import { t } from '../../texts/send-on-demand.ts'
import { IconButton } from '../components/Button.tsx'
import { useDialog, useMayOpen } from '../use-inbox.ts'

type CardButtonProps = { conversationId: string; pageId: string | null; platform: Platform | null }

/** Opens the dialog that sends a product as a card. */
export default function CardButton({ conversationId, pageId, platform }: CardButtonProps) {
  const dialog = useDialog()
  if (!useMayOpen('productCard')) return null
  return (
    <IconButton
      label={t('send.card')}
      onClick={() =>
        dialog.send({
          type: 'dialog.requested',
          dialog: { name: 'productCard', input: { conversationId, pageId, platform } },
        })
      }
    >
      <Package size={15} aria-hidden="true" />
    </IconButton>
  )
}
