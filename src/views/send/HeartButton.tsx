import { Heart } from 'lucide-react'
import { newKey } from '../../domain/new-key.ts'
import { likeHeart, textOfHeart } from '../../domain/send/like-heart.ts'
import { offers } from '../../domain/session/features.ts'
import { t } from '../../texts/send-on-demand.ts'
import { IconButton } from '../components/Button.tsx'
import { useOutbox, useUser } from '../use-inbox.ts'

type HeartButtonProps = {
  conversationId: string
  pageId: string | null
  /** A message is being sent. A double press would send two hearts. */
  isSending: boolean
}

/** Sends the only sticker that the network takes, on Instagram. */
export default function HeartButton({ conversationId, pageId, isSending }: HeartButtonProps) {
  const outbox = useOutbox()
  if (!offers(useUser(), 'stickers')) return null
  return (
    <IconButton
      label={t('send.heart')}
      aria-disabled={isSending || undefined}
      onClick={() => {
        if (isSending) return
        outbox.send({
          type: 'send.requested',
          draftId: newKey(),
          conversationId,
          pageId,
          platform: 'instagram',
          text: textOfHeart,
          structured: likeHeart,
        })
      }}
    >
      <Heart size={15} aria-hidden="true" />
    </IconButton>
  )
}
