import { vi } from 'vitest'
import type { ActorRefFrom, AnyActorRef, AnyMachineSnapshot } from 'xstate'
import { dialogs } from '../../src/dialog-registry.ts'
import type { ChatStep } from '../../src/domain/client/chats.ts'
import type { SummaryKind } from '../../src/domain/client/client-calls.ts'
import type { CommentAnswer } from '../../src/domain/comments/answers.ts'
import { defaultSettings } from '../../src/domain/list/notices.ts'
import { newHours } from '../../src/domain/pages/hours-form.ts'
import { selectClient } from '../../src/machines/client/clients.ts'
import type { conversationsMachine } from '../../src/machines/list/conversations.ts'
import { selectRow } from '../../src/machines/list/records.ts'
import { selectPresent } from '../../src/machines/thread/presence.ts'
import type { threadMachine } from '../../src/machines/thread/thread.ts'
import type { CsvImport } from '../../src/schemas/csv-import.ts'
import type { WebhookEndpoint } from '../../src/schemas/webhook.ts'
import { providerKey } from '../../src/services/session/supabase.ts'
import { stateOf } from '../model/inbox-fixture.ts'
import type { Own } from './matrix-faults.ts'
import {
  apiKeyOf,
  commentThreadOf,
  conversationFixture,
  dataOf,
  endpointOf,
  firstClient,
  firstEntry,
  firstFilter,
  firstLabel,
  firstPage,
  fullPage,
  type Harness,
  importOf,
  member,
  product,
  savedReply,
  shopOf,
  threadRowOf,
} from './matrix-fixture.ts'

// Loaded before the first row: real time passes while code loads, and the clock of the rows is simulated.
import.meta.glob(
  [
    '../../src/{domain,machines,services}/**/*.ts',
    '../../src/compose-*.ts',
    '../../src/{part-registry,services-on-demand,sign-in-steps}.ts',
  ],
  { eager: true },
)

// Loads the code of the dialogs beforehand, because the rows test their calls and not the loading time.
await Promise.all(Object.values(dialogs).map(({ loadView }) => loadView()))

export type Row = {
  call: string
  /** The place that makes the call, if there are several. */
  at?: string
  /** The function in src/services that makes the call, if there are several. */
  from?: string
  own: Own
  /** Prepares the state in which the call is made. */
  prepare?: (harness: Harness) => Promise<unknown>
  act: (harness: Harness) => unknown
  /** Whether the loading indicator of the call is shown. */
  isBusy: (harness: Harness) => boolean
  /** The caller waits no longer than this for an answer, in milliseconds; by default the 30 s of all calls. */
  patience?: number
  /** Reads the input of the person for the call. */
  typed?: (harness: Harness) => unknown
  /** The text if the specification deviates from the rule; null is no text. */
  told?: (name: string, rule: string | null) => string | null
  /** If the answer holds rows: which names are shown, and under which label an unreadable row is counted. */
  list?: { shown: (harness: Harness) => unknown; names: readonly string[]; counted: string }
}

export const snapshotOf = (actor: AnyActorRef): AnyMachineSnapshot => actor.getSnapshot()
const childOf = (actor: AnyActorRef, id: string): AnyActorRef | undefined => snapshotOf(actor).children[id]
const hasDialog = (harness: Harness) => snapshotOf(harness.actor('dialog')).context.opened !== null
export const onDemand = (harness: Harness): AnyActorRef => {
  const opened = snapshotOf(harness.actor('dialog')).context.opened
  if (!opened) throw new Error('no dialog is open')
  return opened.actor
}
export const inDialog = (harness: Harness, id: string): AnyActorRef => {
  const found = childOf(onDemand(harness), id)
  if (!found) throw new Error(`the dialog has no ${id}`)
  return found
}
const is = (actor: AnyActorRef, state: Parameters<AnyMachineSnapshot['matches']>[0]) => snapshotOf(actor).matches(state)
const isLoadingPart = (harness: Harness, part: string) => {
  const actor = childOf(harness.actor('clientPage'), part)
  return actor !== undefined && is(actor, 'loading')
}
export const to = (harness: Harness, id: string, type: string, rest: object = {}) =>
  harness.actor(id).send({ type, ...rest })
export const session = (harness: Harness, type: string, rest: object = {}) =>
  harness.session()?.send({ type, ...rest } as never)

export const open = async (harness: Harness, id = 'ana') => {
  session(harness, 'conversation.selected', { id })
  await harness.passes(500)
}
/** A refused call may have ended the session and closed the dialog. */
const isLoadingDialog = (harness: Harness): boolean =>
  harness.session()?.getSnapshot().children.dialog?.getSnapshot().matches('loading') ?? false
const openDialog =
  (dialog: object, isOpen = true) =>
  async (harness: Harness) => {
    to(harness, 'dialog', 'dialog.requested', { dialog })
    // The view and the machine load first, then the services that the machine calls.
    do {
      await vi.dynamicImportSettled()
      await harness.passes(1)
    } while (isLoadingDialog(harness))
    await vi.dynamicImportSettled()
    await harness.passes(1)
    if (isOpen) await harness.passes(500)
  }
const openImport = (change: Partial<CsvImport>) => async (harness: Harness) => {
  await openDialog({ name: 'dataTransfer', input: { mayImport: true } })(harness)
  onDemand(harness).send({ type: 'import.opened', item: importOf(change) })
  await harness.passes(500)
}
const personalData = openDialog({
  name: 'personalData',
  input: { conversationId: 'ana', name: 'Ana', mayExport: true, mayErase: true },
})
const erasing = async (harness: Harness) => {
  await personalData(harness)
  onDemand(harness).send({ type: 'word.typed', word: 'erase' })
}
const chats = openDialog({ name: 'chats', input: { conversationId: 'ana' } })
const chatSteps: readonly { path: string; failure: string; step: ChatStep }[] = [
  {
    path: 'unlink-client',
    failure: 'Failed to remove the link',
    step: { kind: 'unlink', clientId: 'k1', name: 'Maria' },
  },
  {
    path: 'split-chat',
    failure: 'Failed to split off the chat',
    step: { kind: 'split', chatId: 'ana-2', name: 'Flowers' },
  },
  { path: 'join-chats', failure: 'Failed to join the chats', step: { kind: 'join', otherId: 'ben', name: 'Ben' } },
]
const chosen = (step: ChatStep) => async (harness: Harness) => {
  await chats(harness)
  if (step.kind === 'join') {
    onDemand(harness).send({ type: 'search.typed', term: 'ben' })
    await harness.passes(500)
  }
  onDemand(harness).send({ type: 'step.chosen', step })
}
const pageManager = openDialog({ name: 'pageManager' })
const login = openDialog({ name: 'facebookLogin' })
const atNetwork = async (harness: Harness) => {
  await login(harness)
  onDemand(harness).send({ type: 'login.requested' })
  await harness.passes(100)
}
const returned = { type: 'login.returned', outcome: 'allowed', codeToken: 'code1' }
const offered = async (harness: Harness) => {
  await atNetwork(harness)
  onDemand(harness).send(returned)
  await harness.passes(100)
  onDemand(harness).send({ type: 'page.toggled', pageId: 'p9' })
}
const faq = openDialog({ name: 'faq' })
export const historySync = (pageId: string | null) => openDialog({ name: 'historySync', input: { pageId } })
const withProviderToken = async (harness: Harness) => {
  harness.area.setItem(providerKey, harness.providerSession)
}
const password = async (harness: Harness) => {
  await withProviderToken(harness)
  await openDialog({ name: 'changePassword', input: { email: 'ana@example.com', purpose: 'own' } })(harness)
}
const factor = openDialog({ name: 'secondFactor', input: { at: 'menu' } })
const factorIsOff = async (harness: Harness) => {
  await withProviderToken(harness)
  await factor(harness)
}
const factorIsOn = async (harness: Harness) => {
  harness.answers('GET /auth/second-factor', dataOf({ isOn: true, recoveryCodesLeft: 9, isRequired: false }))
  await factor(harness)
}
const secretIsShown = async (harness: Harness) => {
  await factorIsOff(harness)
  onDemand(harness).send({ type: 'enrolment.requested', password: 'mine' })
  await harness.passes(100)
}
const autoSync = openDialog({ name: 'autoSyncControl' })
const prefilled = { firstName: 'Ana', lastName: '', email: '', phone: '', company: '' }
const linking = openDialog({ name: 'linkClient', input: { conversationId: 'ana', prefilled } }, false)
export const searched = async (harness: Harness) => {
  await linking(harness)
  onDemand(harness).send({ type: 'search.typed', term: 'maria' })
  await harness.passes(500)
}
const fields = { firstName: 'Ana', lastName: 'Cruz', email: '', phone: '', company: '' }
export const writing = async (harness: Harness) => {
  await linking(harness)
  onDemand(harness).send({ type: 'form.opened' })
  onDemand(harness).send({ type: 'fields.typed', fields })
}
export const pageForm = (page: object | null) => async (harness: Harness) => {
  await pageManager(harness)
  onDemand(harness).send(page === null ? { type: 'item.added' } : { type: 'item.edited', item: page })
  inDialog(harness, 'pageForm').send({ type: 'name.edited', name: 'Cakes' })
}
const verified = (page: object | null) => async (harness: Harness) => {
  if (page !== null) harness.answers('POST /facebook/pages/verify-token', dataOf({ id: 'p1', name: 'Bakery' }))
  await pageForm(page)(harness)
  inDialog(harness, 'pageForm').send({ type: 'token.edited', token: 'secret' })
  inDialog(harness, 'pageForm').send({ type: 'verification.requested' })
  await harness.passes(5_100)
}
const faqForm = (entry: object | null) => async (harness: Harness) => {
  await faq(harness)
  onDemand(harness).send(entry === null ? { type: 'item.added' } : { type: 'item.edited', item: entry })
  const change = { title: 'New title', categoryId: 'c1', keywords: ['when'], response: 'Soon.' }
  inDialog(harness, 'faqForm').send({ type: 'fields.typed', change })
}
const asked = (type: string) => async (harness: Harness) => {
  if (type === 'page') await pageManager(harness)
  else await faq(harness)
  onDemand(harness).send({ type: 'deletion.requested', item: type === 'page' ? firstPage : firstEntry })
  await harness.passes(100)
}
const running = async (harness: Harness) => {
  await historySync('p1')(harness)
  onDemand(harness).send({ type: 'sync.requested' })
  await harness.passes(1)
}

export const conversations = (harness: Harness): ActorRefFrom<typeof conversationsMachine> =>
  harness.actor('conversations') as never
export const thread = (harness: Harness): ActorRefFrom<typeof threadMachine> => harness.actor('thread') as never
const send = (harness: Harness) => {
  to(harness, 'outbox', 'send.requested', { draftId: 'd1', conversationId: 'ana', pageId: null, text: 'Good morning' })
}
const outgoing = (harness: Harness): { status: string; text: string }[] =>
  snapshotOf(harness.actor('outbox')).context.outgoing
const isSending = (harness: Harness) =>
  outgoing(harness).some(({ status }) => status === 'pending' || status === 'queued')
const isReading = (harness: Harness) => is(thread(harness), { reading: 'marking' })
const isLoadingThread = (harness: Harness) =>
  is(thread(harness), { content: 'loading' }) ||
  is(thread(harness), { content: 'finding' }) ||
  is(thread(harness), { content: { showing: 'resyncing' } }) ||
  is(thread(harness), { content: { showing: 'loadingOlder' } })
const isListLoading = (harness: Harness) =>
  is(conversations(harness), 'loading') ||
  is(conversations(harness), { loaded: { freshness: 'refreshing' } }) ||
  is(conversations(harness), { loaded: { paging: 'loadingMore' } })
const summaries = (harness: Harness): AnyActorRef => {
  const found = childOf(thread(harness), 'summaries')
  if (!found) throw new Error('the thread has no summaries')
  return found
}
export const replyDecision = (harness: Harness): AnyActorRef => {
  const found = childOf(thread(harness), 'replyDecision')
  if (!found) throw new Error('the thread has no decisions of automatic replies')
  return found
}
const isRouting = (harness: Harness) => {
  const route = childOf(thread(harness), 'sendRoute')
  return route !== undefined && (is(route, 'findingPage') || is(route, 'findingIdentity'))
}
const askRoute = (harness: Harness) => to(harness, 'thread', 'route.requested', { pageId: null })

const listed = (...names: string[]) => ({
  shown: (harness: Harness) => {
    const records = snapshotOf(harness.actor('records'))
    return snapshotOf(conversations(harness)).context.order.map((id: string) => selectRow(id)(records))
  },
  names,
  counted: 'conversations',
})
const written = (...names: string[]) => ({
  shown: (harness: Harness) => snapshotOf(thread(harness)).context.thread.messages,
  names,
  counted: 'messages',
})
const bought = (shown: (harness: Harness) => unknown) => ({ shown, names: ['101', '102'], counted: 'orders' })
const summary = bought((harness) => snapshotOf(summaries(harness)).context.made?.text)
const partOf = (harness: Harness, part: string) => {
  const actor = childOf(harness.actor('clientPage'), part)
  return actor && snapshotOf(actor).context.data
}
const entries = (shown: (harness: Harness) => unknown) => ({ shown, names: ['Hours', 'Parking'], counted: 'FAQs' })
const entriesShown = entries((harness) => snapshotOf(onDemand(harness)).context.entries)
const pagesTold = {
  shown: (harness: Harness) => harness.toasts.map(({ kind, text }) => [kind, text]),
  names: ['Bakery: No token', 'Flowers: No answer'],
  counted: 'failures of pages',
}
const lastRun = {
  shown: (harness: Harness) => snapshotOf(harness.actor('autoSync')).context.status.lastRun,
  names: ['Bakery', 'Flowers'],
  counted: 'pages of a sync',
}

export const more = (harness: Harness) => to(harness, 'conversations', 'more.requested')
/** These calls belong to the same client. */
const found = (...ids: string[]) => ({
  success: true,
  data: ids.map((id) => conversationFixture(id, `${id.charAt(0).toUpperCase()}${id.slice(1)}`, { client_id: 'k1' })),
  pagination: { page: 1, limit: 20, total: ids.length, totalPages: 1, hasNext: false, hasPrev: false },
})
const refresh = (harness: Harness) => session(harness, 'refetch.requested')
const own = (text: string | null, withReason?: Own['withReason']): Own => (withReason ? { text, withReason } : { text })
/** No toast except for an expired session, by the specification or the rule for lookups. */
/** A user of an API with states of conversations, and a list whose rows have them. */
const withStates = async (harness: Harness) => {
  const row = { ...conversationFixture('ben', 'Ben'), state: stateOf(1) }
  const pagination = { page: 1, limit: 20, total: 1, totalPages: 1, hasNext: false, hasPrev: false }
  harness.answers('GET /facebook/conversations', { success: true, data: [row], pagination })
  const user = { ...snapshotOf(harness.actor('session')).context.user, features: ['conversation-states'] }
  session(harness, 'user.confirmed', { user })
  await vi.dynamicImportSettled()
  session(harness, 'refetch.requested')
  await harness.passes(500)
}

const foundClients = {
  shown: (harness: Harness) => snapshotOf(inDialog(harness, 'search')).context.hits.clients,
  names: ['Maria', 'Zoe'],
  counted: 'clients',
}

/** A user of an API with the search, who has the palette open. */
const withSearch = async (harness: Harness) => {
  const known = snapshotOf(harness.actor('session')).context.user
  session(harness, 'user.confirmed', { user: { ...known, features: ['search'] } })
  await openDialog({ name: 'palette' })(harness)
  await vi.dynamicImportSettled()
}

/** A user of an API that keeps drafts, which are fetched. */
const withDrafts = async (harness: Harness) => {
  const known = snapshotOf(harness.actor('session')).context.user
  session(harness, 'user.confirmed', {
    user: { ...known, features: ['drafts'], permissions: [...known.permissions, 'messages.send'] },
  })
  await vi.dynamicImportSettled()
  await harness.passes(5_000)
}

/** A user of an API with presence and notes, whose code is loaded and who has a conversation open. */
export const withColleagues = async (
  harness: Harness,
  features = ['presence', 'notes'],
  permissions: string[] = [],
) => {
  const known = snapshotOf(harness.actor('session')).context.user
  const user = { ...known, features, permissions: [...known.permissions, ...permissions] }
  session(harness, 'user.confirmed', { user })
  // The code loads after the first rows.
  await harness.passes(100)
  await vi.dynamicImportSettled()
  await open(harness)
}

/** A user of an API with labels, which are fetched. */
const withLabels = async (harness: Harness) => {
  const known = snapshotOf(harness.actor('session')).context.user
  session(harness, 'user.confirmed', { user: { ...known, features: ['labels'] } })
  await harness.passes(100)
  await vi.dynamicImportSettled()
  await harness.passes(500)
}
const labelManager = async (harness: Harness) => {
  await withLabels(harness)
  await openDialog({ name: 'labelManager' })(harness)
}
/** The dialog of saved filters, of a user of an API that has them. The filters are loaded. */
const filterManager = async (harness: Harness) => {
  await withColleagues(harness, ['saved-filters'])
  await openDialog({ name: 'savedFilterManager', input: { values: null } })(harness)
}
const filtersShown = (...names: string[]): NonNullable<Row['list']> => ({
  shown: (harness) => snapshotOf(harness.actor('savedFilters')).context.saved.filters,
  names,
  counted: 'saved filters',
})

const labelsShown = (...names: string[]): NonNullable<Row['list']> => ({
  shown: (harness) => snapshotOf(harness.actor('labels')).context.labels,
  names,
  counted: 'labels',
})

/** A user of an API with saved replies, whose code is loaded and who has a conversation open. */
const withReplies = async (harness: Harness) => {
  const known = snapshotOf(harness.actor('session')).context.user
  session(harness, 'user.confirmed', {
    user: {
      ...known,
      features: ['saved-replies', 'faq-matching', 'reactions'],
      permissions: [...known.permissions, 'messages.send', 'faq.read'],
    },
  })
  await harness.passes(100)
  await vi.dynamicImportSettled()
  await open(harness)
}
const replyManager = openDialog({ name: 'savedReplyManager' })

/** The code of the check is loaded. */
const withCheck = async (harness: Harness) => {
  const known = snapshotOf(harness.actor('session')).context.user
  session(harness, 'user.confirmed', { user: { ...known, features: ['summaries'] } })
  await harness.passes(100)
  await vi.dynamicImportSettled()
  await open(harness)
}
/** A draft with a summary without orders is to be sent. */
const holdSummary = (kind: SummaryKind) => (harness: Harness) =>
  to(harness, 'summaryCheck', 'send.held', {
    draftId: 'd1',
    text: 'Hello!',
    summary: { kind, user_id: 'ana', client_id: 'k1', text: 'Hello!', orders: [] },
  })
const ordersOfCheck = bought((harness) => snapshotOf(harness.actor('summaryCheck')).context.found?.orders)
const replyForm = (reply: object | null) => async (harness: Harness) => {
  await replyManager(harness)
  onDemand(harness).send(reply === null ? { type: 'item.added' } : { type: 'item.edited', item: reply })
  inDialog(harness, 'itemForm').send({ type: 'fields.typed', change: { name: 'when', text: 'Soon.' } })
}
const repliesIn = (shown: (harness: Harness) => unknown) => ({
  shown,
  names: ['hours', 'parking'],
  counted: 'saved replies',
})

const withSuggestions = async (harness: Harness) => {
  const known = snapshotOf(harness.actor('session')).context.user
  session(harness, 'user.confirmed', { user: { ...known, features: ['client-suggestions'] } })
  await vi.dynamicImportSettled()
  await open(harness)
}
const suggestFor = (conversationId: string) => (harness: Harness) =>
  to(harness, 'clientSuggestions', 'subject.changed', { subject: { conversationId, lastMessageAt: null } })
const movedChats = {
  shown: (harness: Harness) => [...snapshotOf(harness.actor('records')).context.records.people.keys()],
  names: ['ana', 'ana-2'],
  counted: 'chats',
}
const editedFields = {
  firstName: 'Maria',
  lastName: 'Cruz',
  email: '',
  phone: '',
  company: 'Corner',
  classification: 'vip',
}
const newOrderInput = { conversationId: 'ana', clientId: 'k1', messageId: null, sources: [] }
const orderInput = { conversationId: 'ana', clientId: 'k1', orderId: 'o1' }
const paymentInput = { conversationId: 'ana', clientId: 'k1', orderId: null, pictures: [] }
const comments = openDialog({ name: 'comments', input: {} })
export const commentThread = async (harness: Harness) => {
  await comments(harness)
  onDemand(harness).send({ type: 'thread.chosen', id: 't1' })
  await harness.passes(500)
}
const inThread = (harness: Harness): AnyActorRef => inDialog(harness, 'commentThread')
export const firstComment = (harness: Harness): AnyActorRef => {
  const [actor] = snapshotOf(inThread(harness)).context.comments
  if (!actor) throw new Error('the thread has no comments')
  return actor
}
const threadsIn = {
  shown: (harness: Harness) => snapshotOf(onDemand(harness)).context.threads,
  counted: 'threads of comments',
}
const commentsIn: NonNullable<Row['list']> = {
  shown: (harness) =>
    snapshotOf(inThread(harness)).context.comments.map(
      (actor: AnyActorRef) => snapshotOf(actor).context.comment.message,
    ),
  names: ['Magkano po', 'P250 po'],
  counted: 'comments',
}
const answersIn = (harness: Harness): readonly CommentAnswer[] => snapshotOf(harness.actor('answers')).context.answers
const isCommentAt = (harness: Harness, work: string) => is(firstComment(harness), { work })
const webhookOf = endpointOf('w1', 'Shop')
const webhookLog = async (harness: Harness) => {
  await openDialog({ name: 'webhooks' })(harness)
  onDemand(harness).send({ type: 'log.requested', item: webhookOf })
  await harness.passes(500)
}
const deliveriesShown = (from: number): NonNullable<Row['list']> => ({
  shown: (harness) =>
    snapshotOf(inDialog(harness, 'webhookLog'))
      .context.deliveries?.slice(from)
      .map(({ type }: { type: string }) => ({ name: type })) ?? null,
  names: ['Shop', 'Till'],
  counted: 'deliveries',
})
const productManager = openDialog({ name: 'productManager' })
const productForm = (item: object | null) => async (harness: Harness) => {
  await productManager(harness)
  onDemand(harness).send(item === null ? { type: 'item.added' } : { type: 'item.edited', item })
  inDialog(harness, 'itemForm').send({ type: 'fields.typed', change: { name: 'Cap', price: '5', code: '' } })
}
const productsIn = (shown: (harness: Harness) => readonly { name: string }[] | null) => ({
  shown,
  names: ['Mug', 'Shirt'],
  counted: 'products',
})

const paymentsShown: NonNullable<Row['list']> = {
  shown: (harness) => snapshotOf(onDemand(harness)).context.order?.payments,
  names: ['GC-1', 'GC-2'],
  counted: 'payments',
}

const silent: Row['told'] = (name, rule) => (name === '401' ? rule : null)

/** Every call of spec section 7 that a session makes, for each place that makes the call. */
export const rows: readonly Row[] = [
  {
    call: 'GET /facebook/conversations',
    own: own('Failed to load conversations'),
    from: 'load',
    act: refresh,
    isBusy: isListLoading,
    list: listed('Ana Cruz', 'Ben Reyes'),
  },
  {
    call: 'GET /facebook/conversations',
    at: 'another filter',
    own: own('Failed to load conversations'),
    act: (harness) => to(harness, 'conversations', 'unreadOnly.chosen', { unreadOnly: true }),
    isBusy: isListLoading,
    typed: (harness) => snapshotOf(conversations(harness)).context.query,
    list: listed('Ana Cruz', 'Ben Reyes'),
  },
  {
    call: 'GET /facebook/conversations',
    at: 'Load more',
    own: own('Failed to load more conversations'),
    prepare: async (harness) => {
      harness.answers('GET /facebook/conversations', fullPage())
      refresh(harness)
      await harness.passes(500)
    },
    act: more,
    isBusy: isListLoading,
    list: listed('Guest 0', 'Guest 19', 'Cleo Diaz', 'Dan Lim'),
  },
  {
    call: 'GET /facebook/conversations',
    at: 'a link to a conversation',
    from: 'findConversation',
    own: own('Failed to load messages'),
    prepare: async (harness) => harness.answers('GET /facebook/conversations', found('ana', 'zoe')),
    act: (harness) => session(harness, 'conversation.selected', { id: 'zoe' }),
    isBusy: isLoadingThread,
    list: {
      shown: (harness) => selectRow('zoe')(snapshotOf(harness.actor('records'))),
      names: ['Zoe'],
      counted: 'conversations',
    },
  },
  {
    call: 'GET /facebook/conversations',
    at: "a client's chats",
    from: 'loadChats',
    own: own('Failed to load conversations'),
    prepare: async (harness) => {
      harness.answers('GET /clients/k1', dataOf({ ...firstClient, fb_user_id: 'ana-p1' }))
      harness.answers('GET /facebook/conversations', found('ana', 'zoe'))
    },
    act: (harness) => session(harness, 'client.opened', { id: 'k1' }),
    isBusy: (harness) => isLoadingPart(harness, 'chats'),
    list: {
      shown: (harness) =>
        partOf(harness, 'chats')?.chatIds?.map((id: string) => selectRow(id)(snapshotOf(harness.actor('records')))),
      names: ['Ana', 'Zoe'],
      counted: 'conversations',
    },
  },
  {
    call: 'GET /facebook/conversations',
    at: 'the command palette',
    own: own('Failed to load conversations'),
    prepare: async (harness) => {
      await openDialog({ name: 'palette' })(harness)
      harness.answers('GET /facebook/conversations', found('ana', 'zoe'))
    },
    act: (harness) => onDemand(harness).send({ type: 'term.typed', term: 'zoe' }),
    isBusy: (harness) => is(onDemand(harness), { open: 'debouncing' }) || is(onDemand(harness), { open: 'searching' }),
    typed: (harness) => snapshotOf(onDemand(harness)).context.term,
    list: {
      shown: (harness) =>
        snapshotOf(onDemand(harness)).context.found.map((id: string) =>
          selectRow(id)(snapshotOf(harness.actor('records'))),
        ),
      names: ['Ana', 'Zoe'],
      counted: 'conversations',
    },
  },
  ...(['loading', 'older', 'newer', 'refetch'] as const).map((part) => {
    const states = {
      loading: 'loading',
      older: { showing: 'loadingOlder' },
      newer: { showing: 'loadingNewer' },
      refetch: { showing: 'refetching' },
    } as const
    const begin = (harness: Harness) =>
      to(harness, 'around', 'message.requested', { conversationId: 'ana', messageId: 'm1' })
    return {
      call: 'GET /facebook/conversations/ana/messages-around',
      at: `around a found message: ${part}`,
      own: own('Failed to load messages'),
      prepare: async (harness: Harness) => {
        const known = snapshotOf(harness.actor('session')).context.user
        session(harness, 'user.confirmed', { user: { ...known, features: ['search'] } })
        await vi.dynamicImportSettled()
        await open(harness)
        if (part === 'loading') return
        begin(harness)
        await harness.passes(500)
      },
      act: (harness: Harness) => (part === 'loading' ? begin(harness) : to(harness, 'around', `${part}.requested`)),
      isBusy: (harness: Harness) => is(harness.actor('around'), states[part]),
      // The screen itself says that the message does not exist.
      ...(part === 'loading' && { told: (name: string, rule: string | null) => (name === '404' ? null : rule) }),
      list: {
        shown: (harness: Harness) =>
          snapshotOf(harness.actor('around')).context.around?.thread.messages.map(
            ({ message_text }: { message_text: string }) => message_text,
          ),
        names: ['Text of m1', 'Text of m2'],
        counted: 'messages',
      },
    }
  }),
  {
    call: 'GET /search',
    at: 'the command palette',
    own: own('We could not search clients, orders and messages.'),
    prepare: (harness) => withSearch(harness),
    act: (harness) => onDemand(harness).send({ type: 'term.typed', term: 'mar' }),
    isBusy: (harness) => is(inDialog(harness, 'search'), 'debouncing') || is(inDialog(harness, 'search'), 'searching'),
    typed: (harness) => snapshotOf(onDemand(harness)).context.term,
    list: foundClients,
  },
  {
    call: 'GET /search',
    at: 'further hits of a group',
    own: own('We could not search clients, orders and messages.'),
    prepare: async (harness) => {
      await withSearch(harness)
      onDemand(harness).send({ type: 'term.typed', term: 'mar' })
      await harness.passes(1_000)
    },
    act: (harness) => inDialog(harness, 'search').send({ type: 'more.requested', kind: 'clients' }),
    isBusy: (harness) => is(inDialog(harness, 'search'), 'loadingMore'),
    typed: (harness) => snapshotOf(onDemand(harness)).context.term,
    list: foundClients,
  },
  {
    call: 'GET /facebook/conversations/ana/messages',
    own: own('Failed to load messages'),
    act: (harness) => session(harness, 'conversation.selected', { id: 'ana' }),
    isBusy: isLoadingThread,
    list: written('Text of m1', 'Text of m2'),
  },
  {
    call: 'GET /facebook/conversations/ana/messages',
    at: 'a refresh',
    own: own('Failed to load messages'),
    prepare: open,
    act: refresh,
    isBusy: isLoadingThread,
    list: written('Text of m1', 'Text of m2'),
  },
  {
    call: 'GET /facebook/conversations/ana/messages',
    at: 'older messages',
    own: own('Failed to load messages'),
    prepare: open,
    act: (harness) => to(harness, 'thread', 'older.requested'),
    isBusy: isLoadingThread,
    list: written('Text of m01', 'Text of m02', 'Text of m1', 'Text of m2'),
  },
  {
    call: 'POST /facebook/send-message',
    own: own('Failed to send message'),
    prepare: open,
    act: send,
    isBusy: isSending,
    typed: (harness) => outgoing(harness).map(({ text }) => text),
  },
  {
    call: 'GET /facebook/users/ana/best-page',
    own: own(null),
    prepare: open,
    act: send,
    isBusy: isSending,
    // The first entry of page_ids is used (spec section 4).
    told: (name, rule) => (name === '401' ? rule : 'Message sent successfully'),
  },
  {
    call: 'GET /facebook/users/ana/identity/p1',
    own: own(null),
    prepare: open,
    act: send,
    isBusy: isSending,
    // The conversation's own psid is used (spec section 4).
    told: (name, rule) => (name === '401' ? rule : 'Message sent successfully'),
  },
  {
    call: 'GET /facebook/users/ana/best-page',
    at: 'what the composer shows',
    own: own(null),
    prepare: open,
    act: askRoute,
    isBusy: isRouting,
    told: silent,
  },
  {
    call: 'GET /facebook/users/ana/identity/p1',
    at: 'what the composer shows',
    own: own(null),
    prepare: open,
    act: askRoute,
    isBusy: isRouting,
    told: silent,
  },
  {
    call: 'POST /facebook/conversations/ana/mark-read',
    own: own('Failed to mark as read'),
    prepare: open,
    act: (harness) => to(harness, 'thread', 'read.requested'),
    isBusy: isReading,
  },
  {
    call: 'POST /facebook/messages/m1/unconfirmed-reply',
    own: own('That did not work. Check the automatic reply again before you send or discard it.'),
    prepare: open,
    act: (harness) =>
      replyDecision(harness).send({ type: 'reply.decided', questionId: 'm1', decision: 'discard', tries: 1 }),
    isBusy: (harness) => is(replyDecision(harness), 'deciding'),
  },
  {
    call: 'GET /facebook/stats',
    own: own(null),
    act: refresh,
    isBusy: (harness) => is(harness.actor('stats'), 'loading'),
  },
  {
    call: 'GET /facebook/pages',
    own: own('Failed to load Facebook pages'),
    act: refresh,
    isBusy: (harness) => is(harness.actor('pages'), 'loading'),
    prepare: async (harness) => harness.passes(1),
    list: {
      shown: (harness) => snapshotOf(harness.actor('pages')).context.pages.inOrder,
      names: ['Bakery', 'Flowers'],
      counted: 'pages',
    },
  },
  {
    call: 'GET /facebook/auto-sync/status',
    own: own(null),
    act: (harness) => to(harness, 'autoSync', 'refetch.requested'),
    isBusy: (harness) => is(harness.actor('autoSync'), { watching: 'polling' }),
    told: silent,
    list: lastRun,
  },
  {
    call: 'GET /clients/k1',
    from: 'loadProfile',
    own: own(null),
    act: (harness) => session(harness, 'conversation.selected', { id: 'ana' }),
    isBusy: (harness) => is(harness.actor('clientProfile'), 'loading'),
  },
  {
    call: 'GET /orders',
    own: own('Failed to fetch orders information'),
    prepare: open,
    act: (harness) => to(harness, 'clientOrders', 'refetch.requested'),
    isBusy: (harness) => is(harness.actor('clientOrders'), { showing: 'refreshing' }),
    typed: (harness) => snapshotOf(harness.actor('clientOrders')).context.data,
    list: bought((harness) => snapshotOf(harness.actor('clientOrders')).context.data),
  },
  {
    call: 'GET /clients/k1',
    at: "the client's page",
    from: 'loadProfile',
    own: own(null),
    act: (harness) => session(harness, 'client.opened', { id: 'k1' }),
    isBusy: (harness) => isLoadingPart(harness, 'profile'),
  },
  {
    call: 'GET /orders',
    at: "the client's page",
    own: own('Failed to fetch orders information'),
    act: (harness) => session(harness, 'client.opened', { id: 'k1' }),
    isBusy: (harness) => isLoadingPart(harness, 'orders'),
    list: bought((harness) => partOf(harness, 'orders')),
  },
  {
    call: 'GET /facebook/orders/ana',
    own: own('Failed to fetch orders information'),
    prepare: open,
    act: (harness) => to(harness, 'thread', 'summary.requested', { kind: 'orders' }),
    isBusy: (harness) => is(summaries(harness), 'fetchingOrders'),
    list: summary,
  },
  {
    call: 'GET /orders',
    at: 'Payments',
    own: own('Failed to fetch payment information'),
    prepare: open,
    act: (harness) => to(harness, 'thread', 'summary.requested', { kind: 'payments' }),
    isBusy: (harness) => is(summaries(harness), 'fetchingPayments'),
    list: summary,
  },
  {
    call: 'GET /facebook/orders/ana',
    at: 'the check before a summary is sent',
    own: own(null),
    prepare: withCheck,
    act: holdSummary('orders'),
    isBusy: (harness) => is(harness.actor('summaryCheck'), 'checking'),
    patience: 5_000,
    told: silent,
    list: ordersOfCheck,
  },
  {
    call: 'GET /orders',
    at: 'the check before a summary is sent',
    own: own(null),
    prepare: withCheck,
    act: holdSummary('payments'),
    isBusy: (harness) => is(harness.actor('summaryCheck'), 'checking'),
    patience: 5_000,
    told: silent,
    list: ordersOfCheck,
  },
  {
    call: 'PUT /clients/k1/language',
    own: own('Failed to save the language'),
    prepare: openDialog({ name: 'clientLanguage', input: { clientId: 'k1', language: 'en' } }),
    act: (harness) => onDemand(harness).send({ type: 'language.chosen', language: 'fil' }),
    isBusy: (harness) => is(onDemand(harness), 'saving'),
  },
  {
    call: 'GET /clients/k1',
    at: 'the form that edits a client',
    from: 'loadClientToEdit',
    own: own('Failed to load the client'),
    act: openDialog({ name: 'editClient', input: { clientId: 'k1' } }, false),
    isBusy: (harness) => is(onDemand(harness), 'loading'),
  },
  {
    call: 'PUT /clients/k1',
    own: own('Failed to save the client'),
    prepare: async (harness) => {
      await openDialog({ name: 'editClient', input: { clientId: 'k1' } })(harness)
      onDemand(harness).send({ type: 'fields.typed', fields: editedFields })
    },
    act: (harness) => onDemand(harness).send({ type: 'form.submitted' }),
    isBusy: (harness) => hasDialog(harness) && is(onDemand(harness), 'saving'),
    typed: (harness) => snapshotOf(onDemand(harness)).context.fields,
  },
  {
    call: 'GET /clients/k1/summary',
    own: own('Failed to load what belongs to the client'),
    act: openDialog({ name: 'removeClient', input: { clientId: 'k1' } }, false),
    isBusy: (harness) => is(onDemand(harness), 'loading'),
  },
  {
    call: 'DELETE /clients/k1',
    own: own('Failed to delete the client'),
    prepare: openDialog({ name: 'removeClient', input: { clientId: 'k1' } }),
    act: (harness) => onDemand(harness).send({ type: 'removal.confirmed' }),
    isBusy: (harness) => hasDialog(harness) && is(onDemand(harness), 'removing'),
    list: movedChats,
  },
  {
    call: 'POST /clients/k1/merge',
    own: own('Failed to merge the clients'),
    prepare: async (harness) => {
      await openDialog({ name: 'mergeClients', input: { clientId: 'k1' } })(harness)
      onDemand(harness).send({ type: 'client.chosen', id: 'k2' })
      await harness.passes(100)
    },
    act: (harness) => onDemand(harness).send({ type: 'merge.confirmed' }),
    isBusy: (harness) => hasDialog(harness) && is(onDemand(harness), 'merging'),
    list: movedChats,
  },
  {
    call: 'GET /client-removals',
    own: own('Failed to load the deleted clients'),
    act: openDialog({ name: 'removedClients' }, false),
    isBusy: (harness) => is(onDemand(harness), 'loading'),
    list: {
      shown: (harness) => snapshotOf(onDemand(harness)).context.clients,
      names: ['Maria', 'Marian'],
      counted: 'removed clients',
    },
  },
  {
    call: 'POST /client-removals/k8/undo',
    own: own('Failed to restore the client'),
    prepare: openDialog({ name: 'removedClients' }),
    act: (harness) => onDemand(harness).send({ type: 'restore.requested', id: 'k8' }),
    isBusy: (harness) => is(onDemand(harness), 'restoring'),
    list: movedChats,
  },
  {
    call: 'GET /clients/k2/summary',
    at: 'the preview of a merge',
    own: own('Failed to load what belongs to the client'),
    prepare: openDialog({ name: 'mergeClients', input: { clientId: 'k1' } }),
    act: (harness) => onDemand(harness).send({ type: 'client.chosen', id: 'k2' }),
    isBusy: (harness) => is(onDemand(harness), 'loading'),
  },
  {
    call: 'GET /facebook/search-clients',
    at: 'the search for the client to merge',
    own: own('Failed to search clients'),
    prepare: openDialog({ name: 'mergeClients', input: { clientId: 'k9' } }),
    act: (harness) => onDemand(harness).send({ type: 'search.typed', term: 'maria' }),
    isBusy: (harness) => is(onDemand(harness), { choosing: 'searching' }),
    typed: (harness) => snapshotOf(onDemand(harness)).context.term,
    list: {
      shown: (harness) => snapshotOf(onDemand(harness)).context.found?.clients,
      names: ['Maria', 'Marian'],
      counted: 'clients',
    },
  },
  {
    call: 'GET /facebook/client-suggestions/ben',
    own: own(null),
    prepare: withSuggestions,
    act: suggestFor('ben'),
    isBusy: (harness) => is(harness.actor('clientSuggestions'), 'loading'),
    told: silent,
    list: {
      shown: (harness) => snapshotOf(harness.actor('clientSuggestions')).context.suggestions,
      names: ['Maria', 'Marian'],
      counted: 'suggestions',
    },
  },
  {
    call: 'POST /facebook/client-suggestions/ben/dismiss',
    own: own('Failed to dismiss the suggestion'),
    prepare: async (harness) => {
      await withSuggestions(harness)
      suggestFor('ben')(harness)
      await harness.passes(900)
    },
    act: (harness) => to(harness, 'clientSuggestions', 'suggestion.dismissed', { clientId: 'k8' }),
    isBusy: (harness) => is(harness.actor('clientSuggestions'), 'dismissing'),
  },
  {
    call: 'GET /facebook/search-clients',
    own: own('Failed to search clients'),
    prepare: linking,
    act: (harness) => onDemand(harness).send({ type: 'search.typed', term: 'maria' }),
    isBusy: (harness) => is(onDemand(harness), { open: { search: 'searching' } }),
    typed: (harness) => snapshotOf(onDemand(harness)).context.term,
    list: {
      shown: (harness) =>
        snapshotOf(onDemand(harness)).context.found?.clientIds.map((id: string) =>
          selectClient(id)(snapshotOf(harness.actor('clients'))),
        ),
      names: ['Maria', 'Marian'],
      counted: 'clients',
    },
  },
  {
    call: 'POST /facebook/link-client',
    own: own('Failed to link client'),
    prepare: async (harness) => {
      await searched(harness)
      onDemand(harness).send({ type: 'client.chosen', client: firstClient })
    },
    act: (harness) => onDemand(harness).send({ type: 'link.requested' }),
    isBusy: (harness) => is(onDemand(harness), { open: { work: 'linking' } }),
    typed: (harness) => [snapshotOf(onDemand(harness)).context.term, snapshotOf(onDemand(harness)).context.selected],
  },
  {
    call: 'POST /facebook/link-client',
    at: 'Create & Link',
    own: own('Failed to link user to client'),
    prepare: writing,
    act: (harness) => onDemand(harness).send({ type: 'form.submitted' }),
    isBusy: (harness) => is(onDemand(harness), { open: { work: 'linkingCreated' } }),
    typed: (harness) => snapshotOf(onDemand(harness)).context.created,
  },
  {
    call: 'POST /clients',
    own: own('Failed to create client'),
    prepare: writing,
    act: (harness) => onDemand(harness).send({ type: 'form.submitted' }),
    isBusy: (harness) => is(onDemand(harness), { open: { work: 'creating' } }),
    typed: (harness) => snapshotOf(onDemand(harness)).context.fields,
  },
  {
    call: 'POST /facebook/refresh-user-profile/ana',
    own: own(null),
    act: (harness) =>
      to(harness, 'pictureRenewal', 'picture.shown', {
        picture: { id: 'ana', address: 'https://scontent.fbcdn.net/ana.jpg?oh=00&oe=5f000000' },
      }),
    isBusy: (harness) => is(harness.actor('pictureRenewal'), { renewal: 'renewing' }),
    told: silent,
  },
  {
    call: 'POST /facebook/pages/verify-token',
    own: own('Failed to verify token', (reason) => `Token verification failed: ${reason}`),
    prepare: pageForm(null),
    act: (harness) => {
      inDialog(harness, 'pageForm').send({ type: 'token.edited', token: 'secret' })
      inDialog(harness, 'pageForm').send({ type: 'verification.requested' })
    },
    isBusy: (harness) => is(inDialog(harness, 'pageForm'), { open: { verification: 'verifying' } }),
    typed: (harness) => snapshotOf(inDialog(harness, 'pageForm')).context.name,
  },
  {
    call: 'POST /facebook/pages',
    own: own('Failed to add Facebook page', (reason) => `Failed to add page: ${reason}`),
    prepare: verified(null),
    act: (harness) => inDialog(harness, 'pageForm').send({ type: 'form.submitted' }),
    isBusy: (harness) => is(inDialog(harness, 'pageForm'), { open: { work: 'saving' } }),
    typed: (harness) => snapshotOf(inDialog(harness, 'pageForm')).context.name,
  },
  {
    call: 'PUT /facebook/pages/p1',
    own: own('Failed to update Facebook page', (reason) => `Failed to update page: ${reason}`),
    prepare: verified(firstPage),
    act: (harness) => inDialog(harness, 'pageForm').send({ type: 'form.submitted' }),
    isBusy: (harness) => is(inDialog(harness, 'pageForm'), { open: { work: 'saving' } }),
    typed: (harness) => snapshotOf(inDialog(harness, 'pageForm')).context.name,
  },
  {
    call: 'POST /facebook/logins',
    own: own('Failed to open Facebook'),
    prepare: login,
    act: (harness) => onDemand(harness).send({ type: 'login.requested' }),
    isBusy: (harness) => is(onDemand(harness), 'opening'),
  },
  {
    call: 'POST /facebook/logins/complete',
    own: own('Failed to load your pages from Facebook'),
    prepare: atNetwork,
    act: (harness) => onDemand(harness).send(returned),
    isBusy: (harness) => is(onDemand(harness), 'completing'),
    list: {
      shown: (harness) => snapshotOf(onDemand(harness)).context.pages,
      names: ['Cakes', 'Pies'],
      counted: 'pages',
    },
  },
  {
    call: 'POST /facebook/logins/connect',
    own: own('Failed to connect the page'),
    prepare: offered,
    act: (harness) => onDemand(harness).send({ type: 'connection.requested' }),
    isBusy: (harness) => is(onDemand(harness), 'connecting'),
    typed: (harness) => snapshotOf(onDemand(harness)).context.chosen,
  },
  {
    call: 'GET /facebook/pages/p1/deletion',
    own: own(null),
    prepare: pageManager,
    act: (harness) => onDemand(harness).send({ type: 'deletion.requested', item: firstPage }),
    isBusy: (harness) => is(onDemand(harness), { open: { work: { asking: 'lookingUp' } } }),
    told: silent,
  },
  {
    call: 'DELETE /facebook/pages/p1',
    own: own('Failed to delete Facebook page', (reason) => `Failed to delete page: ${reason}`),
    prepare: asked('page'),
    act: (harness) => onDemand(harness).send({ type: 'deletion.confirmed' }),
    isBusy: (harness) => is(onDemand(harness), { open: { work: 'deleting' } }),
  },
  {
    call: 'POST /facebook/pages/refresh-profile-pictures',
    own: own('Failed to refresh profile pictures'),
    prepare: pageManager,
    act: (harness) => onDemand(harness).send({ type: 'pictures.requested', scope: 'pages' }),
    isBusy: (harness) => is(onDemand(harness), { open: { pictures: 'refreshing' } }),
    list: pagesTold,
  },
  {
    call: 'POST /facebook/refresh-all-profile-pictures',
    own: own('Failed to refresh all profile pictures'),
    prepare: pageManager,
    act: (harness) => onDemand(harness).send({ type: 'pictures.requested', scope: 'all' }),
    isBusy: (harness) => is(onDemand(harness), { open: { pictures: 'refreshing' } }),
    list: pagesTold,
  },
  {
    call: 'GET /facebook/chats/ana',
    own: own('Failed to load the chats'),
    act: openDialog({ name: 'chats', input: { conversationId: 'ana' } }, false),
    isBusy: (harness) => is(onDemand(harness), { open: { work: 'loading' } }),
    list: {
      shown: (harness) => snapshotOf(onDemand(harness)).context.chats?.chats,
      names: ['"ana"', '"ana-2"'],
      counted: 'chats',
    },
  },
  {
    call: 'GET /facebook/conversations',
    at: 'Join chats',
    own: own('Failed to search conversations'),
    prepare: chats,
    act: (harness) => onDemand(harness).send({ type: 'search.typed', term: 'ben' }),
    isBusy: (harness) => is(onDemand(harness), { open: { search: 'searching' } }),
    typed: (harness) => snapshotOf(onDemand(harness)).context.term,
    list: {
      shown: (harness) => snapshotOf(onDemand(harness)).context.found?.candidates,
      names: ['Ben'],
      counted: 'conversations',
    },
  },
  ...chatSteps.map(
    ({ path, step, failure }): Row => ({
      call: `POST /facebook/${path}`,
      own: own(failure),
      prepare: chosen(step),
      act: (harness) => onDemand(harness).send({ type: 'step.confirmed' }),
      // Success closes the dialog.
      isBusy: (harness) => hasDialog(harness) && is(onDemand(harness), { open: { work: 'changing' } }),
      list: movedChats,
    }),
  ),
  {
    call: 'GET /persons/ana/export',
    own: own('Failed to export the personal data'),
    prepare: personalData,
    act: (harness) => onDemand(harness).send({ type: 'export.requested' }),
    isBusy: (harness) => is(onDemand(harness), 'exporting'),
  },
  {
    call: 'GET /persons/ana/erasable',
    own: own('Failed to count what would be erased'),
    act: openDialog(
      { name: 'personalData', input: { conversationId: 'ana', name: 'Ana', mayExport: true, mayErase: true } },
      false,
    ),
    isBusy: (harness) => is(onDemand(harness), 'loading'),
  },
  {
    call: 'POST /persons/ana/erase',
    own: own('Failed to erase the personal data'),
    prepare: erasing,
    act: (harness) => onDemand(harness).send({ type: 'erase.requested' }),
    isBusy: (harness) => is(onDemand(harness), 'starting'),
    typed: (harness) => snapshotOf(onDemand(harness)).context.word,
  },
  {
    call: 'GET /erasures/x1',
    own: own('Failed to erase the personal data'),
    prepare: async (harness) => {
      await erasing(harness)
      onDemand(harness).send({ type: 'erase.requested' })
      await harness.passes(1)
    },
    act: () => {},
    isBusy: (harness) => is(onDemand(harness), { erasing: 'looking' }),
  },
  {
    call: 'GET /facebook/pages/p1/sync-status',
    own: own('Failed to load sync status'),
    prepare: historySync(null),
    act: (harness) => onDemand(harness).send({ type: 'page.chosen', pageId: 'p1' }),
    isBusy: (harness) => is(onDemand(harness), { open: { status: 'loading' } }),
    list: {
      shown: (harness) => snapshotOf(onDemand(harness)).context.status,
      names: ['"j1"', '"j2"'],
      counted: 'syncs under way',
    },
  },
  {
    call: 'POST /facebook/pages/p1/sync-history',
    own: own('Failed to sync historical conversations'),
    prepare: async (harness) => {
      await historySync('p1')(harness)
      onDemand(harness).send({ type: 'limit.typed', limit: '70' })
    },
    act: (harness) => onDemand(harness).send({ type: 'sync.requested' }),
    isBusy: (harness) => is(onDemand(harness), { open: { work: 'starting' } }),
    typed: (harness) => [snapshotOf(onDemand(harness)).context.pageId, snapshotOf(onDemand(harness)).context.limit],
  },
  {
    call: 'GET /facebook/history-syncs/j1',
    own: own('Failed to load sync status'),
    prepare: running,
    act: () => {},
    isBusy: (harness) => is(onDemand(harness), { open: { work: { running: 'asking' } } }),
  },
  {
    call: 'POST /facebook/history-syncs/j1/cancel',
    own: own('Failed to cancel the sync'),
    prepare: running,
    act: (harness) => onDemand(harness).send({ type: 'cancel.requested' }),
    isBusy: (harness) => is(onDemand(harness), { open: { work: 'cancelling' } }),
  },
  {
    call: 'POST /facebook/pages/p1/sync-conversation',
    own: own('Failed to sync conversation'),
    act: (harness) =>
      to(harness, 'conversationSync', 'conversationSync.requested', {
        subject: { pageId: 'p1', psid: 'psid-ana', platform: 'messenger' },
      }),
    isBusy: (harness) => is(harness.actor('conversationSync'), 'syncing'),
  },
  {
    call: 'POST /facebook/pages/p1/sync-recent',
    own: own('Error syncing recent messages', (reason) => `Failed to sync recent messages: ${reason}`),
    prepare: async (harness) => {
      session(harness, 'page.chosen', { pageId: 'p1' })
      await harness.passes(500)
    },
    act: (harness) => session(harness, 'recentSync.requested'),
    isBusy: (harness) => is(harness.actor('recentSync'), 'syncing'),
  },
  {
    call: 'POST /facebook/sync-all-recent',
    own: own('Error syncing recent messages', (reason) => `Failed to sync recent messages: ${reason}`),
    act: (harness) => session(harness, 'recentSync.requested'),
    isBusy: (harness) => is(harness.actor('recentSync'), 'syncing'),
    list: pagesTold,
  },
  {
    call: 'PUT /facebook/auto-sync/config',
    own: own('Failed to update settings'),
    prepare: autoSync,
    act: (harness) =>
      onDemand(harness).send({
        type: 'settings.submitted',
        settings: { interval: '7', hoursBack: '3', enabled: true },
        shown: { interval: '5', hoursBack: '2', enabled: true },
      }),
    isBusy: (harness) => is(onDemand(harness), 'saving'),
    typed: (harness) => snapshotOf(onDemand(harness)).context.typed,
    list: lastRun,
  },
  ...(['start', 'stop'] as const).map(
    (which): Row => ({
      call: `POST /facebook/auto-sync/${which}`,
      own: own('Failed to toggle auto-sync'),
      prepare: autoSync,
      act: (harness) => onDemand(harness).send({ type: `${which}.requested` }),
      isBusy: (harness) => is(onDemand(harness), 'toggling'),
      list: lastRun,
    }),
  ),
  {
    call: 'POST /facebook/auto-sync/force-sync',
    own: own('Failed to force sync'),
    act: (harness) => to(harness, 'autoSync', 'force.requested'),
    isBusy: (harness) => is(harness.actor('autoSync'), { forcing: 'syncing' }),
    list: {
      ...lastRun,
      shown: (harness) => harness.toasts.map(({ kind, text }) => [kind, text]),
      names: ['Force sync completed'],
    },
  },
  {
    call: 'POST /auth/change-password',
    own: own('The password could not be changed. Please try again.'),
    prepare: password,
    act: (harness) =>
      onDemand(harness).send({
        type: 'password.submitted',
        currentPassword: 'the old one',
        password: 'Tricycle 7 mangoes',
        repeatedPassword: 'Tricycle 7 mangoes',
      }),
    isBusy: (harness) => is(onDemand(harness), 'saving'),
  },
  {
    call: 'GET /auth/second-factor',
    own: own('Failed to load two-step sign-in'),
    act: openDialog({ name: 'secondFactor', input: { at: 'menu' } }, false),
    isBusy: (harness) => is(onDemand(harness), 'loading'),
  },
  {
    call: 'POST /auth/second-factor/begin',
    own: own('Two-step sign-in could not be set up. Please try again.'),
    prepare: factorIsOff,
    act: (harness) => onDemand(harness).send({ type: 'enrolment.requested', password: 'mine' }),
    isBusy: (harness) => is(onDemand(harness), 'beginning'),
  },
  {
    call: 'POST /auth/second-factor/confirm',
    own: own('Two-step sign-in could not be set up. Please try again.'),
    prepare: secretIsShown,
    act: (harness) => onDemand(harness).send({ type: 'code.submitted', code: '123456' }),
    isBusy: (harness) => is(onDemand(harness), 'confirming'),
  },
  {
    call: 'POST /auth/second-factor/disable',
    own: own('Two-step sign-in could not be turned off. Please try again.'),
    prepare: factorIsOn,
    act: (harness) => onDemand(harness).send({ type: 'disabling.submitted', password: 'mine', code: '123456' }),
    isBusy: (harness) => is(onDemand(harness), 'disabling'),
  },
  {
    call: 'POST /auth/second-factor/recovery-codes',
    own: own('New recovery codes could not be issued. Please try again.'),
    prepare: factorIsOn,
    act: (harness) => onDemand(harness).send({ type: 'newCodes.submitted', password: 'mine', code: '123456' }),
    isBusy: (harness) => is(onDemand(harness), 'replacingCodes'),
  },
  {
    call: 'GET /faq/categories',
    own: own('Failed to load categories'),
    act: openDialog({ name: 'faq' }, false),
    isBusy: (harness) => is(onDemand(harness), { open: { categories: 'loading' } }),
    list: {
      shown: (harness) => snapshotOf(onDemand(harness)).context.categories,
      names: ['Payments', 'Delivery'],
      counted: 'FAQ categories',
    },
  },
  {
    call: 'GET /faq/entries',
    own: own('Failed to load FAQs'),
    act: openDialog({ name: 'faq' }, false),
    isBusy: (harness) => is(onDemand(harness), { open: { entries: 'loading' } }),
    list: entriesShown,
  },
  {
    call: 'GET /faq/entries',
    at: 'Refresh',
    own: own('Failed to load FAQs'),
    prepare: faq,
    act: (harness) => onDemand(harness).send({ type: 'refetch.requested' }),
    isBusy: (harness) => is(onDemand(harness), { open: { entries: 'refreshing' } }),
    typed: (harness) => snapshotOf(onDemand(harness)).context.entries,
    list: entriesShown,
  },
  ...[null, firstEntry].map(
    (entry): Row => ({
      call: entry === null ? 'POST /faq/entries' : 'PUT /faq/entries/f1',
      own: own('Failed to save FAQ'),
      prepare: faqForm(entry),
      act: (harness) => inDialog(harness, 'faqForm').send({ type: 'form.submitted' }),
      isBusy: (harness) => is(inDialog(harness, 'faqForm'), 'saving'),
      typed: (harness) => snapshotOf(inDialog(harness, 'faqForm')).context.fields,
    }),
  ),
  {
    call: 'DELETE /faq/entries/f1',
    own: own('Failed to delete FAQ'),
    prepare: asked('faq'),
    act: (harness) => onDemand(harness).send({ type: 'deletion.confirmed' }),
    isBusy: (harness) => is(onDemand(harness), { open: { work: 'deleting' } }),
    typed: (harness) => snapshotOf(onDemand(harness)).context.entries,
  },
  {
    call: 'GET /staff',
    own: own('Failed to load staff'),
    act: openDialog({ name: 'staff' }, false),
    isBusy: (harness) => is(onDemand(harness), { open: { members: 'loading' } }),
    list: {
      shown: (harness) => snapshotOf(onDemand(harness)).context.staff,
      names: ['Ben', 'Cleo'],
      counted: 'members of staff',
    },
  },
  ...[null, member].map(
    (edited): Row => ({
      call: edited === null ? 'POST /staff' : 'PUT /staff/s2',
      own: own('Failed to save'),
      prepare: async (harness) => {
        await openDialog({ name: 'staff' })(harness)
        onDemand(harness).send(edited === null ? { type: 'item.added' } : { type: 'item.edited', item: edited })
        const change = { name: 'New', ...(edited === null ? { email: 'new@example.com' } : {}) }
        inDialog(harness, 'staffForm').send({ type: 'fields.typed', change })
      },
      act: (harness) => inDialog(harness, 'staffForm').send({ type: 'form.submitted' }),
      isBusy: (harness) => is(inDialog(harness, 'staffForm'), 'saving'),
      typed: (harness) => snapshotOf(inDialog(harness, 'staffForm')).context.fields,
    }),
  ),
  {
    call: 'POST /staff/s2/reset-password',
    own: own('Failed to reset the password'),
    prepare: async (harness) => {
      await openDialog({ name: 'staff' })(harness)
      onDemand(harness).send({ type: 'reset.requested', item: member })
    },
    act: (harness) => onDemand(harness).send({ type: 'reset.confirmed' }),
    isBusy: (harness) => is(onDemand(harness), { open: { work: 'resetting' } }),
  },
  {
    call: 'POST /staff/s2/remove-second-factor',
    own: own('Failed to turn off two-step sign-in'),
    prepare: async (harness) => {
      await openDialog({ name: 'staff' })(harness)
      onDemand(harness).send({ type: 'factorRemoval.requested', item: member })
    },
    act: (harness) => onDemand(harness).send({ type: 'factorRemoval.confirmed' }),
    isBusy: (harness) => is(onDemand(harness), { open: { work: 'removingFactor' } }),
  },
  {
    call: 'GET /api-keys',
    own: own('Failed to load API keys'),
    act: openDialog({ name: 'apiKeys' }, false),
    isBusy: (harness) => is(onDemand(harness), { open: { keys: 'loading' } }),
    list: {
      shown: (harness) => snapshotOf(onDemand(harness)).context.keys,
      names: ['Shop', 'Till'],
      counted: 'API keys',
    },
  },
  {
    call: 'POST /api-keys',
    own: own('Failed to make the key'),
    prepare: async (harness) => {
      await openDialog({ name: 'apiKeys' })(harness)
      onDemand(harness).send({ type: 'item.added' })
      onDemand(harness).send({ type: 'draft.changed', change: { name: 'New' } })
    },
    act: (harness) => onDemand(harness).send({ type: 'form.submitted' }),
    isBusy: (harness) => is(onDemand(harness), { open: { work: 'creating' } }),
    typed: (harness) => snapshotOf(onDemand(harness)).context.draft,
  },
  {
    call: 'DELETE /api-keys/k1',
    own: own('Failed to revoke the key'),
    prepare: async (harness) => {
      await openDialog({ name: 'apiKeys' })(harness)
      onDemand(harness).send({ type: 'deletion.requested', item: apiKeyOf('k1', 'Shop') })
    },
    act: (harness) => onDemand(harness).send({ type: 'deletion.confirmed' }),
    isBusy: (harness) => is(onDemand(harness), { open: { work: 'revoking' } }),
  },
  {
    call: 'GET /comments/count',
    own: own(null),
    prepare: (harness) => withColleagues(harness, ['comments']),
    act: (harness) => to(harness, 'commentCount', 'refetch.requested'),
    isBusy: (harness) => is(harness.actor('commentCount'), 'loading'),
  },
  {
    call: 'GET /comments/live-sale',
    own: own('Failed to load the sale'),
    act: openDialog({ name: 'liveSale' }, false),
    isBusy: (harness) => hasDialog(harness) && is(onDemand(harness), 'loading'),
  },
  {
    call: 'PUT /comments/live-sale',
    own: own('The sale was not saved. Please try again.'),
    prepare: async (harness) => {
      await openDialog({ name: 'liveSale' })(harness)
      const settings = { is_on: false, post_id: null, keyword: 'mine po', items: [] }
      onDemand(harness).send({ type: 'settings.edited', settings })
    },
    act: (harness) => onDemand(harness).send({ type: 'settings.submitted' }),
    isBusy: (harness) => is(onDemand(harness), 'saving'),
    typed: (harness) => snapshotOf(onDemand(harness)).context.typed,
  },
  {
    call: 'GET /comments/threads',
    own: own('Failed to load comments'),
    prepare: comments,
    act: (harness) => onDemand(harness).send({ type: 'view.chosen', view: 'all' }),
    isBusy: (harness) => is(onDemand(harness), { open: { list: 'loading' } }),
    list: { ...threadsIn, names: ['Ana', 'Ben'] },
  },
  {
    call: 'GET /comments/threads',
    at: 'the next page',
    own: own('Failed to load comments'),
    prepare: comments,
    act: (harness) => {
      harness.answers(
        'GET /comments/threads',
        dataOf({ threads: [threadRowOf('t3', 'Cleo'), threadRowOf('t4', 'Dan')], next: null }),
      )
      onDemand(harness).send({ type: 'more.requested' })
    },
    isBusy: (harness) => is(onDemand(harness), { open: { list: { showing: 'loadingMore' } } }),
    list: { ...threadsIn, names: ['Ana', 'Ben', 'Cleo', 'Dan'] },
  },
  {
    call: 'GET /comments/threads/t1',
    own: own('Failed to load the comment'),
    prepare: commentThread,
    act: (harness) => onDemand(harness).send({ type: 'thread.chosen', id: 't1' }),
    isBusy: (harness) => is(inThread(harness), 'loading'),
    list: commentsIn,
  },
  {
    call: 'PUT /comments/threads/t1/done',
    own: own('The comment still waits for an answer. Please try again.'),
    prepare: commentThread,
    act: (harness) => inThread(harness).send({ type: 'done.requested' }),
    isBusy: (harness) => is(inThread(harness), { showing: 'finishing' }),
    list: commentsIn,
  },
  {
    call: 'POST /comments/c1/replies',
    own: own('Failed to send the answer'),
    prepare: async (harness) => {
      await withColleagues(harness, ['comments'])
      await commentThread(harness)
      firstComment(harness).send({ type: 'reply.begun', kind: 'public' })
    },
    act: (harness) => firstComment(harness).send({ type: 'reply.submitted', message: 'P250 po' }),
    isBusy: (harness) => answersIn(harness).some(({ status }) => status === 'pending'),
    typed: (harness) => answersIn(harness).map(({ text }) => text),
    list: commentsIn,
  },
  {
    call: 'POST /comments/sends/k1',
    own: own('The answer is still not certain. Please try again.'),
    prepare: async (harness) => {
      harness.answers(
        'GET /comments/threads/t1',
        dataOf(commentThreadOf([{ key: 'k1', kind: 'public', message: 'Hi', state: 'unknown', tries: 1 }])),
      )
      await commentThread(harness)
    },
    act: (harness) =>
      firstComment(harness).send({ type: 'send.decided', decided: { key: 'k1', decision: 'look', tries: 1 } }),
    isBusy: (harness) => isCommentAt(harness, 'deciding'),
    list: commentsIn,
  },
  ...[
    ['PUT /comments/c1/hidden', { type: 'change.requested', change: { kind: 'hide', hidden: true } }],
    ['PUT /comments/c1/like', { type: 'change.requested', change: { kind: 'like', liked: true } }],
    ['DELETE /comments/c1', { type: 'deletion.confirmed' }],
  ].map(
    ([call, event]): Row => ({
      call: String(call),
      own: own('The comment was not changed. Please try again.'),
      prepare: async (harness) => {
        await commentThread(harness)
        if (call === 'DELETE /comments/c1') firstComment(harness).send({ type: 'deletion.requested' })
      },
      act: (harness) => firstComment(harness).send(event as never),
      isBusy: (harness) => isCommentAt(harness, 'changing'),
      list: commentsIn,
    }),
  ),
  {
    call: 'GET /webhooks',
    own: own('Failed to load webhooks'),
    act: openDialog({ name: 'webhooks' }, false),
    isBusy: (harness) => is(onDemand(harness), { open: { list: 'loading' } }),
    list: {
      shown: (harness) =>
        snapshotOf(onDemand(harness)).context.endpoints?.map(({ description }: WebhookEndpoint) => ({
          name: description,
        })) ?? null,
      names: ['Shop', 'Till'],
      counted: 'webhooks',
    },
  },
  ...[null, webhookOf].map(
    (item): Row => ({
      call: item === null ? 'POST /webhooks' : 'PUT /webhooks/w1',
      own: own('Failed to save the webhook'),
      prepare: async (harness) => {
        await openDialog({ name: 'webhooks' })(harness)
        onDemand(harness).send(item === null ? { type: 'item.added' } : { type: 'item.edited', item })
        inDialog(harness, 'webhookForm').send({ type: 'fields.typed', change: { url: 'https://new.example.com/' } })
      },
      act: (harness) => inDialog(harness, 'webhookForm').send({ type: 'form.submitted' }),
      isBusy: (harness) => is(inDialog(harness, 'webhookForm'), 'saving'),
      typed: (harness) => snapshotOf(inDialog(harness, 'webhookForm')).context.fields,
    }),
  ),
  {
    call: 'DELETE /webhooks/w1',
    own: own('Failed to delete the webhook'),
    prepare: async (harness) => {
      await openDialog({ name: 'webhooks' })(harness)
      onDemand(harness).send({ type: 'deletion.requested', item: webhookOf })
    },
    act: (harness) => onDemand(harness).send({ type: 'deletion.confirmed' }),
    isBusy: (harness) => is(onDemand(harness), { open: { work: 'deleting' } }),
  },
  {
    call: 'POST /webhooks/w1/secret',
    own: own('Failed to replace the secret'),
    prepare: async (harness) => {
      await openDialog({ name: 'webhooks' })(harness)
      onDemand(harness).send({ type: 'replacement.requested', item: webhookOf })
    },
    act: (harness) => onDemand(harness).send({ type: 'replacement.confirmed' }),
    isBusy: (harness) => is(onDemand(harness), { open: { work: 'replacing' } }),
  },
  {
    call: 'GET /webhooks/w1/deliveries',
    own: own('Failed to load the log'),
    prepare: openDialog({ name: 'webhooks' }),
    act: (harness) => onDemand(harness).send({ type: 'log.requested', item: webhookOf }),
    isBusy: (harness) => is(inDialog(harness, 'webhookLog'), { open: { list: 'loading' } }),
    list: deliveriesShown(0),
  },
  {
    call: 'GET /webhooks/w1/deliveries',
    at: 'Show more',
    own: own('Failed to load the log'),
    prepare: webhookLog,
    act: (harness) => inDialog(harness, 'webhookLog').send({ type: 'more.requested' }),
    isBusy: (harness) => is(inDialog(harness, 'webhookLog'), { open: { list: { showing: 'loadingMore' } } }),
    list: deliveriesShown(2),
  },
  {
    call: 'POST /webhooks/w1/deliveries/2/resend',
    own: own('Failed to send the event again'),
    prepare: webhookLog,
    act: (harness) => inDialog(harness, 'webhookLog').send({ type: 'resend.requested', delivery: 2 }),
    isBusy: (harness) => is(inDialog(harness, 'webhookLog'), { open: { work: 'resending' } }),
  },
  {
    call: 'POST /webhooks/w1/test',
    own: own('Failed to send the test event'),
    prepare: webhookLog,
    act: (harness) => inDialog(harness, 'webhookLog').send({ type: 'test.requested' }),
    isBusy: (harness) => is(inDialog(harness, 'webhookLog'), { open: { work: 'testing' } }),
  },
  {
    call: 'GET /shops',
    own: own('Failed to load shops'),
    act: openDialog({ name: 'shops' }, false),
    isBusy: (harness) => is(onDemand(harness), { open: { shops: 'loading' } }),
    list: {
      shown: (harness) => snapshotOf(onDemand(harness)).context.shops,
      names: ['Shop', 'Till'],
      counted: 'shops',
    },
  },
  {
    call: 'POST /shops',
    own: own('Failed to connect the shop'),
    prepare: async (harness) => {
      await openDialog({ name: 'shops' })(harness)
      onDemand(harness).send({ type: 'item.added' })
      const change = { address: 's3.myshopify.com', token: 'shpat_1', secret: 'shpss_1' }
      onDemand(harness).send({ type: 'draft.changed', change })
    },
    act: (harness) => onDemand(harness).send({ type: 'form.submitted' }),
    isBusy: (harness) => is(onDemand(harness), { open: { work: 'connecting' } }),
    typed: (harness) => snapshotOf(onDemand(harness)).context.draft,
  },
  {
    call: 'POST /shops/s1/sync',
    own: own('Failed to change the sync of the shop'),
    prepare: openDialog({ name: 'shops' }),
    act: (harness) => onDemand(harness).send({ type: 'run.requested', item: shopOf('s1', 'Shop'), change: 'sync' }),
    isBusy: (harness) => is(onDemand(harness), { open: { work: 'changing' } }),
  },
  {
    call: 'DELETE /shops/s1',
    own: own('Failed to disconnect the shop'),
    prepare: async (harness) => {
      await openDialog({ name: 'shops' })(harness)
      onDemand(harness).send({ type: 'deletion.requested', item: shopOf('s1', 'Shop') })
    },
    act: (harness) => onDemand(harness).send({ type: 'deletion.confirmed' }),
    isBusy: (harness) => is(onDemand(harness), { open: { work: 'disconnecting' } }),
  },
  {
    call: 'GET /imports',
    own: own('Failed to load imports'),
    act: openDialog({ name: 'dataTransfer', input: { mayImport: true } }, false),
    isBusy: (harness) => is(onDemand(harness), { open: { import: 'loading' } }),
    list: {
      shown: (harness) =>
        snapshotOf(onDemand(harness)).context.imports?.map((item: CsvImport) => ({ ...item, name: item.file_name })) ??
        null,
      names: ['Shop', 'Till'],
      counted: 'imports',
    },
  },
  {
    call: 'GET /imports/i1',
    own: own('Failed to load imports'),
    prepare: openImport({ state: 'running' }),
    // The poll comes by itself.
    act: (harness) => harness.passes(0),
    isBusy: (harness) => is(onDemand(harness), { open: { import: 'refreshing' } }),
  },
  ...(['POST /imports', 'PUT /imports/i1/parts/0', 'POST /imports/i1/read'] as const).map(
    (call): Row => ({
      call,
      own: own('Failed to upload the file'),
      prepare: openDialog({ name: 'dataTransfer', input: { mayImport: true } }),
      act: (harness) =>
        onDemand(harness).send({ type: 'file.chosen', file: new File(['id,name'], 'clients.csv'), id: 'i1' }),
      isBusy: (harness) => is(onDemand(harness), { open: { import: { uploading: 'sending' } } }),
    }),
  ),
  {
    call: 'POST /imports/i1/check',
    own: own('Failed to check the rows'),
    prepare: openImport({ state: 'mapping' }),
    act: (harness) => onDemand(harness).send({ type: 'check.requested' }),
    isBusy: (harness) => is(onDemand(harness), { open: { import: 'checking' } }),
    typed: (harness) => snapshotOf(onDemand(harness)).context.mapping,
  },
  {
    call: 'POST /imports/i1/run',
    own: own('Failed to start the import'),
    prepare: openImport({}),
    act: (harness) => onDemand(harness).send({ type: 'run.requested' }),
    isBusy: (harness) => is(onDemand(harness), { open: { import: 'starting' } }),
  },
  {
    call: 'POST /imports/i1/cancel',
    own: own('Failed to cancel the import'),
    prepare: openImport({}),
    act: (harness) => onDemand(harness).send({ type: 'cancel.requested' }),
    isBusy: (harness) => is(onDemand(harness), { open: { import: 'cancelling' } }),
  },
  {
    call: 'GET /imports/i1/rows',
    own: own('Failed to load the rows'),
    prepare: openDialog({ name: 'dataTransfer', input: { mayImport: true } }),
    act: (harness) => onDemand(harness).send({ type: 'import.opened', item: importOf({}) }),
    isBusy: (harness) => is(onDemand(harness), { open: { import: { checked: 'loading' } } }),
  },
  {
    call: 'POST /imports/i1/refused-rows',
    own: own('Failed to download the rows'),
    prepare: openImport({}),
    act: (harness) => onDemand(harness).send({ type: 'refused.requested' }),
    isBusy: (harness) => is(onDemand(harness), { open: { download: 'saving' } }),
  },
  {
    call: 'POST /exports',
    own: own('Failed to export'),
    prepare: openDialog({ name: 'dataTransfer', input: { mayImport: true } }),
    act: (harness) => onDemand(harness).send({ type: 'export.requested' }),
    isBusy: (harness) => is(onDemand(harness), { open: { download: 'exporting' } }),
  },
  {
    call: 'GET /audit',
    own: own('Failed to load the audit log'),
    act: openDialog({ name: 'auditLog' }, false),
    isBusy: (harness) => is(onDemand(harness), { open: { list: 'loading' } }),
    list: {
      shown: (harness) => snapshotOf(onDemand(harness)).context.entries,
      names: ['Ben', 'Cleo'],
      counted: 'audit entries',
    },
  },
  {
    call: 'POST /audit/export',
    own: own('Failed to export the audit log'),
    prepare: openDialog({ name: 'auditLog' }),
    act: (harness) => onDemand(harness).send({ type: 'export.requested' }),
    isBusy: (harness) => is(onDemand(harness), { open: { export: 'exporting' } }),
  },
  {
    call: 'GET /assignment-rules',
    own: own('Failed to load the assignment rules'),
    act: openDialog({ name: 'assignmentRules' }, false),
    isBusy: (harness) => is(onDemand(harness), 'loading'),
  },
  {
    call: 'PUT /assignment-rules',
    own: own('Failed to save the assignment rules'),
    prepare: async (harness) => {
      await openDialog({ name: 'assignmentRules' })(harness)
      onDemand(harness).send({ type: 'settings.edited', settings: { rules: [], assigns_first_answer: true } })
    },
    act: (harness) => onDemand(harness).send({ type: 'settings.submitted' }),
    isBusy: (harness) => is(onDemand(harness), 'saving'),
    typed: (harness) => snapshotOf(onDemand(harness)).context.typed,
  },
  {
    call: 'GET /business-hours',
    own: own('Failed to load the business hours'),
    act: openDialog({ name: 'businessHours' }, false),
    isBusy: (harness) => is(onDemand(harness), 'loading'),
  },
  {
    call: 'PUT /business-hours',
    own: own('Failed to save the business hours'),
    prepare: async (harness) => {
      await openDialog({ name: 'businessHours' })(harness)
      onDemand(harness).send({ type: 'settings.edited', settings: { pages: { p1: newHours() } } })
    },
    act: (harness) => onDemand(harness).send({ type: 'settings.submitted' }),
    isBusy: (harness) => is(onDemand(harness), 'saving'),
    typed: (harness) => snapshotOf(onDemand(harness)).context.typed,
  },
  {
    call: 'GET /reports/waiting',
    own: own('Failed to load the report'),
    act: openDialog({ name: 'reports' }, false),
    isBusy: (harness) => is(onDemand(harness), { open: { report: 'loading' } }),
  },
  {
    call: 'POST /reports/export',
    own: own('Failed to export the report'),
    prepare: openDialog({ name: 'reports' }),
    act: (harness) => onDemand(harness).send({ type: 'export.requested' }),
    isBusy: (harness) => is(onDemand(harness), { open: { export: 'exporting' } }),
  },
  {
    call: 'GET /alarms',
    own: own(null),
    prepare: async (harness) => {
      const user = { ...snapshotOf(harness.actor('session')).context.user, permissions: ['alarms.read'] }
      session(harness, 'user.confirmed', { user })
      await vi.dynamicImportSettled()
      await harness.passes(500)
    },
    act: (harness) => to(harness, 'alarms', 'refetch.requested'),
    isBusy: (harness) => is(harness.actor('alarms'), { offered: { polling: 'asking' } }),
    told: silent,
    list: {
      shown: (harness) => snapshotOf(harness.actor('alarms')).context.alarms,
      names: ['A page lost its token', 'The disk is nearly full'],
      counted: 'alarms',
    },
  },
  {
    call: 'GET /facebook/team',
    own: own(null),
    prepare: withStates,
    act: (harness) => to(harness, 'team', 'refetch.requested'),
    isBusy: (harness) => is(harness.actor('team'), 'loading'),
    list: {
      shown: (harness) => snapshotOf(harness.actor('team')).context.members,
      names: ['Ben', 'Cleo'],
      counted: 'team members',
    },
  },
  {
    call: 'GET /facebook/drafts',
    own: own(null),
    prepare: withDrafts,
    act: (harness) => to(harness, 'draftSync', 'drafts.invalidated'),
    isBusy: (harness) => is(harness.actor('draftSync'), 'loading'),
    told: silent,
  },
  {
    call: 'PUT /facebook/drafts/ana',
    own: own(null),
    prepare: withDrafts,
    act: (harness) => {
      to(harness, 'drafts', 'draft.changed', { conversationId: 'ana', draft: { id: 'd', text: 'Opo', pageId: null } })
      to(harness, 'draftSync', 'flush.requested')
    },
    isBusy: (harness) => is(harness.actor('draftSync'), 'saving'),
    told: silent,
  },
  {
    call: 'POST /facebook/conversations/ana/presence',
    own: own(null),
    prepare: (harness) => withColleagues(harness),
    act: (harness) => {
      to(harness, 'presence', 'tab.hidden')
      to(harness, 'presence', 'tab.shown')
    },
    isBusy: (harness) => is(harness.actor('presence'), { here: { renewal: 'renewing' } }),
    told: silent,
    list: {
      shown: (harness) => selectPresent(snapshotOf(harness.actor('presence')) as never),
      names: ['s1', 's2'],
      counted: 'colleagues',
    },
  },
  {
    call: 'GET /facebook/conversations/ana/notes',
    own: own('Failed to load notes'),
    prepare: (harness) => withColleagues(harness),
    act: (harness) => to(harness, 'notes', 'refetch.requested'),
    isBusy: (harness) => is(harness.actor('notes'), { list: 'loading' }),
    // The thread says that there is no such conversation.
    told: (name, rule) => (name === '404' ? null : rule),
    list: {
      shown: (harness) => snapshotOf(harness.actor('notes')).context.notes,
      names: ['Pays on Friday', 'Likes blue'],
      counted: 'notes',
    },
  },
  {
    call: 'POST /facebook/conversations/ana/notes',
    own: own('Failed to save the note. Try again.'),
    prepare: (harness) => withColleagues(harness),
    act: (harness) => {
      to(harness, 'notes', 'note.typed', { text: 'Call back' })
      to(harness, 'notes', 'note.submitted', { members: [] })
    },
    isBusy: (harness) => is(harness.actor('notes'), { saving: 'saving' }),
    typed: (harness) => snapshotOf(harness.actor('notes')).context.texts,
  },
  {
    call: 'DELETE /facebook/notes/n1',
    own: own('Failed to delete the note'),
    prepare: (harness) => withColleagues(harness),
    act: (harness) => to(harness, 'notes', 'note.removed', { id: 'n1' }),
    isBusy: (harness) => is(harness.actor('notes'), { deleting: 'deleting' }),
  },
  {
    call: 'GET /facebook/notification-settings',
    own: own(null),
    prepare: async (harness) => {
      await withColleagues(harness, ['notifications'], ['conversations.read'])
      to(harness, 'notifications', 'lead.gained')
      await harness.passes(500)
    },
    act: (harness) => to(harness, 'notifications', 'refetch.requested'),
    isBusy: (harness) => is(harness.actor('notifications'), { tab: { leading: 'loading' } }),
    told: silent,
  },
  {
    call: 'GET /facebook/notification-settings',
    at: 'the dialog',
    own: own('Failed to load the notification settings'),
    act: openDialog({ name: 'notifications' }, false),
    isBusy: (harness) => is(onDemand(harness), 'loading'),
  },
  {
    call: 'PUT /facebook/notification-settings',
    own: own('Failed to save the notification settings'),
    prepare: async (harness) => {
      await openDialog({ name: 'notifications' })(harness)
      const settings = { ...defaultSettings('UTC'), others: true }
      onDemand(harness).send({ type: 'settings.edited', settings })
    },
    act: (harness) => onDemand(harness).send({ type: 'settings.submitted' }),
    isBusy: (harness) => is(onDemand(harness), 'saving'),
    typed: (harness) => snapshotOf(onDemand(harness)).context.typed,
  },
  {
    call: 'POST /facebook/conversations/state',
    own: own('The change was not saved. Try again.'),
    prepare: withStates,
    act: (harness) => session(harness, 'change.requested', { ids: ['ben'], decision: { done: true } }),
    isBusy: (harness) => is(harness.actor('stateChanges'), 'sending'),
    list: {
      shown: (harness) => snapshotOf(harness.actor('stateChanges')).context.undos[0]?.steps,
      names: ['ben'],
      counted: 'state changes',
    },
  },
  {
    call: 'GET /facebook/saved-filters',
    own: own(null),
    prepare: (harness) => withColleagues(harness, ['saved-filters']),
    act: (harness) => to(harness, 'savedFilters', 'refetch.requested'),
    isBusy: (harness) => is(harness.actor('savedFilters'), 'loading'),
    list: filtersShown('Late', 'Refunds'),
  },
  {
    call: 'PUT /facebook/saved-filters/f1',
    own: own('The filter was not saved'),
    prepare: async (harness) => {
      await filterManager(harness)
      onDemand(harness).send({ type: 'item.edited', item: firstFilter })
      inDialog(harness, 'savedFilterForm').send({ type: 'fields.typed', change: { name: 'Money' } })
    },
    act: (harness) => inDialog(harness, 'savedFilterForm').send({ type: 'form.submitted' }),
    isBusy: (harness) => is(onDemand(harness), 'form') && is(inDialog(harness, 'savedFilterForm'), 'saving'),
    typed: (harness) => snapshotOf(inDialog(harness, 'savedFilterForm')).context.fields,
    list: filtersShown('Late', 'Money'),
  },
  {
    call: 'DELETE /facebook/saved-filters/f1',
    own: own('The filter was not deleted'),
    prepare: async (harness) => {
      await filterManager(harness)
      onDemand(harness).send({ type: 'deletion.requested', item: firstFilter })
    },
    act: (harness) => onDemand(harness).send({ type: 'deletion.confirmed' }),
    isBusy: (harness) => is(onDemand(harness), 'deleting'),
    list: filtersShown('Late', 'Mine'),
  },
  {
    call: 'GET /labels',
    own: own(null),
    prepare: withLabels,
    act: (harness) => to(harness, 'labels', 'refetch.requested'),
    isBusy: (harness) => is(harness.actor('labels'), 'loading'),
    list: labelsShown('Late', 'VIP'),
  },
  ...[null, firstLabel].map(
    (label): Row => ({
      call: label === null ? 'POST /labels' : 'PUT /labels/l1',
      own: own('The label was not saved'),
      prepare: async (harness) => {
        await labelManager(harness)
        onDemand(harness).send(label === null ? { type: 'item.added' } : { type: 'item.edited', item: label })
        inDialog(harness, 'labelForm').send({ type: 'fields.typed', change: { name: 'New name', keyword: 'new' } })
      },
      act: (harness) => inDialog(harness, 'labelForm').send({ type: 'form.submitted' }),
      isBusy: (harness) => is(onDemand(harness), 'form') && is(inDialog(harness, 'labelForm'), 'saving'),
      typed: (harness) => snapshotOf(inDialog(harness, 'labelForm')).context.fields,
      list: labelsShown('Late', 'VIP'),
    }),
  ),
  {
    call: 'GET /labels/l1/usage',
    own: own(null),
    prepare: labelManager,
    act: (harness) => onDemand(harness).send({ type: 'deletion.requested', item: firstLabel }),
    isBusy: (harness) => is(onDemand(harness), { asking: 'counting' }),
    told: silent,
  },
  {
    call: 'DELETE /labels/l1',
    own: own('The label was not deleted'),
    prepare: async (harness) => {
      await labelManager(harness)
      onDemand(harness).send({ type: 'deletion.requested', item: firstLabel })
    },
    act: (harness) => onDemand(harness).send({ type: 'deletion.confirmed' }),
    isBusy: (harness) => is(onDemand(harness), 'deleting'),
    list: labelsShown('Late', 'Wholesale'),
  },
  {
    call: 'POST /clients/k1/labels',
    own: own('The labels were not changed'),
    prepare: async (harness) => {
      await withLabels(harness)
      await openDialog({ name: 'labels', input: { clientId: 'k1', labelIds: [] } })(harness)
      onDemand(harness).send({ type: 'label.toggled', id: 'l1' })
    },
    act: (harness) => onDemand(harness).send({ type: 'dialog.dismissed' }),
    isBusy: (harness) => is(onDemand(harness), 'saving'),
    typed: (harness) => snapshotOf(onDemand(harness)).context.choices,
  },
  {
    call: 'GET /saved-replies',
    at: 'the list in the composer',
    own: own('Failed to load saved replies'),
    prepare: withReplies,
    act: (harness) => to(harness, 'savedReplies', 'composer.changed', { text: '/', caret: 1, pageIds: ['p1'] }),
    isBusy: (harness) => is(harness.actor('savedReplies'), { list: 'loading' }),
    list: repliesIn((harness) => snapshotOf(harness.actor('savedReplies')).context.options),
  },
  {
    call: 'GET /saved-replies',
    at: 'the dialog',
    own: own('Failed to load saved replies'),
    act: openDialog({ name: 'savedReplyManager' }, false),
    isBusy: (harness) => is(onDemand(harness), { open: { list: 'loading' } }),
    list: repliesIn((harness) => snapshotOf(onDemand(harness)).context.items),
  },
  {
    call: 'GET /facebook/pages/p1/message-templates',
    own: own('Failed to load the templates'),
    act: openDialog({ name: 'messageTemplates', input: { conversationId: 'ana', pageId: 'p1' } }, false),
    isBusy: (harness) => is(onDemand(harness), 'loading'),
    list: {
      shown: (harness) => snapshotOf(onDemand(harness)).context.templates,
      names: ['order_ready', 'payment'],
      counted: 'message templates',
    },
  },
  ...[null, savedReply].map(
    (reply): Row => ({
      call: reply === null ? 'POST /saved-replies' : 'PUT /saved-replies/r1',
      own: own('Failed to save the reply'),
      prepare: replyForm(reply),
      act: (harness) => inDialog(harness, 'itemForm').send({ type: 'form.submitted' }),
      isBusy: (harness) => is(inDialog(harness, 'itemForm'), 'saving'),
      typed: (harness) => snapshotOf(inDialog(harness, 'itemForm')).context.fields,
    }),
  ),
  {
    call: 'DELETE /saved-replies/r1',
    own: own('Failed to delete the saved reply'),
    prepare: async (harness) => {
      await replyManager(harness)
      onDemand(harness).send({ type: 'deletion.requested', item: savedReply })
      await harness.passes(100)
    },
    act: (harness) => onDemand(harness).send({ type: 'deletion.confirmed' }),
    isBusy: (harness) => is(onDemand(harness), { open: { work: 'deleting' } }),
  },
  {
    call: 'POST /saved-replies/r1/used',
    own: own(null),
    prepare: withReplies,
    act: (harness) => {
      const conversationId = 'ana'
      to(harness, 'savedReplies', 'reply.inserted', { conversationId, draftId: 'd', id: 'r1' })
      to(harness, 'savedReplies', 'draft.accepted', {
        conversationId,
        draftId: 'd',
        text: 'From 9 to 6.',
        pictures: [],
      })
      const message = { message_text: 'From 9 to 6.', idempotency_key: 'key' }
      to(harness, 'savedReplies', 'message.sent', { conversationId, message })
    },
    isBusy: (harness) => is(harness.actor('savedReplies'), { counting: 'counting' }),
    told: silent,
  },
  {
    call: 'GET /products',
    at: 'the dialog of products',
    own: own('Failed to load products'),
    act: openDialog({ name: 'productManager' }, false),
    isBusy: (harness) => is(onDemand(harness), { open: { list: 'loading' } }),
    list: productsIn((harness) => snapshotOf(onDemand(harness)).context.items),
  },
  {
    call: 'GET /products',
    at: 'the form of a new order',
    own: own('Failed to load products'),
    act: openDialog({ name: 'newOrder', input: newOrderInput }, false),
    isBusy: (harness) => is(onDemand(harness), 'loading'),
    list: productsIn((harness) => snapshotOf(onDemand(harness)).context.facts),
  },
  {
    call: 'GET /products',
    at: 'the dialog of a card',
    own: own('Failed to load the products'),
    act: openDialog({ name: 'productCard', input: { conversationId: 'ana', pageId: null, platform: null } }, false),
    isBusy: (harness) => is(onDemand(harness), 'loading'),
    list: productsIn((harness) => snapshotOf(onDemand(harness)).context.products),
  },
  ...[null, product].map(
    (item): Row => ({
      call: item === null ? 'POST /products' : 'PUT /products/p1',
      own: own('Failed to save the product'),
      prepare: productForm(item),
      act: (harness) => inDialog(harness, 'itemForm').send({ type: 'form.submitted' }),
      isBusy: (harness) => is(inDialog(harness, 'itemForm'), 'saving'),
      typed: (harness) => snapshotOf(inDialog(harness, 'itemForm')).context.fields,
    }),
  ),
  {
    call: 'DELETE /products/p1',
    own: own('Failed to delete the product'),
    prepare: async (harness) => {
      await productManager(harness)
      onDemand(harness).send({ type: 'deletion.requested', item: product })
      await harness.passes(100)
    },
    act: (harness) => onDemand(harness).send({ type: 'deletion.confirmed' }),
    isBusy: (harness) => is(onDemand(harness), { open: { work: 'deleting' } }),
  },
  {
    call: 'POST /orders',
    own: own('Failed to make the order'),
    prepare: async (harness) => {
      await openDialog({ name: 'newOrder', input: newOrderInput })(harness)
      const items = [{ key: 0, name: 'Mug', quantity: '1', price: '5' }]
      onDemand(harness).send({ type: 'fields.typed', change: { items } })
    },
    act: (harness) => onDemand(harness).send({ type: 'form.submitted' }),
    isBusy: (harness) => is(onDemand(harness), 'saving'),
    typed: (harness) => snapshotOf(onDemand(harness)).context.fields,
  },
  {
    call: 'GET /orders/o1',
    own: own('Failed to load the order'),
    act: openDialog({ name: 'order', input: orderInput }, false),
    isBusy: (harness) => is(onDemand(harness), { open: 'loading' }),
    list: paymentsShown,
  },
  ...(['order', 'payment'] as const).map(
    (kind): Row => ({
      call: kind === 'order' ? 'PUT /orders/o1/status' : 'PUT /orders/o1/payments/y1/status',
      own: own('Failed to change the status'),
      prepare: openDialog({ name: 'order', input: orderInput }),
      act: (harness) => {
        const change =
          kind === 'order'
            ? { kind, from: 'pending', to: 'confirmed' }
            : { kind, paymentId: 'y1', from: 'pending', to: 'approved' }
        onDemand(harness).send({ type: 'change.requested', change })
      },
      isBusy: (harness) => is(onDemand(harness), 'changing'),
      list: paymentsShown,
    }),
  ),
  {
    call: 'GET /orders',
    at: 'the form of a payment',
    own: own('Failed to load orders'),
    act: openDialog({ name: 'recordPayment', input: paymentInput }, false),
    isBusy: (harness) => is(onDemand(harness), 'loading'),
    list: bought((harness) => snapshotOf(onDemand(harness)).context.facts),
  },
  {
    call: 'GET /orders/o1',
    at: 'the form of a payment for an order',
    own: own('Failed to load orders'),
    act: openDialog({ name: 'recordPayment', input: { ...paymentInput, orderId: 'o1' } }, false),
    isBusy: (harness) => is(onDemand(harness), 'loading'),
    list: { ...paymentsShown, shown: (harness) => snapshotOf(onDemand(harness)).context.facts[0]?.payments },
  },
  {
    call: 'POST /orders/o1/payments',
    own: own('Failed to record the payment'),
    prepare: async (harness) => {
      await openDialog({ name: 'recordPayment', input: paymentInput })(harness)
      onDemand(harness).send({ type: 'fields.typed', change: { orderId: 'o1', amount: '40' } })
    },
    act: (harness) => onDemand(harness).send({ type: 'form.submitted' }),
    isBusy: (harness) => is(onDemand(harness), 'saving'),
    typed: (harness) => snapshotOf(onDemand(harness)).context.fields,
  },
  {
    call: 'GET /faq/entries',
    at: 'the suggestions',
    own: own(null),
    prepare: withReplies,
    act: (harness) =>
      to(harness, 'faqSuggestions', 'question.changed', {
        question: { key: 'q', texts: ['Are you open?'], pageId: 'p1', isTolerant: true },
      }),
    isBusy: (harness) => is(harness.actor('faqSuggestions'), 'loading'),
    told: silent,
    list: entries((harness) => snapshotOf(harness.actor('faqSuggestions')).context.entries),
  },
  {
    call: 'GET /faq/matching',
    own: own('Failed to load FAQ matching'),
    act: openDialog({ name: 'faqMatching' }, false),
    isBusy: (harness) => is(onDemand(harness), 'loading'),
  },
  {
    call: 'PUT /faq/matching',
    own: own('Failed to save FAQ matching'),
    prepare: async (harness) => {
      await openDialog({ name: 'faqMatching' })(harness)
      onDemand(harness).send({ type: 'settings.edited', settings: { least_score: 0.8 } })
    },
    act: (harness) => onDemand(harness).send({ type: 'settings.submitted' }),
    isBusy: (harness) => is(onDemand(harness), 'saving'),
    typed: (harness) => snapshotOf(onDemand(harness)).context.typed,
  },
  {
    call: 'GET /faq/wrong-answers',
    own: own('Failed to load wrong answers'),
    prepare: faq,
    act: (harness) => onDemand(harness).send({ type: 'wrongAnswers.opened' }),
    isBusy: (harness) => is(inDialog(harness, 'faqWrongAnswers'), 'loading'),
    list: {
      shown: (harness) => snapshotOf(inDialog(harness, 'faqWrongAnswers')).context.found,
      names: ['Hours', 'Parking'],
      counted: 'wrong answers',
    },
  },
  {
    call: 'POST /faq/wrong-answers/m1/resolve',
    own: own('Failed to resolve the answer'),
    prepare: async (harness) => {
      await faq(harness)
      onDemand(harness).send({ type: 'wrongAnswers.opened' })
      await harness.passes(100)
    },
    act: (harness) => inDialog(harness, 'faqWrongAnswers').send({ type: 'answer.resolved', messageId: 'm1' }),
    isBusy: (harness) => is(inDialog(harness, 'faqWrongAnswers'), 'resolving'),
  },
  {
    call: 'POST /faq/dry-run',
    own: own('Failed to run the dry run'),
    prepare: faq,
    act: (harness) => inDialog(harness, 'faqDryRun').send({ type: 'run.requested', entry: null }),
    isBusy: (harness) => is(inDialog(harness, 'faqDryRun'), { running: 'loading' }),
    list: {
      shown: (harness) => snapshotOf(inDialog(harness, 'faqDryRun')).context.result,
      names: ['Hours', 'Parking'],
      counted: 'entries of a dry run',
    },
  },
  ...[true, false].map(
    (isWrong): Row => ({
      call: isWrong ? 'PUT /facebook/messages/m1/wrong-answer' : 'DELETE /facebook/messages/m1/wrong-answer',
      own: own(isWrong ? 'Failed to mark the answer' : 'Failed to take the mark back'),
      prepare: withReplies,
      act: (harness) => to(harness, 'answerMark', 'answer.marked', { messageId: 'm1', isWrong }),
      isBusy: (harness) => is(harness.actor('answerMark'), 'marking'),
    }),
  ),
  {
    call: 'PUT /facebook/messages/m1/reaction',
    own: own('Your reaction was not sent. Try again.'),
    prepare: withReplies,
    act: (harness) => to(harness, 'reactions', 'reaction.chosen', { messageId: 'm1', emoji: '❤' }),
    isBusy: (harness) => is(harness.actor('reactions'), 'sending'),
  },
  {
    call: 'POST /faq/test-match',
    own: own('Failed to test FAQ match'),
    prepare: async (harness) => {
      await faq(harness)
      inDialog(harness, 'faqTest').send({ type: 'message.typed', message: 'When?' })
    },
    act: (harness) => inDialog(harness, 'faqTest').send({ type: 'test.requested' }),
    isBusy: (harness) => is(inDialog(harness, 'faqTest'), 'testing'),
    typed: (harness) => snapshotOf(inDialog(harness, 'faqTest')).context.message,
    list: {
      ...entries((harness) => snapshotOf(inDialog(harness, 'faqTest')).context.result),
      counted: 'FAQ matches',
    },
  },
]
