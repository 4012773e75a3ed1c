import { useState } from 'react'
import { picturesOf } from '../../domain/send/saved-replies.ts'
import { offers } from '../../domain/session/features.ts'
import type { OutgoingFile } from '../../schemas/outgoing-file.ts'
import type { SavedReply } from '../../schemas/saved-reply.ts'
import { t } from '../../texts/send-on-demand.ts'
import { embeddable } from '../components/embeddable.ts'
import { useUser } from '../use-inbox.ts'

/** Whether the API stores pictures of saved replies, and sends files. */
export function useSendsPictures(): boolean {
  const user = useUser()
  return offers(user, 'files') && offers(user, 'reply-pictures')
}

type ReplyPicturesProps = { reply: SavedReply; areSent: boolean }

/** The pictures of a saved reply, small and in their order. */
export function ReplyPictures({ reply, areSent }: ReplyPicturesProps) {
  const pictures = picturesOf(reply)
  const count = pictures.length
  if (count === 0) return null
  return (
    <div className="mt-1 flex flex-wrap items-center gap-1.5">
      {pictures.map((picture) => (
        <SmallPicture key={picture.id} picture={picture} />
      ))}
      <span className={areSent ? 'text-2xs text-ink-3' : 'text-2xs text-warn'}>
        {t(areSent ? 'send.replyPictureCount' : 'send.replyPicturesNotOffered', { count })}
      </span>
    </div>
  )
}

/** Its name is not shown: the count beside the pictures is their text. */
function SmallPicture({ picture }: { picture: OutgoingFile }) {
  const [isBroken, setIsBroken] = useState(false)
  const source = embeddable(picture.url)
  if (isBroken || source === null) return null
  return (
    <img
      src={source}
      alt=""
      loading="lazy"
      className="size-10 shrink-0 rounded-ui border border-line object-cover"
      onError={() => setIsBroken(true)}
    />
  )
}
