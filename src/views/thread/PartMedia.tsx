import { useState } from 'react'
import { safeName, safeUrl } from '../../domain/shown-text.ts'
import { pictureOf } from '../../domain/thread/pictures.ts'
import type { Attachment } from '../../schemas/message.ts'
import { embeddable } from '../components/embeddable.ts'
import { useShowImage } from './show-image.ts'

type MediaProps = {
  /** The file of the part; undefined if it has none. */
  attachment: Attachment | undefined
  alt: string
  className: string
  /** Shown in place of a file that cannot be loaded. */
  missing?: React.ReactNode
}

/**
 * The picture or the video of a part. The network does not say whether a story or a shared post is a picture, so what is no
 * picture is tried as a video.
 */
export function Media({ attachment, alt, className, missing = null }: MediaProps) {
  const media = attachment?.image_data ?? attachment?.video_data
  const address = media ? safeUrl(media.url) : null
  const url = address === null ? null : embeddable(address)
  return url === null ? (
    missing
  ) : (
    <LoadedMedia
      key={url}
      {...{ url, alt, className, missing }}
      attachment={attachment}
      isVideo={!attachment?.image_data}
    />
  )
}

function LoadedMedia({
  attachment,
  url,
  alt,
  className,
  missing,
  isVideo,
}: MediaProps & { url: string; isVideo: boolean }) {
  const [shownAs, setShownAs] = useState<'image' | 'video' | 'nothing'>(isVideo ? 'video' : 'image')
  const show = useShowImage()
  const picture = attachment ? pictureOf(attachment) : null
  if (shownAs === 'nothing') return missing
  if (shownAs === 'video') {
    return (
      // biome-ignore lint/a11y/useMediaCaption: the network provides no captions
      <video
        controls
        preload="metadata"
        src={url}
        aria-label={safeName(attachment?.name ?? '') || alt}
        className={className}
        onError={() => setShownAs('nothing')}
      />
    )
  }
  const image = (
    <img
      src={url}
      alt={alt}
      decoding="async"
      referrerPolicy="no-referrer"
      className={className}
      onError={() => setShownAs('video')}
    />
  )
  if (show === null || picture === null || attachment === undefined) return image
  return (
    <a
      href={picture.url}
      target="_blank"
      rel="noopener noreferrer"
      className={className.includes('w-full') ? 'block' : 'block w-fit max-w-full'}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        show(attachment)
      }}
    >
      {image}
    </a>
  )
}
