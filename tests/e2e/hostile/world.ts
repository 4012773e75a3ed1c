import type { Page, Route } from '@playwright/test'
import type { Client } from '../../../src/schemas/client.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import type { FaqCategory, FaqEntry, FaqMatch } from '../../../src/schemas/faq.ts'
import type { Attachment, Message } from '../../../src/schemas/message.ts'
import type { Order } from '../../../src/schemas/order.ts'
import type { Page as BusinessPage } from '../../../src/schemas/page.ts'

const moment = '2026-01-05T12:00:00.000Z'
/** Each a second later than the one before. */
const momentAfter = (seconds: number) => new Date(Date.parse(moment) + seconds * 1_000).toISOString()

/** A thread of attachments is too tall to be shown at once. */
export const inThirds = <Item>(items: readonly Item[]): [Item[], Item[], Item[]] => {
  const third = Math.ceil(items.length / 3)
  return [items.slice(0, third), items.slice(third, 2 * third), items.slice(2 * third)]
}

/** Everybody and everything is called by the strings: the first person by the first string, and so on. */
export function hostileWorld(strings: readonly string[]) {
  const row = (text: string, index: number): Conversation => ({
    primary_user_id: `c${index}`,
    fb_user_id: `u${index}`,
    page_id: 'p0',
    page_ids: 'p0, p1',
    page_names: text,
    page_count: 2,
    platform: 'messenger',
    unified_name: text,
    first_name: text,
    last_name: text,
    profile_pic: text,
    client_id: `k${index}`,
    client_first_name: text,
    client_last_name: text,
    company_name: text,
    unread_messages: 0,
    total_messages: 1,
    last_message_at: momentAfter(-index),
    last_message_text: text,
    last_message_direction: 'incoming',
    last_message_page_id: 'p0',
    last_message_page_name: text,
    psid: '1',
  })
  const message = (id: string, index: number, more: Partial<Message>): Message => ({
    message_id: id,
    fb_user_id: 'u0',
    primary_user_id: 'c0',
    page_id: 'p0',
    direction: 'incoming',
    is_read: true,
    created_at: momentAfter(index),
    ...more,
  })
  const attached = (text: string, index: number): Attachment[] => [
    { id: `i${index}`, name: text, image_data: { url: text, preview_url: text } },
    { id: `v${index}`, name: text, video_data: { url: text } },
    { id: `s${index}`, name: text, audio_data: { url: text } },
    { id: `f${index}`, name: text, file_data: { url: text } },
    { id: `n${index}`, name: text, file_data: { url: '/avatar.png' } },
  ]
  const client = (text: string, index: number): Client => ({
    id: `k${index}`,
    first_name: text,
    last_name: null,
    company_name: text,
    email: text,
    phone: text,
    classification: text,
    is_active: true,
    fb_user_id: `u${index}`,
    created_at: moment,
  })
  const order = (text: string, index: number): Order => ({
    id: `o${index}`,
    order_number: text,
    status: text,
    total_amount: 100,
    created_at: moment,
    payments: [{ id: `y${index}`, amount: 50, status: text, created_at: moment }],
    items: [{ name: text, quantity: 1, unit_price: 100 }],
  })
  const page = (text: string, index: number): BusinessPage => ({
    page_id: `p${index}`,
    page_name: text,
    is_active: true,
    page_username: text,
    page_category: text,
    page_profile_pic_url: text,
    created_at: moment,
  })
  const entry = (text: string, index: number): FaqEntry => ({
    id: `e${index}`,
    title: text,
    category_id: `g${index}`,
    category_name: text,
    keywords: [text],
    response: text,
    is_active: true,
    priority: 0,
    created_by_name: text,
    created_at: moment,
  })
  const category = (text: string, index: number): FaqCategory => ({ id: `g${index}`, name: text })
  const match = (text: string, index: number): FaqMatch => ({
    id: `e${index}`,
    title: text,
    category: text,
    priority: 0,
    matched_keywords: [text],
  })

  /** Everybody but the last is a client already. */
  const rows = [...strings.map(row), { ...row(strings[0] ?? '', strings.length), client_id: null }]
  const texts = strings.map((text, index) => message(`t${index}`, index, { message_text: text }))
  const links = strings.map((text, index) =>
    message(`l${index}`, index, {
      message_text: `https://example.com/${text} and https://${text}`,
      direction: 'outgoing',
    }),
  )
  const files = strings.map((text, index) =>
    message(`a${index}`, index, { attachments: { data: attached(text, index) }, page_name: text }),
  )
  const pages = strings.map(page)
  const numberIn = (text: string | undefined) => Number(/\d+$/.exec(text ?? '')?.[0] ?? 0)
  const at = (index: number) => strings[index] ?? ''

  function answer(method: string, { pathname, searchParams }: URL): unknown {
    const path = pathname.replace(/^\/api/, '')
    if (path === '/facebook/conversations') {
      const pagination = { page: 1, limit: 20, total: rows.length, totalPages: 1, hasNext: false, hasPrev: false }
      const wanted = /^u\d+$/.test(searchParams.get('search') ?? '')
        ? [rows[numberIn(searchParams.get('search') ?? '')]]
        : rows
      return { data: wanted, pagination }
    }
    const thread = /^\/facebook\/conversations\/(c\d+)\/messages$/.exec(path)?.[1]
    if (thread === 'c0') return { data: { messages: texts, hasMore: false } }
    if (thread === 'c1') return { data: { messages: links, hasMore: false } }
    const part = ['c2', 'c3', 'c4'].indexOf(thread ?? '')
    if (part >= 0) return { data: { messages: inThirds(files)[part], hasMore: false } }
    if (thread !== undefined) return { data: { messages: [], hasMore: false } }
    if (/\/mark-read$/.test(path)) return { data: { updated: 0 } }
    if (/\/best-page$/.test(path)) return { data: { page_id: 'p0', psid: '1' } }
    if (/\/identity\//.test(path)) return { data: { psid: '1' } }
    if (path === '/facebook/pages') return { data: { data: pages } }
    if (path === '/facebook/search-clients')
      return { data: strings.map((text, index) => ({ ...client(text, index), fb_user_id: null })) }
    if (/^\/clients\/k\d+$/.test(path)) return { data: client(at(numberIn(path)), numberIn(path)) }
    if (path === '/orders') {
      const index = numberIn(searchParams.get('client_id') ?? '')
      return { data: [order(at(index), index)] }
    }
    if (path === '/faq/categories') return { data: strings.map(category) }
    if (path === '/faq/entries') return { data: strings.map(entry) }
    if (path === '/faq/test-match') return { data: { message: at(0), matches: strings.map(match) } }
    if (path === '/facebook/sync-all-recent' && method === 'POST')
      return {
        data: {
          totalSyncedMessages: 0,
          pagesSynced: 0,
          failures: strings.map((text, index) => ({ page_id: `p${index}`, page_name: text, error: text })),
        },
      }
    return null
  }

  return {
    rows,
    /** Whom to link with a client. */
    stranger: `c${strings.length}`,
    moment,
    /** Has this world answer instead of the server; who is signed in and realtime stay the server's. */
    answerIn: (browserPage: Page) =>
      browserPage.route('**/api/**', async (route: Route) => {
        const request = route.request()
        const body = answer(request.method(), new URL(request.url()))
        if (body === null) return route.fallback()
        return route.fulfill({ json: { success: true, ...body } })
      }),
  }
}
