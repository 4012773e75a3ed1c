import type { Message } from '../../schemas/message.ts'
import type { QuotedMessage } from '../../schemas/reactions-receipts-replies.ts'
import type { Draft } from './draft.ts'
import { previewText } from './quoted-text.ts'

/** The longest text of a quoted message, as in `quoted_message` of the database. */
const quotedLength = 200

/** A message as it is quoted above a reply to it. */
export const quoteOf = (message: Message): QuotedMessage => ({
  message_id: message.message_id,
  state: 'known',
  direction: message.direction,
  author: message.author,
  text: previewText(message).slice(0, quotedLength),
})

/** Whether the network knows the message, so that a reply can name it. A message without an id of the network has none. */
export const isQuotable = ({ message_id }: Message): boolean =>
  !message_id.startsWith('temp_') && !message_id.startsWith('postback:')

/** The draft as a reply to the message. With several pages it goes out by that of the message. */
export const replyingTo = (draft: Draft, message: Message, hasSeveralPages: boolean): Draft => ({
  ...draft,
  pageId: hasSeveralPages ? message.page_id : draft.pageId,
  replyTo: { message: quoteOf(message), pageId: message.page_id },
})

export const withoutReplyTo = ({ replyTo: _, ...draft }: Draft): Draft => draft

/** The draft with this page. Another page than that of the original cannot send a reply to it. */
export const withPage = (draft: Draft, pageId: string | null): Draft => {
  const { replyTo } = draft
  return replyTo === undefined || replyTo.pageId === pageId
    ? { ...draft, pageId }
    : { ...withoutReplyTo(draft), pageId }
}
