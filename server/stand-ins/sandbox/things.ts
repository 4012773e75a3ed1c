import type { Random } from './random.ts'

/** What people send besides texts and files, and what another app of the page sends them. */
export const thingKinds = [
  'sticker',
  'gif',
  'location',
  'story_reply',
  'story_mention',
  'link',
  'post',
  'reel',
  'product',
  'ad',
  'product_question',
  'referral',
  'postback',
  'quick_reply',
  'opt_in',
  'call',
  'generic_template',
  'button_template',
  'receipt',
  'media_template',
  'booking',
  'unsupported',
  'heart',
] as const
export type ThingKind = (typeof thingKinds)[number]
export type Thing = { kind: ThingKind; seed: number }

const ofInstagram: readonly [ThingKind, ...ThingKind[]] = [
  'story_reply',
  'story_mention',
  'post',
  'reel',
  'ad',
  'postback',
  'quick_reply',
  'referral',
  'unsupported',
]
const ofMessenger: readonly [ThingKind, ...ThingKind[]] = [
  'sticker',
  'sticker',
  'gif',
  'location',
  'link',
  'post',
  'product',
  'ad',
  'postback',
  'quick_reply',
  'referral',
  'call',
]

export const inventThing = (random: Random, platform: 'messenger' | 'instagram'): Thing => ({
  kind: random.pick(platform === 'instagram' ? ofInstagram : ofMessenger),
  seed: random.between(1, 24),
})

/** Sent by the page, so that its webhook is an echo. */
export const isOfPage = (kind: ThingKind): boolean => /template$|^receipt$/.test(kind)

type Described = {
  /** The text of the message; null if the thing has none. */
  text: string | null
  /** Fields of the message in the webhook. */
  message?: Record<string, unknown>
  /** The event in place of a message. Without `isStored` the network lists no message for it. */
  event?: Record<string, unknown>
  isStored: boolean
  /** Fields of the message in answers of the Graph API. */
  graph?: Record<string, unknown>
}

const products = ['Tarpaulin 3×5 ft', 'Calling cards, 100 pieces', 'Pancit bilao for 10', 'Lumpia tray'] as const
const places = [
  [14.6507, 121.1029],
  [14.5764, 121.0851],
  [14.6255, 121.1245],
  [14.6091, 121.0223],
] as const
const buttons = ['Mga presyo', 'Get Started', 'Mag-order', 'Business hours'] as const
const tapped = ['Pickup', 'Delivery', 'Opo', 'Bukas na lang'] as const

const at = <const Items extends readonly unknown[]>(items: Items, seed: number): Items[number] =>
  items[seed % items.length] as Items[number]

/**
 * The shapes of the network's references (webhook events, Conversations API) for a thing. The same thing always gives the
 * same values. `urlOf` gives the address of a picture or file, `mid` is the id of the message.
 */
export function describeThing({ kind, seed }: Thing, mid: string, urlOf: (path: string) => string): Described {
  const photo = urlOf(`photos/${seed}.png`)
  const attached = (...attachments: object[]) => ({ attachments })
  const listed = (...data: object[]) => ({ attachments: { data } })
  const image = (url: string, more: object = {}) => ({
    image_data: { width: 320, height: 240, url, preview_url: url, ...more },
  })
  const none = { text: null, isStored: true }
  switch (kind) {
    case 'sticker': {
      const url = urlOf(`pages/${seed}.png`)
      const sticker_id = 369239263222822 + seed
      // Both types, as during the network's transition.
      const [old, current] = ['image', 'sticker'].map((type) => ({ type, payload: { url, sticker_id } }))
      return { ...none, message: attached(old ?? {}, current ?? {}), graph: { sticker: url } }
    }
    case 'heart':
      return { ...none, message: attached({ type: 'like_heart' }), graph: { sticker: urlOf('pages/1.png') } }
    case 'gif': {
      const url = urlOf(`gifs/${seed}.gif`)
      const answer = {
        id: `${mid}-1`,
        mime_type: 'image/gif',
        name: `${seed}.gif`,
        ...image(url, { animated_gif_url: url }),
      }
      return { ...none, message: attached({ type: 'image', payload: { url } }), graph: listed(answer) }
    }
    case 'location': {
      const [lat, long] = at(places, seed)
      const location = { title: 'Pinned location', type: 'location', payload: { coordinates: { lat, long } } }
      return { ...none, message: attached(location), graph: { message: '' } }
    }
    case 'story_reply': {
      const story = { id: String(17_900_000_000_000 + seed), url: photo }
      return {
        ...none,
        text: 'Available pa po ba ito?',
        message: { reply_to: { story } },
        graph: { story: { reply_to: { id: story.id, link: photo } } },
      }
    }
    case 'story_mention':
      return {
        ...none,
        message: attached({ type: 'story_mention', payload: { url: photo } }),
        graph: { story: { mention: { id: String(17_900_000_000_000 + seed), link: photo } } },
      }
    case 'link': {
      const [title, url] = ['Mga disenyo ng tarpaulin', `https://designs.example/ideas/${seed}`]
      return {
        ...none,
        text: url,
        message: attached({ type: 'fallback', title, url, payload: { title, url } }),
        graph: { shares: { data: [{ id: `${mid}-s`, link: url, name: title, description: 'Sampung ideya' }] } },
      }
    }
    case 'post': {
      const payload = {
        url: photo,
        title: 'Bagong sample ng invitation',
        ig_post_media_id: String(18_000_000_000_000 + seed),
      }
      return {
        ...none,
        message: attached({ type: 'ig_post', payload }),
        graph: {
          shares: { data: [{ id: `${mid}-s`, link: 'https://www.instagram.com/p/sandbox/', name: payload.title }] },
        },
      }
    }
    case 'reel': {
      const payload = {
        url: urlOf(`clips/${seed}.webm`),
        title: 'Paano ginagawa',
        reel_video_id: String(18_100_000_000_000 + seed),
      }
      return {
        ...none,
        message: attached({ type: 'ig_reel', payload }),
        graph: {
          shares: { data: [{ id: `${mid}-s`, link: 'https://www.instagram.com/reel/sandbox/', name: payload.title }] },
        },
      }
    }
    case 'product': {
      const title = at(products, seed)
      const subtitle = `₱${(seed * 50).toFixed(2)}`
      const element = {
        id: String(4_000_000_000 + seed),
        retailer_id: `SKU-${seed}`,
        image_url: photo,
        title,
        subtitle,
      }
      return {
        ...none,
        text: 'Magkano po kung sampu?',
        message: attached({ type: 'template', payload: { product: { elements: [element] } } }),
        graph: listed({ id: `${mid}-1`, generic_template: { title, subtitle, media_url: photo } }),
      }
    }
    case 'ad': {
      const ads_context_data = { ad_title: `Promo ng ${at(products, seed)}`, photo_url: photo, post_id: `1042_${seed}` }
      const referral = {
        ref: `promo-${seed}`,
        source: 'ADS',
        type: 'OPEN_THREAD',
        ad_id: String(6_045_000_000 + seed),
        ads_context_data,
      }
      return { ...none, text: 'Interested po ako sa promo', message: { referral } }
    }
    case 'product_question':
      return {
        ...none,
        text: 'Meron pa po nito?',
        message: { referral: { product: { id: String(4_000_000_000 + seed) } } },
      }
    case 'referral':
      return {
        text: null,
        isStored: false,
        event: { referral: { ref: `flyer-${seed}`, source: 'SHORTLINK', type: 'OPEN_THREAD' } },
      }
    case 'postback': {
      const title = at(buttons, seed)
      return { ...none, text: title, event: { postback: { mid, title, payload: `BUTTON_${seed % buttons.length}` } } }
    }
    case 'quick_reply':
      return {
        ...none,
        text: at(tapped, seed),
        message: { quick_reply: { payload: `CHOICE_${seed % tapped.length}` } },
      }
    case 'opt_in': {
      const optin = {
        type: 'notification_messages',
        payload: `list-${seed}`,
        notification_messages_token: `token-of-the-sandbox-${seed}`,
        notification_messages_timezone: 'UTC',
        user_token_status: 'NOT_REFRESHED',
        title: 'Mga bagong promo',
      }
      return { text: null, isStored: false, event: { optin } }
    }
    case 'call':
      return { text: null, isStored: false }
    case 'generic_template': {
      const title = at(products, seed)
      const subtitle = `₱${(seed * 50).toFixed(2)}, ready in 3 days`
      const cta = [
        { type: 'web_url', title: 'View website', url: 'https://shop.example/item' },
        { type: 'postback', title: 'Order now', payload: 'ORDER' },
      ]
      const payload = { template_type: 'generic', elements: [{ title, subtitle, image_url: photo, buttons: cta }] }
      return {
        ...none,
        message: attached({ type: 'template', title, url: null, payload }),
        graph: listed({ id: `${mid}-1`, generic_template: { title, subtitle, media_url: photo, cta } }),
      }
    }
    case 'button_template': {
      const text = 'Paano po namin kayo matutulungan?'
      const choices = ['Mga presyo', 'Kausapin ang staff'].map((title) => ({ type: 'postback', title, payload: title }))
      return {
        ...none,
        message: attached({ type: 'template', payload: { template_type: 'button', text, buttons: choices } }),
        graph: listed({ id: `${mid}-1`, generic_template: { title: text, cta: choices } }),
      }
    }
    case 'receipt': {
      const title = at(products, seed)
      const payload = {
        template_type: 'receipt',
        order_number: `SO-${1_000 + seed}`,
        currency: 'PHP',
        elements: [{ title, quantity: 2, price: seed * 50 }],
        summary: { total_cost: seed * 100 },
      }
      return {
        ...none,
        message: attached({ type: 'template', payload }),
        graph: listed({ id: `${mid}-1`, generic_template: { title: `Receipt ${payload.order_number}` } }),
      }
    }
    case 'media_template': {
      const elements = [
        {
          media_type: 'image',
          url: photo,
          buttons: [{ type: 'web_url', title: 'See more', url: 'https://shop.example/gallery' }],
        },
      ]
      const payload = { template_type: 'media', elements }
      return {
        ...none,
        message: attached({ type: 'template', payload }),
        graph: listed({ id: `${mid}-1`, generic_template: { media_url: photo, cta: elements[0]?.buttons } }),
      }
    }
    case 'booking': {
      const payload = {
        booking_id: String(9_000 + seed),
        status: 'requested',
        start_time: 1_790_000_000,
        end_time: 1_790_003_600,
        timezone: 'Asia/Manila',
      }
      return { ...none, message: attached({ type: 'appointment_booking', payload }), graph: { is_unsupported: true } }
    }
    case 'unsupported':
      return { ...none, message: { is_unsupported: true }, graph: { is_unsupported: true } }
  }
}
