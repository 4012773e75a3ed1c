import { Heart } from 'lucide-react'
import { likeHeartId } from '../../domain/send/like-heart.ts'
import type { Attachment } from '../../schemas/message.ts'
import type { PartOf } from '../../schemas/message-part.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { Media } from './PartMedia.tsx'

/** The heart that a page can send has no picture: the network's apps draw it. */
const isHeart = ({ sticker_id }: PartOf<'sticker'>) => sticker_id === likeHeartId

/** A sticker or a moving picture, without a frame. */
export function Sticker({ part, files }: { part: PartOf<'sticker' | 'gif'>; files: readonly Attachment[] }) {
  if (part.kind === 'sticker' && isHeart(part)) {
    return <Heart role="img" aria-label={t('thread.heart')} className="block size-28 fill-current p-2 text-bad" />
  }
  const name = part.kind === 'sticker' ? t('thread.sticker') : t('thread.gif')
  return (
    <Media
      attachment={part.file == null ? undefined : files[part.file]}
      alt={name}
      className={
        part.kind === 'sticker' ? 'block size-28 object-contain' : 'block h-[200px] w-auto max-w-full rounded-ui'
      }
      missing={<p className="rounded-ui border border-line bg-sunken px-3 py-2 text-ink-2 text-xs">{name}</p>}
    />
  )
}
