import * as z from 'zod/mini'
import { httpsAddress } from './https-address.ts'
import { answerOf, id } from './primitives.ts'
import { structuredLimits } from './structured-limits.ts'

const title = z.string().check(z.trim(), z.minLength(1), z.maxLength(structuredLimits.title), z.regex(/^\P{Cc}*$/u))
/** A whole address of a page. */
const isLink = (value: string): boolean => /^https?:\/\/[^\s/]+\.[^\s/]+/.test(value) && URL.canParse(value)
const link = z.string().check(z.maxLength(structuredLimits.url), z.refine(isLink, 'not a link'))
const areUnique = (titles: readonly string[]) => new Set(titles).size === titles.length

const quickReplies = z.object({
  kind: z.literal('quickReplies'),
  titles: z
    .array(title)
    .check(z.minLength(1), z.maxLength(structuredLimits.quickReplies), z.refine(areUnique, 'not unique')),
})
const buttons = z.object({
  kind: z.literal('buttons'),
  /** Without a URL a press comes back as a postback. */
  buttons: z
    .array(
      z.object({
        title,
        url: z.nullable(link),
      }),
    )
    .check(
      z.minLength(1),
      z.maxLength(structuredLimits.buttons),
      z.refine((all) => areUnique(all.map((button) => button.title)), 'not unique'),
    ),
})

/** What a saved reply may have beside its text (feature 'reply-buttons'). */
export const replyStructure = z.discriminatedUnion('kind', [quickReplies, buttons])
export type ReplyStructure = z.infer<typeof replyStructure>

const parameter = z.object({
  /** The name or the number in the placeholder. */
  name: z.string().check(z.regex(/^\w{1,60}$/)),
  value: z
    .string()
    .check(z.trim(), z.minLength(1), z.maxLength(structuredLimits.parameter), z.regex(/^\P{Cc}*$/u, 'not one line')),
})
export type TemplateParameter = z.infer<typeof parameter>
const parameters = z.array(parameter).check(z.maxLength(structuredLimits.parameters))

/**
 * What a message has beside its text. The text is what the person reads; the server compares it with what the network will
 * show.
 */
export const structuredContent = z.discriminatedUnion('kind', [
  /** An approved template of the page (feature 'message-templates'). */
  z.object({
    kind: z.literal('template'),
    name: z.string().check(z.minLength(1), z.maxLength(structuredLimits.templateName)),
    language: z.string().check(z.minLength(1), z.maxLength(20)),
    header: parameters,
    body: parameters,
  }),
  quickReplies,
  buttons,
  /** A product (feature 'product-cards'). The subtitle is its price as it is shown. */
  z.object({
    kind: z.literal('card'),
    title: z.string().check(z.trim(), z.minLength(1), z.maxLength(structuredLimits.cardTitle)),
    subtitle: z.string().check(z.trim(), z.minLength(1), z.maxLength(structuredLimits.cardSubtitle)),
    picture: z.optional(httpsAddress),
    /** The page that the card and its button open. */
    link: z.optional(httpsAddress),
  }),
  /** A sticker by the network's name. Feature 'stickers', Instagram only. */
  z.object({ kind: z.literal('sticker'), sticker: z.literal('like_heart') }),
])
export type StructuredContent = z.infer<typeof structuredContent>

const templateButton = z.object({
  title: z.string(),
  /** Null: a press comes back as a message of the person. */
  url: z.nullable(z.string()),
})

/** A template that the network approved for a page. Its texts hold placeholders: `{{1}}` or `{{order_id}}`. */
export const messageTemplate = z.object({
  id,
  name: z.string(),
  language: z.string(),
  header: z.nullable(z.string()),
  body: z.string(),
  buttons: z.array(templateButton),
})
export type MessageTemplate = z.infer<typeof messageTemplate>

/** By name, then language. */
export const messageTemplatesAnswer = answerOf(z.array(messageTemplate))
