import { momentOf } from '../../domain/message-order.ts'
import { dateAndTime } from '../../domain/moments.ts'
import { safeText } from '../../domain/shown-text.ts'
import { numberedPictures } from '../../domain/thread/pictures.ts'
import type { OrderDetails } from '../../schemas/chat-order.ts'
import { t } from '../../texts/orders-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { embeddable } from '../components/embeddable.ts'
import { useOpenAtMessage } from '../use-open-at-message.ts'

type LinkedMessageProps = {
  order: OrderDetails
  id: string | null
  /** The place of the only attachment to show; null for all. */
  attachment: number | null
  caption: string
  /** Closes the dialog, so that the thread can be seen. */
  onDismiss: () => void
}

/**
 * The message that an order or a payment came from: its text, its pictures, each a link to its full size, and a button that
 * shows the message in its conversation.
 */
export function LinkedMessage({ order, id, attachment, caption, onDismiss }: LinkedMessageProps) {
  const openAtMessage = useOpenAtMessage()
  const message = order.messages.find((one) => one.message_id === id)
  if (message === undefined) return null
  const { message_id: messageId, primary_user_id: conversationId } = message
  const pictures = numberedPictures(message).filter(({ place }) => attachment === null || place === attachment)
  return (
    <figure className="grid gap-1.5 rounded-ui bg-sunken px-3 py-2">
      <figcaption className="flex flex-wrap items-center justify-between gap-x-3 text-2xs text-ink-2">
        {caption} · {dateAndTime(momentOf(message))}
        {openAtMessage !== null && conversationId != null && (
          <Button
            variant="ghost"
            className="h-7"
            aria-label={t('orders.showMessageNamed', { caption })}
            onClick={() => {
              openAtMessage(conversationId, messageId)
              onDismiss()
            }}
          >
            {t('orders.showMessage')}
          </Button>
        )}
      </figcaption>
      {message.message_text && (
        <p dir="auto" className="line-clamp-3 [overflow-wrap:anywhere]">
          {safeText(message.message_text)}
        </p>
      )}
      {pictures.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {pictures.map(({ url, previewUrl, name }) => (
            <a key={url} href={url} target="_blank" rel="noopener noreferrer" className="block">
              <img
                src={embeddable(previewUrl) ?? undefined}
                alt={name}
                referrerPolicy="no-referrer"
                className="h-28 w-auto min-w-16 max-w-full rounded-ui border border-line bg-panel object-scale-down"
              />
            </a>
          ))}
        </div>
      )}
    </figure>
  )
}
