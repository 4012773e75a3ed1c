import type { MessageContent } from '../../../src/schemas/message-content.ts'
import type { MessagePart, PartOf } from '../../../src/schemas/message-part.ts'
import type { StructuredContent } from '../../../src/schemas/structured-message.ts'

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
          cards: [{ title: structured.title, text: structured.subtitle, file: null, link: null, buttons: [] }],
        },
        text,
      )
    case 'sticker':
      return shown({ kind: 'sticker', file: null, sticker_id: structured.sticker }, text)
  }
}
