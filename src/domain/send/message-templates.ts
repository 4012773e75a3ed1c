import type { MessageTemplate, StructuredContent, TemplateParameter } from '../../schemas/structured-message.ts'

const placeholder = /\{\{\s*(\w+)\s*\}\}/g

/** The names in the placeholders of a text, each once, in their order. */
const parametersIn = (text: string): string[] => [
  ...new Set([...text.matchAll(placeholder)].map(([, name = '']) => name)),
]

/** The values by place and name, as staff type them. */
export type TemplateValues = Readonly<Record<string, string>>

/** Where a value belongs: the header and the body have parameters of their own. */
const valueKey = (place: 'header' | 'body', name: string): string => `${place}:${name}`

/** Every value that a template needs, in the order of its text. */
export const fieldsOf = ({ header, body }: MessageTemplate): { key: string; name: string }[] => [
  ...parametersIn(header ?? '').map((name) => ({ key: valueKey('header', name), name })),
  ...parametersIn(body).map((name) => ({ key: valueKey('body', name), name })),
]

const filled = (text: string, parameters: readonly TemplateParameter[]): string =>
  text.replace(placeholder, (mark, name: string) => parameters.find((one) => one.name === name)?.value || mark)

type TemplateContent = Extract<StructuredContent, { kind: 'template' }>

/** The template with these values. Values are one line: the network refuses line breaks in them. */
export function contentOf({ name, language, header, body }: MessageTemplate, values: TemplateValues): TemplateContent {
  const parametersOf = (place: 'header' | 'body', text: string): TemplateParameter[] =>
    parametersIn(text).map((parameter) => ({
      name: parameter,
      value: (values[valueKey(place, parameter)] ?? '').replaceAll(/\s+/g, ' ').trim(),
    }))
  return {
    kind: 'template',
    name,
    language,
    header: parametersOf('header', header ?? ''),
    body: parametersOf('body', body),
  }
}

/** The header and the body as the person reads them. A placeholder without a value stays. */
export const filledTemplate = (
  { header, body }: Pick<MessageTemplate, 'header' | 'body'>,
  content: Pick<TemplateContent, 'header' | 'body'>,
): { header: string | null; body: string } => ({
  header: header === null ? null : filled(header, content.header),
  body: filled(body, content.body),
})

/** The text of the message: the header in a line of its own, then the body. */
export function textOfTemplate(
  template: Pick<MessageTemplate, 'header' | 'body'>,
  content: Pick<TemplateContent, 'header' | 'body'>,
): string {
  const { header, body } = filledTemplate(template, content)
  return header === null ? body : `${header}\n${body}`
}

/** Whether every placeholder has a value. */
export const isFilled = (template: MessageTemplate, values: TemplateValues): boolean =>
  fieldsOf(template).every(({ key }) => (values[key] ?? '').trim() !== '')
