import * as z from 'zod/mini'
import { moment } from './primitives.ts'

const text = z.catch(z.nullish(z.string()), null)
const time = z.catch(z.nullish(moment), null)
/** The index of a file in the attachments of the message. */
const file = z.catch(z.nullish(z.number().check(z.int(), z.nonnegative())), null)

/** In degrees. */
export const latitude = z.number().check(z.minimum(-90), z.maximum(90))
export const longitude = z.number().check(z.minimum(-180), z.maximum(180))

/** Without a link the network's apps do something else when it is pressed, for example send a postback. */
const button = z.object({ title: z.string(), link: text })
export type TemplateButton = z.infer<typeof button>

const buttons = z.catch(z.array(button), [])

const card = z.object({ title: text, text, file, link: text, buttons })
export type TemplateCard = z.infer<typeof card>

const receipt = z.object({
  number: text,
  /** Amounts with their currency, as they are shown. */
  total: text,
  items: z.catch(z.array(z.object({ title: z.string(), quantity: text, price: text })), []),
})

/** `expires_at`: from then on the network shows the story to nobody. */
const story = { story_id: text, file, link: text, expires_at: time }

const parts = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('story_reply'), ...story }),
  z.object({ kind: z.literal('story_mention'), ...story }),
  z.object({
    kind: z.literal('share'),
    what: z.catch(z.enum(['post', 'reel', 'story', 'link']), 'link'),
    file,
    title: text,
    text,
    link: text,
    media_id: text,
  }),
  z.object({
    kind: z.literal('product'),
    file,
    title: text,
    /** As the network shows it. */
    price: text,
    link: text,
    product_id: text,
    retailer_id: text,
  }),
  z.object({
    kind: z.literal('referral'),
    source: z.catch(z.enum(['ad', 'link', 'shop', 'other']), 'other'),
    /** The network's word for the source. */
    source_type: text,
    ref: text,
    title: text,
    file,
    link: text,
    ad_id: text,
    post_id: text,
    product_id: text,
  }),
  z.object({
    kind: z.literal('location'),
    latitude,
    longitude,
    title: text,
  }),
  z.object({ kind: z.literal('sticker'), file, sticker_id: text }),
  z.object({ kind: z.literal('gif'), file }),
  z.object({
    kind: z.literal('template'),
    template_type: text,
    text,
    cards: z.catch(z.array(card), []),
    buttons,
    receipt: z.catch(z.nullish(receipt), null),
  }),
  /** A press of a button; the title of the button is the text of the message. */
  z.object({ kind: z.literal('postback'), payload: text }),
  /** A tap on a quick reply; its title is the text of the message. */
  z.object({ kind: z.literal('quick_reply'), payload: text }),
  /** `seconds`: how long the call lasted. */
  z.object({ kind: z.literal('call'), is_missed: z.boolean(), seconds: z.catch(z.nullish(z.number()), null) }),
  z.object({ kind: z.literal('opt_in'), title: text, ref: text, has_stopped: z.catch(z.boolean(), false) }),
  /** What this version cannot show. `raw`: the network's JSON, null if it is too large to be kept. */
  z.object({ kind: z.literal('unknown'), type: text, raw: text }),
])
/** Every kind. A function, so that the pages do not load the list. */
export const partKinds = (): MessagePart['kind'][] => parts.def.options.flatMap(({ shape }) => shape.kind.def.values)
export type MessagePart = z.infer<typeof parts>
export type PartOf<Kind extends MessagePart['kind']> = Extract<MessagePart, { kind: Kind }>

const named = z.object({ kind: z.string() })

/** A part of a kind that this version does not know, or of another form, becomes an unknown part. */
export function parsePart(value: unknown): MessagePart {
  const read = parts.safeParse(value)
  if (read.success) return read.data
  const name = named.safeParse(value)
  return { kind: 'unknown', type: name.success ? name.data.kind : null, raw: null }
}
