import type { Attachment } from '../../../src/schemas/message.ts'
import type { MessageContent } from '../../../src/schemas/message-content.ts'

/**
 * Events in the shapes of the network's references ("messages", "messaging_postbacks", "messaging_referrals",
 * "messaging_optins", "Webhooks for Instagram Messaging", "Calling webhooks") and of the recordings of restfb and
 * vercel/chat. All values are invented.
 */
export type KindOfMessage = {
  name: string
  /** Without sender, recipient and timestamp. `mid` is filled in. */
  event: Record<string, unknown>
  text: string | null
  content: MessageContent | null
  /** Without ids and sizes. */
  files?: Attachment[]
  direction?: 'outgoing'
}

/** The time of all events. */
export const writtenAt = 1_790_000_000_000
const dayLater = new Date(writtenAt + 24 * 60 * 60_000).toISOString()

/** The place of the server's own origin, from which files may be fetched. */
export const origin = '{origin}'
const cdn = (file: string) => `${origin}/v/${file}?oe=7fffffff`
const stored = (file: string) => `/v/${file}?oe=7fffffff`
const picture = (file: string) => ({ image_data: { url: stored(file), preview_url: stored(file) } })

const message = (content: Record<string, unknown>) => ({ message: content })
const attached = (...attachments: object[]) => message({ attachments })
const noShare = { title: null, text: null, link: null, media_id: null, file: null }
const noReferral = {
  source_type: null,
  ref: null,
  title: null,
  file: null,
  link: null,
  ad_id: null,
  post_id: null,
  product_id: null,
}
const one = (part: object, fallback?: string): MessageContent => ({
  parts: [part],
  ...(fallback === undefined ? {} : { fallback }),
})
const shown = (name: string, event: Record<string, unknown>, part: object, fallback: string, files?: Attachment[]) => ({
  name,
  event,
  text: fallback,
  content: one(part, fallback),
  ...(files === undefined ? {} : { files }),
})

const sticker = { url: cdn('thumb.png'), sticker_id: 369_239_263_222_822 }
const product = {
  id: '4012',
  retailer_id: 'SKU-12',
  image_url: cdn('mug.jpg'),
  title: 'Mug print',
  subtitle: '₱150.00',
}
const advertisement = {
  ref: 'promo-june',
  source: 'ADS',
  type: 'OPEN_THREAD',
  ad_id: '6045246247433',
  ads_context_data: { ad_title: 'June promo', photo_url: cdn('ad.jpg'), post_id: '104_77' },
}
const adPart = {
  ...noReferral,
  kind: 'referral',
  source: 'ad',
  source_type: 'ADS',
  ref: 'promo-june',
  title: 'June promo',
  file: 0,
  ad_id: '6045246247433',
  post_id: '104_77',
}
const buttons = [
  { type: 'web_url', url: 'https://shop.example/', title: 'Visit' },
  { type: 'postback', title: 'Order', payload: 'ORDER' },
]
const shownButtons = [
  { title: 'Visit', link: 'https://shop.example/' },
  { title: 'Order', link: null },
]
const noTemplate = { text: null, cards: [], buttons: [], receipt: null }
const booking = {
  type: 'appointment_booking',
  payload: { booking_id: '7', status: 'requested', start_time: 1_790_000_000 },
}

export const kindsOfMessages: readonly KindOfMessage[] = [
  shown(
    'a sticker, with both types of the transition',
    attached({ type: 'image', payload: sticker }, { type: 'sticker', payload: sticker }),
    { kind: 'sticker', file: 0, sticker_id: '369239263222822' },
    '🙂 Sticker',
    [{ name: null, ...picture('thumb.png') }],
  ),
  shown('a GIF', attached({ type: 'image', payload: { url: cdn('wave.gif') } }), { kind: 'gif', file: 0 }, '🎞️ GIF', [
    { name: 'wave.gif', ...picture('wave.gif') },
  ]),
  shown(
    'a location',
    attached({
      title: 'Pinned location',
      url: 'https://maps.example/',
      type: 'location',
      payload: { coordinates: { lat: 14.65, long: 121.1 } },
    }),
    { kind: 'location', latitude: 14.65, longitude: 121.1, title: 'Pinned location' },
    '📍 Location: Pinned location · 14.65, 121.1',
  ),
  {
    name: 'a reply to a story',
    event: message({ text: 'Magkano po?', reply_to: { story: { url: cdn('story.jpg'), id: '17900' } } }),
    text: 'Magkano po?\n↩️ Replied to your story',
    content: one(
      { kind: 'story_reply', story_id: '17900', file: 0, link: null, expires_at: dayLater },
      '↩️ Replied to your story',
    ),
    files: [{ name: null, ...picture('story.jpg') }],
  },
  shown(
    'a mention in a story',
    attached({ type: 'story_mention', payload: { url: cdn('mention.jpg') } }),
    { kind: 'story_mention', story_id: null, file: 0, link: null, expires_at: dayLater },
    '📣 Mentioned you in a story',
    [{ name: null, ...picture('mention.jpg') }],
  ),
  {
    name: 'a shared link',
    event: message({
      text: 'https://menu.example/',
      attachments: [{ type: 'fallback', title: 'Our menu', url: 'https://menu.example/', payload: 'BLOB' }],
    }),
    text: 'https://menu.example/\n🔗 Our menu https://menu.example/',
    content: one(
      { ...noShare, kind: 'share', what: 'link', title: 'Our menu', link: 'https://menu.example/' },
      '🔗 Our menu https://menu.example/',
    ),
  },
  shown(
    'a shared post of Instagram',
    attached({ type: 'ig_post', payload: { url: cdn('post.jpg'), title: 'New samples', ig_post_media_id: '180' } }),
    { ...noShare, kind: 'share', what: 'post', file: 0, title: 'New samples', media_id: '180' },
    '🔗 New samples',
    [{ name: null, ...picture('post.jpg') }],
  ),
  shown(
    'a shared post without anything but its address',
    attached({ type: 'share', payload: { url: 'https://www.instagram.com/p/abc/' } }),
    { ...noShare, kind: 'share', what: 'post', link: 'https://www.instagram.com/p/abc/' },
    '🔗 https://www.instagram.com/p/abc/',
  ),
  shown(
    'a shared reel',
    attached({ type: 'ig_reel', payload: { url: cdn('reel.mp4'), title: 'How it is made', reel_video_id: '181' } }),
    { ...noShare, kind: 'share', what: 'reel', file: 0, title: 'How it is made', media_id: '181' },
    '🔗 How it is made',
    [{ name: null, video_data: { url: stored('reel.mp4') } }],
  ),
  {
    name: 'a product of the shop',
    event: message({
      text: 'Meron pa po?',
      attachments: [{ type: 'template', payload: { product: { elements: [product] } } }],
    }),
    text: 'Meron pa po?\n🛍️ Mug print · ₱150.00',
    content: one(
      {
        kind: 'product',
        file: 0,
        title: 'Mug print',
        price: '₱150.00',
        link: null,
        product_id: '4012',
        retailer_id: 'SKU-12',
      },
      '🛍️ Mug print · ₱150.00',
    ),
    files: [{ name: null, ...picture('mug.jpg') }],
  },
  {
    name: 'the first message after an ad',
    event: message({ text: 'Interested po', referral: advertisement }),
    text: 'Interested po\n📢 From an ad: June promo',
    content: one(adPart, '📢 From an ad: June promo'),
    files: [{ name: null, ...picture('ad.jpg') }],
  },
  {
    name: 'a question about a product of the shop',
    event: message({ text: 'Available?', referral: { product: { id: '4012' } } }),
    text: 'Available?\n📢 From a product',
    content: one({ ...noReferral, kind: 'referral', source: 'shop', product_id: '4012' }, '📢 From a product'),
  },
  shown(
    'an m.me link that was opened in a known chat',
    { referral: { ref: 'flyer', source: 'SHORTLINK', type: 'OPEN_THREAD' } },
    { ...noReferral, kind: 'referral', source: 'link', source_type: 'SHORTLINK', ref: 'flyer' },
    '📢 From a link: flyer',
  ),
  {
    name: 'a press of a button that an ad led to',
    event: { postback: { mid: 'given', title: 'Get Started', payload: 'START', referral: advertisement } },
    text: 'Get Started\n📢 From an ad: June promo',
    content: { parts: [{ kind: 'postback', payload: 'START' }, adPart], fallback: '📢 From an ad: June promo' },
    files: [{ name: null, ...picture('ad.jpg') }],
  },
  {
    name: 'a quick reply',
    event: message({ text: 'Pickup', quick_reply: { payload: 'PICKUP' } }),
    text: 'Pickup',
    content: one({ kind: 'quick_reply', payload: 'PICKUP' }),
  },
  shown(
    'an opt-in, without its token',
    {
      optin: { type: 'notification_messages', payload: 'x', notification_messages_token: 'secret', title: 'Promos' },
    },
    { kind: 'opt_in', title: 'Promos', ref: null, has_stopped: false },
    '🔔 Agreed to get messages: Promos',
  ),
  shown(
    'the end of an opt-in',
    { optin: { type: 'notification_messages', notification_messages_status: 'STOP NOTIFICATIONS', title: 'Promos' } },
    { kind: 'opt_in', title: 'Promos', ref: null, has_stopped: true },
    '🔔 Stopped messages: Promos',
  ),
  {
    ...shown(
      'a generic template that the page sent',
      message({
        is_echo: true,
        app_id: 1_517_776_481_860_111,
        attachments: [
          {
            title: 'Mug print',
            url: null,
            type: 'template',
            payload: {
              template_type: 'generic',
              elements: [{ title: 'Mug print', subtitle: '₱150.00', image_url: cdn('mug.jpg'), buttons }],
            },
          },
        ],
      }),
      {
        ...noTemplate,
        kind: 'template',
        template_type: 'generic',
        cards: [{ title: 'Mug print', text: '₱150.00', file: 0, link: null, buttons: shownButtons }],
      },
      'Mug print · ₱150.00\n[Visit] [Order]',
      [{ name: null, ...picture('mug.jpg') }],
    ),
    direction: 'outgoing',
  },
  shown(
    'a button template',
    attached({ type: 'template', payload: { template_type: 'button', text: 'How can we help?', buttons } }),
    { ...noTemplate, kind: 'template', template_type: 'button', text: 'How can we help?', buttons: shownButtons },
    'How can we help?\n[Visit] [Order]',
  ),
  shown(
    'a receipt',
    attached({
      type: 'template',
      payload: {
        template_type: 'receipt',
        order_number: 'SO-1',
        currency: 'PHP',
        elements: [{ title: 'Mug print', quantity: 2, price: 150 }],
        summary: { total_cost: 300 },
      },
    }),
    {
      ...noTemplate,
      kind: 'template',
      template_type: 'receipt',
      receipt: {
        number: 'SO-1',
        total: 'PHP 300',
        items: [{ title: 'Mug print', quantity: '2', price: 'PHP 150' }],
      },
    },
    '🧾 Receipt · SO-1 · PHP 300',
  ),
  shown(
    'a media template',
    attached({
      type: 'template',
      payload: { template_type: 'media', elements: [{ media_type: 'image', url: cdn('media.jpg'), buttons }] },
    }),
    {
      ...noTemplate,
      kind: 'template',
      template_type: 'media',
      cards: [{ title: null, text: null, file: 0, link: null, buttons: shownButtons }],
    },
    '[Visit] [Order]',
    [{ name: null, ...picture('media.jpg') }],
  ),
  {
    name: 'a voice message',
    event: attached({ type: 'audio', payload: { url: cdn('voice.mp4') } }),
    text: null,
    content: null,
    files: [{ name: 'voice.mp4', audio_data: { url: stored('voice.mp4') } }],
  },
  {
    name: 'a file',
    event: attached({ type: 'file', payload: { url: cdn('menu.pdf') } }),
    text: null,
    content: null,
    files: [{ name: 'menu.pdf', file_data: { url: stored('menu.pdf') } }],
  },
  shown(
    'an attachment of an unknown type, kept whole',
    attached(booking),
    { kind: 'unknown', type: 'appointment_booking', raw: JSON.stringify(booking) },
    '❔ Something this inbox cannot show (appointment booking)',
  ),
]
