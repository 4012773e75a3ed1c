import { linkTitleOf } from '../../../src/domain/send/product-card.ts'
import type { MessageContent } from '../../../src/schemas/message-content.ts'
import type { MessagePart, PartOf } from '../../../src/schemas/message-part.ts'
import type { StructuredContent } from '../../../src/schemas/structured-message.ts'
import type { Attachments } from '../store/read-message.ts'

/** How the thread shows what a sent message has beside its text; null for a template, which is its text. */
export function contentOfStructure(structured: StructuredContent, text: string): MessageContent | null {
  const template: PartOf<'template'> = { kind: 'template', text: null, cards: [], buttons: [], receipt: null }
  const shown = (part: MessagePart, fallback?: string): MessageContent => ({
    parts: [part],
    ...(fallback === undefined ? {} : { fallback }),
  })
  switch (structured.kind) {
    case 'template':
      return null
    case 'quickReplies':
      return shown({
        ...template,
        template_type: 'quick_replies',
        buttons: structured.titles.map((title) => ({ title, link: null })),
      })
    case 'buttons':
      return shown({
        ...template,
        template_type: 'button',
        buttons: structured.buttons.map(({ title, url }) => ({ title, link: url })),
      })
    case 'card':
      return shown(
        {
          ...template,
          template_type: 'generic',
          cards: [
            {
              title: structured.title,
              text: structured.subtitle,
              file: structured.picture === undefined ? null : 0,
              link: null,
              buttons:
                structured.link === undefined ? [] : [{ title: linkTitleOf(structured.link), link: structured.link }],
            },
          ],
        },
        text,
      )
    case 'sticker':
      return shown({ kind: 'sticker', file: null, sticker_id: structured.sticker }, text)
  }
}

/** The picture of a card, which the card shows as its file. */
export const attachmentsOfStructure = (structured: StructuredContent): Attachments =>
  structured.kind !== 'card' || structured.picture === undefined
    ? null
    : {
        data: [
          {
            id: 'picture',
            name: null,
            size: null,
            image_data: { url: structured.picture, preview_url: structured.picture },
          },
        ],
      }
