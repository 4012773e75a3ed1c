import { linkTitleOf } from '../../../src/domain/send/product-card.ts'
import type { FileKind } from '../../../src/schemas/outgoing-file.ts'
import type { StructuredContent, TemplateParameter } from '../../../src/schemas/structured-message.ts'

/** A text, a file that the network fetches from the URL before it answers, or a text with a structure. */
export type SentContent =
  | { text: string }
  | { file: { kind: FileKind; url: string } }
  | { text: string; structured: StructuredContent }

/** A utility template needs no tag: it may leave at any time. */
export function messagingTypeOf(content: SentContent, humanAgent: boolean) {
  if ('structured' in content && content.structured.kind === 'template') return { messaging_type: 'UTILITY' }
  return humanAgent ? { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' } : { messaging_type: 'RESPONSE' }
}

/** The field `message` of a send. */
export function messageOf(content: SentContent) {
  if ('file' in content) {
    return { attachment: { type: content.file.kind, payload: { url: content.file.url, is_reusable: false } } }
  }
  return 'structured' in content ? structureOf(content.text, content.structured) : { text: content.text }
}

function structureOf(text: string, structured: StructuredContent) {
  if (structured.kind === 'quickReplies') {
    return {
      text,
      quick_replies: structured.titles.map((title) => ({ content_type: 'text', title, payload: title })),
    }
  }
  if (structured.kind === 'buttons') {
    const buttons = structured.buttons.map(({ title, url }) =>
      url === null ? { type: 'postback', title, payload: title } : { type: 'web_url', title, url },
    )
    return { attachment: { type: 'template', payload: { template_type: 'button', text, buttons } } }
  }
  if (structured.kind === 'card') {
    const { title, subtitle, picture, link } = structured
    const element = {
      title,
      subtitle,
      ...(picture === undefined ? {} : { image_url: picture }),
      ...(link === undefined
        ? {}
        : {
            default_action: { type: 'web_url', url: link },
            buttons: [{ type: 'web_url', title: linkTitleOf(link), url: link }],
          }),
    }
    return { attachment: { type: 'template', payload: { template_type: 'generic', elements: [element] } } }
  }
  if (structured.kind === 'sticker') return { attachment: { type: structured.sticker } }
  const { name, language, header, body } = structured
  const components = [
    { type: 'header', parameters: header.map(parameterOf) },
    { type: 'body', parameters: body.map(parameterOf) },
  ].filter(({ parameters }) => parameters.length > 0)
  return { template: { name, language: { code: language }, components } }
}

/** A placeholder with a number is filled in by its position, any other by its name. */
const parameterOf = ({ name, value }: TemplateParameter) =>
  /^\d+$/.test(name) ? { type: 'text', text: value } : { type: 'text', parameter_name: name, text: value }
