import * as z from 'zod/mini'
import { refusals } from './refusals.ts'

/** The message templates of every page: approved ones, and some that cannot be sent. */
export const sandboxTemplates = [
  {
    id: '7635027653257090',
    name: 'order_ready',
    language: 'en',
    category: 'UTILITY',
    status: 'APPROVED',
    components: [
      { type: 'BODY', text: 'Hello {{1}}, your order {{2}} is ready. You can pick it up during our opening hours.' },
    ],
  },
  {
    id: '7635027653257091',
    name: 'payment_reminder',
    language: 'en',
    category: 'UTILITY',
    status: 'APPROVED',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Payment for order {{order_id}}' },
      {
        type: 'BODY',
        text: 'Hello {{customer_name}}, an amount of {{amount}} is still open. Thank you for your order!',
      },
      { type: 'BUTTONS', buttons: [{ type: 'POSTBACK', text: 'I have paid', payload: 'PAID' }] },
    ],
  },
  {
    id: '7635027653257092',
    name: 'delivery_today',
    language: 'fil',
    category: 'UTILITY',
    status: 'APPROVED',
    components: [{ type: 'BODY', text: 'Magandang araw! Darating po ngayon ang inyong order. Salamat po!' }],
  },
  {
    id: '7635027653257093',
    name: 'review_pending',
    language: 'en',
    category: 'UTILITY',
    status: 'PENDING',
    components: [{ type: 'BODY', text: 'This template waits for its review.' }],
  },
  {
    id: '7635027653257094',
    name: 'with_picture',
    language: 'en',
    category: 'UTILITY',
    status: 'APPROVED',
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Your order is on its way to you.' },
    ],
  },
]

const parameter = z.object({ type: z.literal('text'), text: z.string(), parameter_name: z.nullish(z.string()) })

export const sentTemplate = z.object({
  name: z.string(),
  language: z.object({ code: z.string() }),
  components: z._default(z.array(z.object({ type: z.string(), parameters: z.array(parameter) })), []),
})

/** The text that the person reads. Refuses an unknown template, a missing value and one too many, as the network does. */
export function textOfSent(
  platform: 'messenger' | 'instagram',
  { name, language, components }: z.infer<typeof sentTemplate>,
): string {
  const template = sandboxTemplates.find((one) => one.name === name && one.language === language.code)
  if (platform === 'instagram' || template?.status !== 'APPROVED') {
    throw refusals.badParameter('The message template does not exist')
  }
  return ['header', 'body']
    .flatMap((place) => {
      const text = template.components.find(({ type }) => type === place.toUpperCase())?.text
      if (text === undefined) return []
      const given = components.find(({ type }) => type === place)?.parameters ?? []
      const marks = new Set(text.match(/\{\{\w+\}\}/g))
      if (marks.size !== given.length) throw refusals.badParameter('The number of parameters does not match')
      return [
        text.replace(/\{\{(\w+)\}\}/g, (_, mark: string) => {
          const value = /^\d+$/.test(mark)
            ? given[Number(mark) - 1]
            : given.find(({ parameter_name }) => parameter_name === mark)
          if (value === undefined) throw refusals.badParameter(`The parameter ${mark} is missing`)
          return value.text
        }),
      ]
    })
    .join('\n')
}

const title = z.string().check(z.minLength(1), z.maxLength(20))

/** The network truncates longer titles; the sandbox refuses them. */
export const sentQuickReplies = z
  .array(z.object({ content_type: z.literal('text'), title, payload: z.string() }))
  .check(z.minLength(1), z.maxLength(13))

const buttonTemplate = z.object({
  template_type: z.literal('button'),
  text: z.string().check(z.minLength(1), z.maxLength(640)),
  buttons: z
    .array(
      z.discriminatedUnion('type', [
        z.object({ type: z.literal('web_url'), title, url: z.url() }),
        z.object({ type: z.literal('postback'), title, payload: z.string() }),
      ]),
    )
    .check(z.minLength(1), z.maxLength(3)),
})

const httpsUrl = z.url({ protocol: /^https$/ })

const genericTemplate = z.object({
  template_type: z.literal('generic'),
  elements: z
    .array(
      z.object({
        title: z.string().check(z.minLength(1), z.maxLength(80)),
        subtitle: z.string().check(z.minLength(1), z.maxLength(80)),
        image_url: z.optional(httpsUrl),
        default_action: z.optional(z.object({ type: z.literal('web_url'), url: httpsUrl })),
        buttons: z.optional(
          z.array(z.object({ type: z.literal('web_url'), title, url: httpsUrl })).check(z.minLength(1), z.maxLength(3)),
        ),
      }),
    )
    .check(z.minLength(1), z.maxLength(10)),
})

/** Buttons below a text, or cards. */
export const sentAttachedTemplate = z.object({
  type: z.literal('template'),
  payload: z.discriminatedUnion('template_type', [buttonTemplate, genericTemplate]),
})

/** The only sticker that the network takes, on Instagram. */
export const sentSticker = z.object({ type: z.literal('like_heart') })

/** The text of the template, as conversations list it. */
export const textOfAttached = (payload: z.infer<typeof sentAttachedTemplate>['payload']): string =>
  payload.template_type === 'button'
    ? payload.text
    : payload.elements.map(({ title, subtitle }) => `${title}\n${subtitle}`).join('\n')

/** What a message has beside its text, as the app sent it. */
export type SentStructure =
  | z.infer<typeof sentQuickReplies>
  | z.infer<typeof sentAttachedTemplate>['payload']
  | z.infer<typeof sentSticker>

export const isSentSticker = (structure: SentStructure | null): structure is z.infer<typeof sentSticker> =>
  structure !== null && 'type' in structure

/** The quick reply or the button with this title; null if there is none, or if it opens a link. */
export function tapOn(
  structure: SentStructure,
  title: string,
): { kind: 'quick reply' | 'postback'; payload: string } | null {
  if (Array.isArray(structure)) {
    const tapped = structure.find((one) => one.title === title)
    return tapped === undefined ? null : { kind: 'quick reply', payload: tapped.payload }
  }
  if (isSentSticker(structure) || structure.template_type !== 'button') return null
  const pressed = structure.buttons.find((one) => one.title === title)
  return pressed?.type === 'postback' ? { kind: 'postback', payload: pressed.payload } : null
}
