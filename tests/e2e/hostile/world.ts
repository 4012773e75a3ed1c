import type { Page, Route } from '@playwright/test'
import * as z from 'zod/mini'
import { authUser } from '../../../src/schemas/auth.ts'
import type { AutoSyncStatus } from '../../../src/schemas/auto-sync.ts'
import type { Client } from '../../../src/schemas/client.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import type { FaqCategory, FaqEntry, FaqMatch } from '../../../src/schemas/faq.ts'
import type { Attachment, Message } from '../../../src/schemas/message.ts'
import type { Order } from '../../../src/schemas/order.ts'
import type { Page as BusinessPage } from '../../../src/schemas/page.ts'
import type { HistorySync } from '../../../src/schemas/sync.ts'

const moment = '2026-01-05T12:00:00.000Z'
/** `seconds` after `moment`. */
const momentAfter = (seconds: number) => new Date(Date.parse(moment) + seconds * 1_000).toISOString()

/** The response that contains the signed-in user. */
const signedIn = z.looseObject({ data: z.looseObject({ user: authUser }) })

/** The host of all pictures, videos and sounds. */
export const pictures = 'https://pictures.example'
export const pictureOf = (text: string): string => `${pictures}/${text}`

/** Attachments are split over several threads, because one thread would be too tall to render. */
const parts = 8
export const inParts = <Item>(items: readonly Item[]): Item[][] => {
  const size = Math.ceil(items.length / parts)
  return Array.from({ length: parts }, (_, part) => items.slice(part * size, (part + 1) * size))
}

/** The strings joined to as few as possible of at most this number of bytes; a longer string stays alone. */
const joined = (strings: readonly string[], bytes: number): string[] => {
  const groups: string[] = []
  for (const text of strings) {
    const last = groups.at(-1)
    if (last === undefined || Buffer.byteLength(last + text) > bytes) groups.push(text)
    else groups[groups.length - 1] = `${last} ${text}`
  }
  return groups
}

/** Keeps a summary within the message limit of Instagram. Bytes. */
const longestNumber = 700
/** Keeps a search within its limit of 200 characters. Bytes. */
const longestName = 199

/** The strings for places that show one name at a time: a place that needs a navigation for each name is slow to try. */
export const joinedNames = (strings: readonly string[]): string[] => joined(strings, longestName)

/** All strings joined, for places that exist once. */
export const asOne = (strings: readonly string[]): string => strings.join(' | ')

/** The conversations by content. */
const threads = { texts: 'c0', links: 'c1', attachments: (part: number) => `c${2 + part}`, pictures: `c${2 + parts}` }

/**
 * Test data in which each person and thing is named by one string. The person without a client is named by all strings
 * joined.
 */
export function hostileWorld(strings: readonly string[]) {
  const all = asOne(strings)
  const row = (text: string, index: number): Conversation => ({
    primary_user_id: `c${index}`,
    fb_user_id: `u${index}`,
    page_id: `p${index}`,
    page_ids: `p${index}, p${(index + 1) % strings.length}`,
    page_names: text,
    page_count: 2,
    platform: 'messenger',
    unified_name: text,
    first_name: text,
    last_name: text,
    profile_pic: pictureOf(text),
    client_id: `k${index}`,
    client_first_name: text,
    client_last_name: text,
    company_name: text,
    unread_messages: 0,
    total_messages: 1,
    last_message_at: momentAfter(-index),
    last_message_text: text,
    last_message_direction: 'incoming',
    last_incoming_at: '2025-12-01T12:00:00.000Z',
    last_message_page_id: `p${index}`,
    last_message_page_name: text,
    psid: '1',
  })
  const message = (id: string, index: number, more: Partial<Message>): Message => ({
    message_id: id,
    fb_user_id: 'u0',
    primary_user_id: 'c0',
    page_id: `p${index}`,
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
    { id: `j${index}`, name: text, image_data: { url: pictureOf(text) } },
    { id: `w${index}`, name: text, video_data: { url: pictureOf(text) } },
    { id: `t${index}`, name: text, audio_data: { url: pictureOf(text) } },
    { id: `g${index}`, name: text, file_data: { url: pictureOf(text) } },
  ]
  const galleryPicture = (text: string, index: number): Attachment => ({
    id: `q${index}`,
    name: text,
    image_data: { url: pictureOf(text) },
  })
  const client = (text: string, index: number): Client => ({
    id: `k${index}`,
    first_name: text,
    last_name: 'Client',
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
    page_profile_pic_url: pictureOf(text),
    token_invalid_since: moment,
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

  /** All except the last are linked to a client. */
  const rows = [
    ...strings.map(row),
    { ...row(all, strings.length), profile_pic: null, page_id: 'p0', page_ids: 'p0', client_id: null },
  ]
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
  const gallery = strings.map((text, index) =>
    message(`q${index}`, index, { attachments: { data: [galleryPicture(text, index)] } }),
  )
  const numbers = joined(strings, longestNumber)
  const job: HistorySync = {
    id: 'h1',
    page_id: 'p0',
    platform: 'messenger',
    limit: 50,
    state: 'running',
    conversations_done: 0,
    messages_stored: 0,
    unreadable: 0,
    error: all,
    created_at: moment,
  }
  const settings = { interval_minutes: 5, hours_back: 2, enabled: true }
  const autoSync: AutoSyncStatus = {
    isRunning: true,
    enabled: true,
    isSyncing: false,
    settings: { ...settings, last_updated_by: all, last_updated_at: moment },
    lastRun: {
      id: 'r1',
      state: 'failed',
      trigger: 'forced',
      started_by_name: all,
      started_at: moment,
      messages: 0,
      pages: strings.map((text, index) => ({ page_id: `p${index}`, page_name: text, messages: 0, error: text })),
    },
  }
  const pages = [...strings.map(page), { ...page(all, strings.length), page_profile_pic_url: null }]
  const entries = [...strings.map(entry), { ...entry(all, strings.length), keywords: [...new Set(strings)] }]
  const numberIn = (text: string | undefined) => Number(/\d+$/.exec(text ?? '')?.[0] ?? 0)
  const at = (index: number) => strings[index] ?? ''

  const messagesOf = (thread: string): readonly Message[] => {
    const part = Array.from({ length: parts }, (_, at) => threads.attachments(at)).indexOf(thread)
    if (part >= 0) return inParts(files)[part] ?? []
    return { [threads.texts]: texts, [threads.links]: links, [threads.pictures]: gallery }[thread] ?? []
  }
  const refusal = { success: false, error: all }
  let isVerified = false

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
    if (thread !== undefined) return { data: { messages: messagesOf(thread), hasMore: false } }
    if (/\/mark-read$/.test(path)) return { data: { updated: 0 } }
    const person = /^\/facebook\/users\/c(\d+)\/best-page$/.exec(path)?.[1]
    if (person !== undefined) return { data: { page_id: `p${person}`, psid: '1', reason: 'last_incoming' } }
    if (/\/identity\//.test(path)) return { data: { psid: '1', platform: 'messenger' } }
    if (path === '/facebook/send-message') return refusal
    if (path === '/facebook/auto-sync/status') return { data: autoSync }
    if (/\/sync-status$/.test(path))
      return { data: { totalMessages: 0, historicalMessages: 0, hasHistoricalSync: false, underWay: [job] } }
    if (path === '/facebook/history-syncs/h1') return { data: job }
    if (path === '/facebook/pages/verify-token')
      return isVerified ? { data: { id: 'p', name: all, username: all, category: all } } : refusal
    if (/^\/facebook\/pages\/p\d+\/deletion$/.test(path))
      return { data: { conversations: 0, shared_conversations: 0, messages: 0, unsent_messages: 0 } }
    if (/^\/facebook\/orders\/c\d+$/.test(path))
      return { data: { orders: [{ ...order('ready', 0), order_number: numbers[numberIn(path)], payments: [] }] } }
    if (path === '/facebook/link-client' || (path === '/facebook/pages' && method === 'POST')) return refusal
    if (path === '/facebook/pages') return { data: { data: pages } }
    if (path === '/facebook/search-clients' && searchParams.get('search') !== 'maria') return { data: [] }
    if (path === '/facebook/search-clients')
      return { data: strings.map((text, index) => ({ ...client(text, index), fb_user_id: null })) }
    if (/^\/clients\/k\d+$/.test(path)) return { data: client(at(numberIn(path)), numberIn(path)) }
    if (path === '/orders') {
      const index = numberIn(searchParams.get('client_id') ?? '')
      return { data: [order(at(index), index)] }
    }
    if (path === '/faq/categories') return { data: strings.map(category) }
    if (path === '/faq/entries') return { data: entries }
    if (path === '/faq/test-match') return { data: { message: all, matches: strings.map(match) } }
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
    all,
    numbers,
    threads,
    /** The conversation without a client. */
    unlinked: `c${strings.length}`,
    moment,
    /** Answers API calls with this data, except authentication. */
    answerIn: (browserPage: Page) =>
      browserPage.route('**/api/**', async (route: Route) => {
        const request = route.request()
        const body = answer(request.method(), new URL(request.url()))
        if (body === null) return route.fallback()
        return route.fulfill({ status: body === refusal ? 422 : 200, json: { success: true, ...body } })
      }),
    /** Accepts access tokens from now on. */
    acceptTokens: () => {
      isVerified = true
    },
    /** Names the signed-in user by all strings joined. */
    nameIn: (browserPage: Page) =>
      browserPage.route(/\/api\/auth\/(supabase-login|me)$/, async (route: Route) => {
        const response = await route.fetch()
        const { data } = z.parse(signedIn, await response.json())
        await route.fulfill({ json: { success: true, data: { ...data, user: { ...data.user, name: all } } } })
      }),
  }
}
