import type { Attachment } from '../../schemas/message.ts'
import type { PartOf } from '../../schemas/message-part.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { Media } from './PartMedia.tsx'

/** A sticker or a moving picture, without a frame. */
export function Sticker({ part, files }: { part: PartOf<'sticker' | 'gif'>; files: readonly Attachment[] }) {
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
