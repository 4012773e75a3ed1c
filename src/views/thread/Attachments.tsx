import { FileText } from 'lucide-react'
import { useState } from 'react'
import { safeName, safeUrl } from '../../domain/shown-text.ts'
import { fileSize } from '../../domain/thread/file-size.ts'
import { fileType } from '../../domain/thread/file-type.ts'
import { type Picture, pictureOf } from '../../domain/thread/pictures.ts'
import type { Attachment } from '../../schemas/message.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { embeddable } from '../components/embeddable.ts'
import { useShowImage } from './show-image.ts'
import { Voice } from './Voice.tsx'

const frame = 'overflow-hidden rounded-ui border border-line bg-sunken'

/** The maximum height of a preview (spec section 9). Reserved from the start, so that late pictures move nothing. */
const pictureRoom = 'h-[200px]'

function Unavailable({ children }: { children: string }) {
  return <p className={`${frame} px-3 py-2 text-ink-2 text-xs`}>{children}</p>
}

function PicturePreview({ picture: { attachment, url, previewUrl, name } }: { picture: Picture }) {
  const preview = embeddable(previewUrl)
  const [failed, setFailed] = useState(preview === null)
  const show = useShowImage()
  if (failed)
    return (
      <p className={`${frame} ${pictureRoom} grid w-56 place-items-center text-ink-2 text-xs`}>
        {t('thread.imageFailedToLoad')}
      </p>
    )
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className={`${frame} block w-fit max-w-full`}
      onClick={(event) => {
        // With a modifier key the browser opens a new tab, as for any link.
        if (show === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        show(attachment)
      }}
    >
      <img
        src={preview ?? undefined}
        alt={name}
        decoding="async"
        referrerPolicy="no-referrer"
        className={`${pictureRoom} block w-auto min-w-24 max-w-full object-scale-down`}
        onError={() => setFailed(true)}
      />
    </a>
  )
}

/** The network provides no captions. */
function Player({ kind, url, name }: { kind: 'video' | 'audio'; url: string; name: string }) {
  const [failed, setFailed] = useState(false)
  if (failed)
    return <Unavailable>{kind === 'video' ? t('thread.videoFailedToLoad') : t('thread.audioFailedToLoad')}</Unavailable>
  const about = { controls: true, preload: 'metadata', src: url, onError: () => setFailed(true) } as const
  return kind === 'video' ? (
    <video {...about} aria-label={name || t('thread.video')} className={`${frame} ${pictureRoom} max-w-full`} />
  ) : (
    <Voice url={url} name={name} onError={about.onError} />
  )
}

function AttachmentView({ attachment }: { attachment: Attachment }) {
  const name = safeName(attachment.name ?? '')
  if (attachment.image_data) {
    const picture = pictureOf(attachment)
    if (picture === null) return <Unavailable>{t('thread.imageFailedToLoad')}</Unavailable>
    return <PicturePreview key={picture.previewUrl} picture={picture} />
  }
  const media = attachment.video_data ?? attachment.audio_data ?? attachment.file_data
  const address = media ? safeUrl(media.url) : null
  const url = attachment.file_data ? address : address && embeddable(address)
  if (url === null) return <Unavailable>{t('thread.attachmentNotAvailable')}</Unavailable>
  if (attachment.video_data || attachment.audio_data) {
    return <Player key={url} kind={attachment.video_data ? 'video' : 'audio'} url={url} name={name} />
  }
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      download={name || true}
      className={`${frame} flex w-fit max-w-full items-center gap-2 px-3 py-2 touch:min-h-11 hover:bg-line`}
    >
      <FileText size={16} aria-hidden="true" className="shrink-0 text-ink-2" />
      <bdi className="truncate font-medium">{name || t('thread.file')}</bdi>
      <span className="shrink-0 text-ink-2 text-xs">
        {[fileType(name), attachment.size == null ? '' : fileSize(attachment.size)].filter(Boolean).join(' · ')}
      </span>
    </a>
  )
}

/** The attachments of a message: pictures, videos, sounds and files (spec section 2). */
export function Attachments({ attachments }: { attachments: readonly Attachment[] }) {
  return attachments.map((attachment, index) => (
    <AttachmentView
      // biome-ignore lint/suspicious/noArrayIndexKey: the attachments of a message never change their order
      key={`${attachment.id ?? ''}:${index}`}
      attachment={attachment}
    />
  ))
}
