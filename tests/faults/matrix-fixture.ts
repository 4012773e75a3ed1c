import { createHash } from 'node:crypto'
import { vi } from 'vitest'
import type { AnyActorRef, Snapshot } from 'xstate'
import { selectSession } from '../../src/machines/app.ts'
import type { Toast } from '../../src/machines/shell/notifier.ts'
import { selectToasts } from '../../src/machines/shell/notifier.ts'
import type { ApiKey } from '../../src/schemas/api-key.ts'
import type { CsvImport } from '../../src/schemas/csv-import.ts'
import type { Shop } from '../../src/schemas/shop.ts'
import type { WebhookDelivery, WebhookEndpoint } from '../../src/schemas/webhook.ts'
import { createProvider, type Provider, providerKey } from '../../src/services/session/supabase.ts'
import { createSessionServices } from '../../src/session-services.ts'
import { settled } from '../model/harness.ts'
import { stateOf } from '../model/inbox-fixture.ts'
import { createArea } from './memory-storage.ts'
import { migrationOf } from './session/migration-of.ts'
import { createBrowser, createWorld, openTab, start, type World } from './session/session-world.ts'

/** What the API does instead of a successful answer. */
export type Fault =
  | { kind: 'noAnswer' }
  | { kind: 'timeout' }
  | { kind: 'status'; status: number; body: unknown; headers?: () => Readonly<Record<string, string>> }
  | { kind: 'text'; text: string }
  | { kind: 'badRow' }

const moment = '2026-03-01T07:00:00.000Z'
const page = (id: string, name: string) => ({ page_id: id, page_name: name, is_active: true, created_at: moment })
const conversation = (id: string, name: string, rest: object = {}) => ({
  primary_user_id: id,
  fb_user_id: `${id}-p1`,
  page_id: 'p1',
  page_ids: 'p1',
  page_names: 'Bakery',
  page_count: 1,
  unified_name: name,
  unread_messages: 0,
  total_messages: 2,
  last_message_at: moment,
  psid: `psid-${id}`,
  ...rest,
})
const message = (id: string, direction: 'incoming' | 'outgoing') => ({
  message_id: id,
  fb_user_id: 'ana-p1',
  primary_user_id: 'ana',
  page_id: 'p1',
  message_text: `Text of ${id}`,
  direction,
  is_read: true,
  created_at: moment,
})
const client = { id: 'k1', first_name: 'Maria', last_name: 'Santos', is_active: true }
const order = (id: string, number: string, at: string) => ({
  id,
  order_number: number,
  status: 'processing',
  total_amount: 100,
  created_at: at,
  payments: [],
})
const orders = [order('o1', '101', moment), order('o2', '102', '2026-02-01T07:00:00.000Z')]
const job = (id: string) => ({
  id,
  page_id: 'p1',
  platform: 'messenger',
  limit: 50,
  state: 'running',
  conversations_done: 1,
  messages_stored: 2,
  created_at: moment,
})
const settings = { interval_minutes: 5, hours_back: 2, enabled: true }
const autoSync = { isRunning: true, enabled: true, isSyncing: false, config: settings, settings }
export const apiKeyOf = (id: string, name: string): ApiKey => ({
  id,
  name,
  ending: 'abcd',
  scopes: ['clients.import'],
  created_by: 'Ben',
  created_at: '2026-01-05T12:00:00Z',
  last_used_at: null,
})
/** The description is the name by which rows compare what is shown. */
export const endpointOf = (id: string, description: string): WebhookEndpoint => ({
  id,
  url: `https://${id}.example.com/`,
  description,
  events: ['order.changed'],
  is_active: true,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  created_by: 'Ben',
  created_at: '2026-01-05T12:00:00Z',
})
const postOfComments = {
  id: 'post1',
  page_id: 'p1',
  platform: 'messenger',
  kind: 'post',
  is_live: false,
  message: 'Promo',
  picture_url: null,
  permalink: null,
}
export const threadRowOf = (id: string, name: string) => ({
  id,
  post: postOfComments,
  author_name: name,
  last_at: moment,
  waiting_since: moment,
  last_text: 'Magkano po?',
})
const commentWith = (id: string, message: string, by_page: boolean, sends: readonly object[]) => ({
  id,
  parent_id: null,
  by_page,
  author_name: 'Ana',
  message,
  picture_url: null,
  created_at: moment,
  edited_at: null,
  is_hidden: false,
  removed_by: null,
  is_liked: false,
  staff_name: null,
  private_reply: null,
  sends,
})
/** `sends`: the unconfirmed answers to the first comment. */
export const commentThreadOf = (sends: readonly object[] = []) => ({
  id: 't1',
  post: postOfComments,
  author_name: 'Ana',
  waiting_since: moment,
  last_at: moment,
  conversation_id: null,
  client_id: null,
  comments: [commentWith('c1', 'Magkano po?', false, sends), commentWith('c2', 'P250 po', true, [])],
})
const deliveryOf = (id: number, type: string): WebhookDelivery => ({
  id,
  event_id: `evt_${id}`,
  type,
  state: 'delivered',
  attempts: 1,
  created_at: '2026-01-05T12:00:00Z',
  last_attempt_at: '2026-01-05T12:00:00Z',
  next_attempt_at: null,
  status: 200,
  error: null,
})
export const shopOf = (id: string, name: string): Shop => ({
  id,
  kind: 'shopify',
  name,
  address: `${id}.myshopify.com`,
  state: 'connected',
  connected_at: '2026-01-05T12:00:00Z',
  synced_until: null,
  run: null,
  error: null,
  clients: 0,
  orders: 0,
  refused: 0,
  refusals: [],
})
export const member = {
  id: 's2',
  email: 'ben@example.com',
  name: 'Ben',
  role: 'agent',
  is_active: true,
  has_second_factor: true,
}
export const importOf = (change: Partial<CsvImport>): CsvImport => ({
  id: 'i1',
  kind: 'clients',
  file_name: 'clients.csv',
  state: 'checked',
  encoding: 'UTF-8',
  separator: ',',
  columns: [],
  examples: [],
  mapping: { fields: { id: 0, name: 1 }, amounts: 'point', dates: 'mdy' },
  rows: 1,
  done: 1,
  created: 1,
  changed: 0,
  unchanged: 0,
  refused: 1,
  waiting: 0,
  error: null,
  started_by_name: 'Ben',
  created_at: '2026-01-05T12:00:00Z',
  finished_at: null,
  ...change,
})
const auditEntry = (id: number, name: string) => ({
  id,
  created_at: '2026-01-05T12:00:00Z',
  staff_id: 's2',
  staff_name: name,
  action: 'sign-out',
  row_kind: null,
  row_id: null,
  address: null,
  user_agent: null,
  details: {},
})
const note = (id: string, text: string) => ({
  id,
  primary_user_id: 'ana',
  staff_id: 's2',
  text,
  mentions: [],
  created_at: moment,
})
const hit = (id: string, name: string) => ({ id, name })
const label = (id: string, name: string) => ({ id, name, colour: 'blue', keywords: [] })
const savedFilter = (id: string, name: string) => ({
  id,
  name,
  view: 'waiting',
  page_id: null,
  label_id: null,
  assigned_to: 'nobody',
  unread_only: false,
})
const alarm = (id: number, text: string) => ({ id, kind: 'token', text, started_at: moment, ended_at: null })
const entry = { id: 'f1', title: 'Hours', category_id: 'c1', keywords: ['open'], response: 'From 9.', is_active: true }
/** The product and the order that the rows edit. */
export const product = { id: 'p1', code: 'M-1', name: 'Mug', price: 12_550, is_active: true }
const recordedPayment = (id: string, reference: string) => ({
  id,
  amount: 40,
  status: 'pending',
  created_at: moment,
  method: 'gcash',
  reference,
  message_id: null,
  recorded_by_name: null,
  decided_by_name: null,
  is_imported: false,
})
const orderDetails = {
  ...order('o1', '101', moment),
  client_id: 'k1',
  status: 'pending',
  discount: null,
  delivery_fee: null,
  message_id: null,
  created_by_name: null,
  is_imported: false,
  payments: [recordedPayment('y1', 'GC-1'), recordedPayment('y2', 'GC-2')],
  messages: [],
}
/** The saved reply that the rows edit, delete and use. */
export const savedReply = {
  id: 'r1',
  name: 'hours',
  text: 'From 9 to 6.',
  page_ids: null,
  uses: 2,
  created_by_name: null,
  created_at: moment,
  updated_by_name: null,
  updated_at: moment,
}
const run = (pages: object[]) => ({
  id: 'r1',
  state: 'completed',
  trigger: 'forced',
  started_at: moment,
  messages: 2,
  pages,
})
const ranFor = run([
  { page_id: 'p1', page_name: 'Bakery', messages: 1 },
  { page_id: 'p2', page_name: 'Flowers', messages: 1 },
])
const pageFailures = [
  { page_id: 'p1', page_name: 'Bakery', error: 'No token' },
  { page_id: 'p2', page_name: 'Flowers', error: 'No answer' },
]
const counted = { total: 2, active24h: 1, active7d: 1 }
const stats = {
  messages: { total: 4, incoming: 2, outgoing: 2, unread: 0 },
  conversations: counted,
  users: { total: 2, linked: 1, active24h: 1 },
  total_conversations: 2,
  unread_messages: 0,
}

const data = (value: unknown) => ({ success: true, data: value })
const nothing = { success: true }

/** `of`: the conversation of the second chat. */
const offeredPages = [
  { id: 'p8', name: 'Cakes', is_connected: false },
  { id: 'p9', name: 'Pies', is_connected: false },
]
const removedClient = (id: string, name: string) => ({
  id,
  name,
  kept: null,
  removed_at: '2026-01-15T12:00:00Z',
  removed_by: null,
  undo_until: '2026-02-14T12:00:00Z',
})
const chatsOfAna = (of: string) => [
  { id: 'ana', primary_user_id: 'ana', client_id: null },
  { id: 'ana-2', primary_user_id: of, client_id: null },
]

/** Every call of spec section 7 that the session's services make, with a successful answer. */
const answers: Readonly<Record<string, unknown>> = {
  'GET /facebook/conversations': {
    success: true,
    data: [conversation('ana', 'Ana Cruz', { client_id: 'k1' }), conversation('ben', 'Ben Reyes')],
    pagination: { page: 1, limit: 20, total: 40, totalPages: 2, hasNext: true, hasPrev: false },
  },
  'GET /facebook/conversations/ana/messages': data({
    messages: [message('m1', 'incoming'), message('m2', 'outgoing')],
    hasMore: true,
  }),
  'GET /facebook/conversations/zoe/messages': data({ messages: [], hasMore: false }),
  'GET /facebook/conversations/ben/messages': data({ messages: [], hasMore: false }),
  'POST /facebook/send-message': data({ message_id: 'm9', created_at: moment }),
  'POST /facebook/conversations/ana/mark-read': nothing,
  'POST /facebook/messages/m1/unconfirmed-reply': data({
    state: 'discarded',
    question: message('m1', 'incoming'),
    reply: null,
  }),
  'GET /facebook/stats': data(stats),
  'GET /facebook/users/ana/best-page': data({ page_id: 'p1', psid: 'psid-ana' }),
  'GET /facebook/users/ana/identity/p1': data({ psid: 'psid-ana' }),
  'POST /facebook/link-client': nothing,
  'GET /facebook/chats/ana': data({
    client: { id: 'k1', name: 'Maria' },
    chats: [
      { fb_user_id: 'ana', page_name: 'Bakery', is_first: true },
      { fb_user_id: 'ana-2', page_name: 'Flowers', is_first: false },
    ],
  }),
  'POST /facebook/unlink-client': data(chatsOfAna('ana')),
  'POST /facebook/join-chats': data(chatsOfAna('ana')),
  'POST /facebook/split-chat': data(chatsOfAna('ana-2')),
  'GET /facebook/search-clients': data([client, { ...client, id: 'k2', first_name: 'Marian' }]),
  'GET /clients/k1': data(client),
  'POST /clients': data({ ...client, id: 'k3' }),
  'GET /orders': data(orders),
  'GET /facebook/orders/ana': data({ orders }),
  'GET /facebook/pages': data({ data: [page('p1', 'Bakery'), page('p2', 'Flowers')] }),
  'POST /facebook/logins': data({ state: 'state1', address: 'https://network.example/dialog' }),
  'POST /facebook/logins/complete': data({ pages: offeredPages }),
  'POST /facebook/logins/connect': nothing,
  'POST /facebook/pages/verify-token': data({ id: 'p9', name: 'Cakes' }),
  'POST /facebook/pages': nothing,
  'PUT /facebook/pages/p1': nothing,
  'GET /facebook/pages/p1/deletion': data({
    conversations: 1,
    shared_conversations: 0,
    messages: 2,
    unsent_messages: 0,
  }),
  'DELETE /facebook/pages/p1': nothing,
  'POST /facebook/pages/refresh-profile-pictures': nothing,
  'POST /facebook/refresh-all-profile-pictures': nothing,
  'POST /facebook/refresh-user-profile/ana': data({ new_profile_pic: 'https://example.com/new.png' }),
  'GET /facebook/pages/p1/sync-status': data({ totalMessages: 4, historicalMessages: 2, hasHistoricalSync: true }),
  'POST /facebook/pages/p1/sync-history': data(job('j1')),
  'GET /persons/ana/export': { format: 'staff-inbox-person', version: 1 },
  'GET /persons/ana/erasable': data({ messages: 3, files: 1, client: null }),
  'POST /persons/ana/erase': data({ id: 'x1', state: 'running' }),
  'GET /erasures/x1': data({ id: 'x1', state: 'completed' }),
  'GET /facebook/history-syncs/j1': data({ ...job('j1'), state: 'completed' }),
  'POST /facebook/history-syncs/j1/cancel': data({ ...job('j1'), state: 'cancelled' }),
  'POST /facebook/pages/p1/sync-conversation': data({ syncedMessages: 3 }),
  'POST /facebook/pages/p1/sync-recent': data({ syncedMessages: 3 }),
  'POST /facebook/sync-all-recent': data({ totalSyncedMessages: 3, pagesSynced: 2, failures: [] }),
  'GET /facebook/auto-sync/status': data(autoSync),
  'PUT /facebook/auto-sync/config': data(autoSync),
  'POST /facebook/auto-sync/start': data(autoSync),
  'POST /facebook/auto-sync/stop': data({ ...autoSync, isRunning: false }),
  'POST /facebook/auto-sync/force-sync': nothing,
  'POST /auth/change-password': nothing,
  'GET /auth/second-factor': data({ isOn: false, recoveryCodesLeft: 0, isRequired: false }),
  'POST /auth/second-factor/begin': data({ secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/a' }),
  'POST /auth/second-factor/confirm': data({ recoveryCodes: ['aaaabbbbccccdddd'] }),
  'POST /auth/second-factor/disable': nothing,
  'POST /auth/second-factor/recovery-codes': data({ recoveryCodes: ['aaaabbbbccccdddd'] }),
  'GET /faq/categories': data([
    { id: 'c1', name: 'Payments' },
    { id: 'c2', name: 'Delivery' },
  ]),
  'GET /faq/entries': data([entry, { ...entry, id: 'f2', title: 'Parking' }]),
  'POST /faq/entries': nothing,
  'PUT /faq/entries/f1': nothing,
  'DELETE /faq/entries/f1': nothing,
  'GET /products': data([product, { ...product, id: 'p2', name: 'Shirt' }]),
  'POST /products': nothing,
  'PUT /products/p1': nothing,
  'DELETE /products/p1': nothing,
  'POST /orders': nothing,
  'GET /orders/o1': data(orderDetails),
  'PUT /orders/o1/status': data({ ...orderDetails, status: 'confirmed' }),
  'POST /orders/o1/payments': nothing,
  'PUT /orders/o1/payments/y1/status': data(orderDetails),
  'GET /facebook/pages/p1/message-templates': data([
    { id: 't1', name: 'order_ready', language: 'en', header: null, body: 'Your order is ready.', buttons: [] },
    { id: 't2', name: 'payment', language: 'en', header: null, body: 'Hello {{1}}!', buttons: [] },
  ]),
  'GET /saved-replies': data([savedReply, { ...savedReply, id: 'r2', name: 'parking' }]),
  'POST /saved-replies': nothing,
  'PUT /saved-replies/r1': nothing,
  'DELETE /saved-replies/r1': nothing,
  'POST /saved-replies/r1/used': nothing,
  'GET /staff': data({ staff: [member, { ...member, id: 's3', name: 'Cleo' }], manages_passwords: true }),
  'POST /staff': data({ id: 's3', password: 'one-time' }),
  'PUT /staff/s2': nothing,
  'POST /staff/s2/reset-password': data({ password: 'one-time' }),
  'POST /staff/s2/remove-second-factor': nothing,
  'GET /api-keys': data({ keys: [apiKeyOf('k1', 'Shop'), apiKeyOf('k2', 'Till')] }),
  'POST /api-keys': data({ key: apiKeyOf('k3', 'New'), secret: 'sik_secret' }),
  'DELETE /api-keys/k1': nothing,
  'GET /comments/count': data({ waiting: 3 }),
  'GET /comments/live-sale': data({
    settings: { is_on: false, post_id: null, keyword: 'mine', items: [] },
    version: 0,
    posts: [],
  }),
  'PUT /comments/live-sale': data({
    is_saved: true,
    settings: { is_on: false, post_id: null, keyword: 'mine po', items: [] },
    version: 1,
  }),
  'GET /comments/threads': data({ threads: [threadRowOf('t1', 'Ana'), threadRowOf('t2', 'Ben')], next: 'more' }),
  'GET /comments/threads/t1': data(commentThreadOf()),
  'PUT /comments/threads/t1/done': data({ ...commentThreadOf(), waiting_since: null }),
  'POST /comments/c1/replies': data(commentThreadOf()),
  'POST /comments/sends/k1': data(commentThreadOf()),
  'PUT /comments/c1/hidden': data(commentThreadOf()),
  'PUT /comments/c1/like': data(commentThreadOf()),
  'DELETE /comments/c1': data(commentThreadOf()),
  'GET /webhooks': data({ endpoints: [endpointOf('w1', 'Shop'), endpointOf('w2', 'Till')] }),
  'POST /webhooks': data({ endpoint: endpointOf('w3', 'New'), secret: 'whsec_secret' }),
  'PUT /webhooks/w1': nothing,
  'DELETE /webhooks/w1': nothing,
  'POST /webhooks/w1/secret': data({ secret: 'whsec_secret' }),
  'POST /webhooks/w1/test': nothing,
  'GET /webhooks/w1/deliveries': data({ deliveries: [deliveryOf(2, 'Shop'), deliveryOf(1, 'Till')], next: 1 }),
  'POST /webhooks/w1/deliveries/2/resend': nothing,
  'GET /shops': data({ shops: [shopOf('s1', 'Shop'), shopOf('s2', 'Till')] }),
  'POST /shops': data(shopOf('s3', 'New')),
  'POST /shops/s1/sync': data(shopOf('s1', 'Shop')),
  'DELETE /shops/s1': data({ removed: true }),
  'GET /imports': data({ imports: [importOf({ file_name: 'Shop' }), importOf({ id: 'i2', file_name: 'Till' })] }),
  'GET /imports/i1': data(importOf({})),
  'POST /imports': data(importOf({ state: 'uploading' })),
  'PUT /imports/i1/parts/0': nothing,
  'POST /imports/i1/read': data(importOf({ state: 'reading' })),
  'POST /imports/i1/check': data(importOf({ state: 'checking' })),
  'POST /imports/i1/run': data(importOf({ state: 'running' })),
  'POST /imports/i1/cancel': data(importOf({ state: 'cancelled' })),
  'GET /imports/i1/rows': data({ rows: [], next: null }),
  'POST /imports/i1/refused-rows': data({ path: '/exports/file?ticket=t' }),
  'POST /exports': data({ path: '/exports/file?ticket=t' }),
  'GET /audit': data({ entries: [auditEntry(2, 'Ben'), auditEntry(1, 'Cleo')], next: null, people: [] }),
  'POST /audit/export': 'time,person',
  'GET /assignment-rules': data({ settings: { rules: [], assigns_first_answer: false }, version: 0, members: [] }),
  'PUT /assignment-rules': data({ is_saved: true, settings: { rules: [], assigns_first_answer: true }, version: 1 }),
  'GET /business-hours': data({ settings: { pages: {} }, version: 0, time_zone: 'UTC' }),
  'PUT /business-hours': data({ is_saved: true, settings: { pages: {} }, version: 1 }),
  'GET /reports/waiting': data({
    report: 'waiting',
    from: '2026-01-05',
    to: '2026-01-05',
    time_zone: 'Asia/Manila',
    is_complete: true,
    total: { count: 0, longest_since: null },
    rows: [],
  }),
  'POST /reports/export': 'page,name',
  'GET /alarms': data([alarm(2, 'A page lost its token'), alarm(1, 'The disk is nearly full')]),
  'GET /facebook/team': data([
    { id: 's1', name: 'Ben', is_active: true },
    { id: 's2', name: 'Cleo', is_active: true },
  ]),
  // No rows: one that cannot be read makes the whole answer invalid (tests/faults/send/server-drafts.test.ts).
  'GET /facebook/drafts': data([]),
  'PUT /facebook/drafts/ana': data({ is_saved: true, draft: null }),
  'POST /facebook/conversations/ana/presence': data({
    colleagues: [
      { id: 'tab-of-ben', staff_id: 's1', is_typing: false, remaining: 8_000 },
      { id: 'tab-of-cleo', staff_id: 's2', is_typing: true, remaining: 8_000 },
    ],
  }),
  'GET /facebook/conversations/ana/notes': data({ notes: [note('n1', 'Pays on Friday'), note('n2', 'Likes blue')] }),
  'POST /facebook/conversations/ana/notes': data(note('n3', 'Call back')),
  'DELETE /facebook/notes/n1': nothing,
  'GET /facebook/notification-settings': data({ settings: null, version: 0 }),
  'PUT /facebook/notification-settings': data({ is_saved: true, settings: null, version: 1 }),
  'POST /facebook/conversations/state': data({ results: [{ id: 'ben', state: stateOf(2), refusal: null }] }),
  'GET /facebook/saved-filters': data({
    version: 2,
    filters: [savedFilter('f2', 'Late'), savedFilter('f1', 'Refunds')],
  }),
  'PUT /facebook/saved-filters/f1': data({
    version: 3,
    filters: [savedFilter('f2', 'Late'), savedFilter('f1', 'Money')],
  }),
  'DELETE /facebook/saved-filters/f1': data({
    version: 3,
    filters: [savedFilter('f2', 'Late'), savedFilter('f3', 'Mine')],
  }),
  'GET /facebook/conversations/ana/messages-around': data({
    messages: [message('m1', 'incoming'), message('m2', 'outgoing')],
    has_older: true,
    has_newer: true,
  }),
  'GET /search': data({
    clients: { hits: [hit('k1', 'Maria'), hit('k2', 'Zoe')], next: 'more' },
    orders: null,
    messages: null,
    is_partial: false,
  }),
  'GET /labels': data({ labels: [label('l2', 'Late'), label('l1', 'VIP')] }),
  'POST /labels': data({ id: 'l1', labels: [label('l2', 'Late'), label('l1', 'VIP')] }),
  'PUT /labels/l1': data({ id: 'l1', labels: [label('l2', 'Late'), label('l1', 'VIP')] }),
  'GET /labels/l1/usage': data({ conversations: 2, clients: 1 }),
  'DELETE /labels/l1': data({ labels: [label('l2', 'Late'), label('l3', 'Wholesale')] }),
  'POST /clients/k1/labels': data({ version: 1, label_ids: ['l1'] }),
  'PUT /clients/k1': data({ ...client, version: 2 }),
  'GET /clients/k1/summary': data({ client: { ...client, version: 1 }, orders: 1, payments: 0 }),
  'GET /clients/k2/summary': data({ client: { ...client, id: 'k2', version: 1 }, orders: 0, payments: 0 }),
  'DELETE /clients/k1': data(chatsOfAna('ana')),
  'POST /clients/k1/merge': data(chatsOfAna('ana')),
  'GET /client-removals': data([removedClient('k8', 'Maria'), removedClient('k9', 'Marian')]),
  'POST /client-removals/k8/undo': data(chatsOfAna('ana')),
  'GET /facebook/client-suggestions/ben': data([
    { client: { ...client, id: 'k8' }, reasons: [{ kind: 'phone', value: '0917 123 4567' }] },
    { client: { ...client, id: 'k9', first_name: 'Marian' }, reasons: [{ kind: 'order', value: 'SO-1' }] },
  ]),
  'POST /facebook/client-suggestions/ben/dismiss': nothing,
  'PUT /clients/k1/language': data({ id: 'k1', language: 'fil' }),
  'GET /faq/matching': data({ settings: { least_score: 0.9 }, version: 0 }),
  'PUT /faq/matching': data({ is_saved: true, settings: { least_score: 0.8 }, version: 1 }),
  'GET /faq/wrong-answers': data({
    total: 2,
    answers: ['Hours', 'Parking'].map((faq_title, index) => ({
      message_id: `m${index}`,
      conversation_id: 'ana',
      page_id: 'p1',
      question: 'When?',
      answer: 'Soon.',
      faq_id: 'f1',
      faq_title,
      marked_by_name: 'Paolo',
      marked_at: moment,
    })),
  }),
  'POST /faq/wrong-answers/m1/resolve': nothing,
  'POST /faq/dry-run': data({
    total: 1,
    done: 1,
    outcomes: { answered: 1, staff: 0, recent: 0, doubtful: 0, none: 0 },
    contested: 0,
    entries: [
      { id: 'f1', title: 'Hours', count: 2 },
      { id: 'f2', title: 'Parking', count: 1 },
    ],
    answered: [],
    several: [],
    unanswered: [],
    next: null,
  }),
  'PUT /facebook/messages/m1/wrong-answer': data({ message: message('m1', 'outgoing') }),
  'DELETE /facebook/messages/m1/wrong-answer': data({ message: message('m1', 'outgoing') }),
  'PUT /facebook/messages/m1/reaction': data({ message: message('m1', 'outgoing') }),
  'POST /faq/test-match': data({
    message: 'When?',
    matches: [
      { id: 'f1', title: 'Hours' },
      { id: 'f2', title: 'Parking' },
    ],
  }),
}

/** Answers with rows, for calls whose default answer holds none. */
export const fullerAnswers: Readonly<Record<string, unknown>> = {
  'POST /facebook/pages/refresh-profile-pictures': data({ refreshed: 0, failures: pageFailures }),
  'POST /facebook/refresh-all-profile-pictures': data({ refreshed: 0, failures: pageFailures }),
  'GET /facebook/pages/p1/sync-status': data({
    totalMessages: 4,
    historicalMessages: 2,
    hasHistoricalSync: true,
    underWay: [job('j1'), job('j2')],
  }),
  'POST /facebook/sync-all-recent': data({ totalSyncedMessages: 3, pagesSynced: 0, failures: pageFailures }),
  'GET /facebook/auto-sync/status': data({ ...autoSync, lastRun: ranFor }),
  'PUT /facebook/auto-sync/config': data({ ...autoSync, lastRun: ranFor }),
  'POST /facebook/auto-sync/start': data({ ...autoSync, lastRun: ranFor }),
  'POST /facebook/auto-sync/stop': data({ ...autoSync, isRunning: false, lastRun: ranFor }),
  'POST /facebook/auto-sync/force-sync': data(ranFor),
}

const earlier = (id: string) => ({ ...message(id, 'incoming'), created_at: '2026-03-01T06:00:00.000Z' })
/** A full first page of the list. */
export const fullPage = (...first: object[]) => ({
  success: true,
  data: Array.from({ length: 20 }, (_, n) => first[n] ?? conversation(`guest${n}`, `Guest ${n}`)),
  pagination: { page: 1, limit: 20, total: 22, totalPages: 2, hasNext: true, hasPrev: false },
})
/** The second page of a thread or of the list is the last one. */
const beyond = (call: string) =>
  call.endsWith('/messages')
    ? data({ messages: [earlier('m01'), earlier('m02')], hasMore: false })
    : {
        success: true,
        data: [conversation('cleo', 'Cleo Diaz'), conversation('dan', 'Dan Lim')],
        pagination: { page: 2, limit: 20, total: 22, totalPages: 2, hasNext: false, hasPrev: true },
      }
const isBeyond = (call: string, query: string) =>
  (call.endsWith('/messages') || call.endsWith('/conversations')) && Number(new URLSearchParams(query).get('page')) > 1

export const callsOfTheSession = Object.keys(answers)

/** The same answer with an unreadable row after the first row; null if the answer holds no rows. */
function withBadRow(answer: unknown): unknown {
  if (Array.isArray(answer)) {
    if (answer.length === 0 || typeof answer[0] === 'string') return null
    return [...answer.slice(0, 1), { nothing: 'of this is known' }, ...answer.slice(1)]
  }
  if (typeof answer !== 'object' || answer === null) return null
  for (const [name, value] of Object.entries(answer)) {
    const inner = withBadRow(value)
    if (inner !== null) return { ...answer, [name]: inner }
  }
  return null
}

export const hasRows = (call: string): boolean => withBadRow(fullerAnswers[call] ?? answers[call]) !== null

type Shown = Pick<Toast, 'kind' | 'text'> & { at: number; until: number | null }

/** The name of a failure that is no API call. */
export const savingReport = 'saving a report'

/** The contents of storage from an earlier visit. With tokens, a person is signed in and the list is open. */
export type Stored = 'tokens' | 'ended tokens' | 'an access token' | 'provider session' | 'nothing'

/** The identity provider of a harness: a fake, or the product's code with the provider's unmodified client. */
export type ProviderKind = 'stand-in' | 'real'

/**
 * The whole client without views, composed as for the browser, over an API that succeeds until a fault is set.
 * Uses vitest's fake timers. The realtime channels are always up.
 */
export async function openHarness(
  stored: Stored = 'tokens',
  failing: readonly [call: string, fault: Fault][] = [],
  provider: ProviderKind = 'stand-in',
) {
  const world = createWorld()
  const area = createArea()
  store(stored, world, area)
  if (provider === 'real' && stored === 'provider session') {
    area.setItem(providerKey, JSON.stringify(providerSession(world.people[0]?.id)))
  }
  if (typeof document === 'undefined') stubWindow(area)

  const faults = new Map<string, Fault>(failing)
  const changed = new Map<string, unknown>()
  const hits: string[] = []
  const aborted: string[] = []
  const warnings: string[] = []
  const authFetch = world.fetch
  world.fetch = async (input, init) => {
    const [path = '', query = ''] = String(input).split('?')
    const call = `${init?.method} ${path}`
    const fault = faults.get(call)
    if (fault) {
      hits.push(call)
      init?.signal?.addEventListener('abort', () => aborted.push(call))
    }
    if (fault) {
      const good = isBeyond(call, query) ? beyond(call) : (changed.get(call) ?? answers[call])
      return meet(fault, good, init?.signal ?? null)
    }
    const answer = changed.get(call) ?? answers[call]
    if (call.startsWith('POST /auth/v1/')) return providerAnswer(world, call, init)
    if (answer === undefined) return authFetch(input, init)
    init?.signal?.throwIfAborted()
    return Response.json(isBeyond(call, query) ? beyond(call) : answer)
  }

  const thrown: unknown[] = []
  /** The address of the page, for emailed links. */
  const location = { hash: '', pathname: '/login', search: '' }
  const tab = openTab({
    world,
    browser: createBrowser(area),
    clock: realClock,
    location,
    ...(provider === 'real' ? { createProvider: await realProvider(world) } : {}),
    retries: 2,
    createSessionServices: ({ http, provider: sessionProvider }) =>
      createSessionServices({
        http,
        baseUrl: '/api',
        log: { warn: (text) => void warnings.push(text) },
        sendsKeys: true,
        pictureProxy: null,
        provider: { client: deafClient, accessToken: sessionProvider.accessToken },
        tab: 'tab-1',
        unstored: new Map(),
        isOnline: () => true,
        saveReport: async () => {
          if (faults.has(savingReport)) throw new Error('the browser refused')
        },
        loadLater: async () => undefined,
      }),
  })
  const notifier = tab.app.system.get('notifier')
  const toasts: Shown[] = []
  const known = new Map<number, Shown>()
  notifier.subscribe((snapshot: Parameters<typeof selectToasts>[0]) => {
    const shown = selectToasts(snapshot)
    for (const { id, kind, text } of shown) {
      if (known.has(id)) continue
      const toast = { kind, text, at: Date.now(), until: null }
      known.set(id, toast)
      toasts.push(toast)
    }
    for (const [id, toast] of known) if (!shown.some((one) => one.id === id)) toast.until ??= Date.now()
  })
  tab.app.subscribe({ error: (error) => thrown.push(error) })

  /** Advances the time and delivers all answers. */
  const passes = async (milliseconds: number) => {
    await settled()
    await vi.advanceTimersByTimeAsync(milliseconds)
    await settled()
  }
  /** Waits until a condition holds, in small time steps, so that the time is measured exactly. */
  const until = async (isSo: () => boolean, limit: number, step = 100) => {
    for (let waited = 0; waited < limit && !isSo(); waited += step) await passes(step)
    return isSo()
  }
  const actor = (id: string): AnyActorRef => {
    const found: AnyActorRef | undefined = tab.app.system.get(id)
    if (!found) throw new Error(`there is no actor "${id}"`)
    return found
  }

  return {
    ...tab,
    location,
    /** What the fake provider stores for a session. */
    providerSession: world.people[0]?.id ?? '',
    area,
    toasts,
    thrown,
    hits,
    /** The calls that met a fault and were aborted. */
    aborted,
    /** The log, without names or texts of people. */
    warnings,
    passes,
    until,
    actor,
    auth: tab.actor,
    /** The state of the sign-in. */
    authState: () => tab.actor.getSnapshot(),
    /** The actor of the dialog for a new password; undefined while none is needed. */
    migration: () => migrationOf(tab.actor),
    /** The session actor. The functions below find an actor by its id. */
    session: () => selectSession(tab.app.getSnapshot()),
    has: (id: string): boolean => tab.app.system.get(id) !== undefined,
    snapshot: (id: string): Snapshot<unknown> => actor(id).getSnapshot(),
    fail: (call: string, fault: Fault) => faults.set(call, fault),
    mend: () => faults.clear(),
    answers: (call: string, answer: unknown) => changed.set(call, answer),
    leave: () => {
      tab.close()
      vi.unstubAllGlobals()
      vi.restoreAllMocks()
    },
  }
}

export type Harness = Awaited<ReturnType<typeof openHarness>>

export const messageFixture = message
export const conversationFixture = conversation
export const dataOf = data
export const firstEntry = entry
export const firstPage = page('p1', 'Bakery')
export const firstClient = client
export const firstLabel = label('l1', 'VIP')
export const firstFilter = savedFilter('f1', 'Refunds')

const providerSession = (id = '') => ({
  access_token: `provider ${id}`,
  refresh_token: `refresh ${id}`,
  token_type: 'bearer',
  expires_in: 3_600,
  expires_at: Math.floor(Date.now() / 1_000) + 3_600,
  user: { id },
})

/** The answers of a hosted provider. */
function providerAnswer(world: World, call: string, init: RequestInit | undefined): Response {
  const refused = (status: number, code: string, message: string) =>
    Response.json({ code, message }, { status, headers: { 'x-supabase-api-version': '2024-01-01' } })
  const { email, password } = JSON.parse(typeof init?.body === 'string' ? init.body : '{}')
  const known = world.people.find((one) => one.email === email)
  if (call.endsWith('/logout')) return new Response(null, { status: 204 })
  if (call.endsWith('/signup')) {
    if (!known || known.isRegistered) return refused(422, 'user_already_exists', 'User already registered')
    Object.assign(known, { isRegistered: true, password })
  }
  const isRight = known?.isRegistered === true && known.password === password
  return isRight
    ? Response.json(providerSession(known.id))
    : refused(400, 'invalid_credentials', 'Invalid login credentials')
}

/** The product's provider code over this fake server. Its real-time waits are moved to the simulated time. */
async function realProvider(world: World) {
  const { origin } = new URL('http://provider.test')
  // The provider's code loads on first use, which takes real time.
  await import('@supabase/supabase-js')
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) =>
    world.fetch(String(input).replace(origin, ''), init),
  )
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const limit = new AbortController()
    setTimeout(() => limit.abort(), milliseconds)
    return limit.signal
  })
  vi.spyOn(crypto.subtle, 'digest').mockImplementation(
    async (_, bytes) =>
      Uint8Array.from(
        createHash('sha256')
          .update(new Uint8Array(bytes as ArrayBuffer))
          .digest(),
      ).buffer,
  )
  return (storage: Parameters<typeof createProvider>[0]['storage']) =>
    createProvider({ url: origin, anonKey: 'embedded', storage })
}

const realClock = {
  setTimeout: (work: () => void, milliseconds: number) => setTimeout(work, milliseconds),
  clearTimeout: (id: ReturnType<typeof setTimeout>) => clearTimeout(id),
}

function store(stored: Stored, world: World, area: Storage): void {
  const [person] = world.people
  if (person === undefined || stored === 'nothing') return
  if (stored === 'provider session') {
    area.setItem(providerKey, person.id)
    return
  }
  const pair = world.issue(person)
  area.setItem('token', pair.token)
  if (stored !== 'an access token') area.setItem('refreshToken', pair.refreshToken)
  area.setItem('tokenTimestamp', String(start))
  if (stored === 'ended tokens') world.endAccessTokens()
}

function meet(fault: Fault, answer: unknown, signal: AbortSignal | null): Promise<Response> {
  switch (fault.kind) {
    case 'noAnswer':
      return Promise.reject(new TypeError('Failed to fetch'))
    case 'timeout':
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new DOMException('aborted'))))
    case 'status':
      return Promise.resolve(Response.json(fault.body, { status: fault.status, headers: fault.headers?.() ?? {} }))
    case 'text':
      return Promise.resolve(new Response(fault.text))
    case 'badRow':
      return Promise.resolve(Response.json(withBadRow(answer)))
  }
}

/** Realtime channels that are subscribed and ready at once and never report a change. */
const deafClient = (async () => {
  const channel = {
    on: (kind: string, _: unknown, hear: (payload: unknown) => void) => {
      if (kind === 'system') setTimeout(() => hear({ extension: 'postgres_changes', status: 'ok' }), 1)
      return channel
    },
    subscribe: (hear: (status: string) => void) => hear('SUBSCRIBED'),
  }
  const auth = { getSession: async () => ({ data: { session: {} } }) }
  return { auth, realtime: { setAuth: async () => {} }, channel: () => channel, removeChannel: async () => {} }
}) as unknown as Provider['client']

function stubWindow(area: Storage): void {
  const timers = {
    setTimeout: (work: () => void, milliseconds: number) => setTimeout(work, milliseconds),
    clearTimeout: (id: number) => clearTimeout(id),
    setInterval: (work: () => void, milliseconds: number) => setInterval(work, milliseconds),
    clearInterval: (id: number) => clearInterval(id),
  }
  const document = Object.assign(new EventTarget(), { hidden: false, hasFocus: () => false })
  const ownNavigator = { locks: { request: () => new Promise(() => {}) } }
  const open = () => ({ close: () => {}, location: { replace: () => {} } })
  const address = {
    location: { hash: '', pathname: '/', search: '' },
    history: { state: null, replaceState: () => {} },
  }
  const globals = { document, navigator: ownNavigator, localStorage: area, performance, open, ...address }
  vi.stubGlobal('window', Object.assign(new EventTarget(), timers, globals))
}
