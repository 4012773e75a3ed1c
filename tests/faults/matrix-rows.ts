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
} & Own
type List = NonNullable<Row['list']>

/** The row of a call with its own text. */
const row = (call: string, text: string | null, rest: Omit<Row, 'call' | 'text'>): Row => ({ call, text, ...rest })

type Find = (harness: Harness) => AnyActorRef
type Event = { type: string; [field: string]: unknown }
type State = Parameters<AnyMachineSnapshot['matches']>[0]

export const snapshotOf = (actor: AnyActorRef): AnyMachineSnapshot => actor.getSnapshot()
const is = (actor: AnyActorRef, state: State) => snapshotOf(actor).matches(state)
const childOf = (actor: AnyActorRef, id: string): AnyActorRef | undefined => snapshotOf(actor).children[id]
const hasDialog = (harness: Harness) => snapshotOf(harness.actor('dialog')).context.opened !== null
export const onDemand = (harness: Harness): AnyActorRef => {
  const opened = snapshotOf(harness.actor('dialog')).context.opened
  if (!opened) throw new Error('no dialog is open')
  return opened.actor
}
const childIn = (find: Find, id: string) => (harness: Harness) => {
  const found = childOf(find(harness), id)
  if (!found) throw new Error(`there is no ${id}`)
  return found
}
export const inDialog = (harness: Harness, id: string): AnyActorRef => childIn(onDemand, id)(harness)
const isLoadingPart = (harness: Harness, id: string) => {
  const found = childOf(harness.actor('clientPage'), id)
  return found !== undefined && is(found, 'loading')
}
export const to = (harness: Harness, id: string, type: string, rest: object = {}) =>
  harness.actor(id).send({ type, ...rest })
export const session = (harness: Harness, type: string, rest: object = {}) =>
  harness.session()?.send({ type, ...rest } as never)

const actor = (id: string) => (harness: Harness) => harness.actor(id)
const part = (id: string) => childIn(onDemand, id)
/** What an actor has in its context. */
const held =
  (find: Find, ...path: (string | number)[]) =>
  (harness: Harness) =>
    path.reduce((value, name) => value?.[name], snapshotOf(find(harness)).context)
const isIn =
  (find: Find, ...states: State[]) =>
  (harness: Harness) =>
    states.some((state) => is(find(harness), state))
const tells = (find: Find, event: Event) => (harness: Harness) => find(harness).send(event)
/** An actor makes the call on an event, and is in one of the states meanwhile. */
const sends = (find: Find, event: Event, ...busy: State[]) => ({ act: tells(find, event), isBusy: isIn(find, ...busy) })
const working = (work: string) => ({ open: { work } })

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
/** The dialog makes the call when it opens. */
const opens = (dialog: object, busy: State = 'loading') => ({
  act: openDialog(dialog, false),
  isBusy: isIn(onDemand, busy),
})
/** The open dialog has got these events. */
const after =
  (opened: (harness: Harness) => Promise<unknown>, ...events: Event[]) =>
  async (harness: Harness) => {
    await opened(harness)
    for (const event of events) onDemand(harness).send(event)
    await harness.passes(100)
  }
/** What a dialog does with an item after a question, for example a deletion. */
const confirms = (what: string, opened: ReturnType<typeof openDialog>, item: object, busy: State) => ({
  prepare: after(opened, { type: `${what}.requested`, item }),
  ...sends(onDemand, { type: `${what}.confirmed` }, busy),
})
/** The form of a dialog saves an item; null is a new one. */
const savesItem = (
  opened: ReturnType<typeof openDialog>,
  form: string,
  item: object | null,
  change: object,
): Pick<Row, 'prepare' | 'act' | 'isBusy' | 'typed'> => ({
  prepare: async (harness) => {
    await after(opened, item === null ? { type: 'item.added' } : { type: 'item.edited', item })(harness)
    inDialog(harness, form).send({ type: 'fields.typed', change })
  },
  act: tells(part(form), { type: 'form.submitted' }),
  // Success closes the form.
  isBusy: (harness) => childOf(onDemand(harness), form) !== undefined && is(inDialog(harness, form), 'saving'),
  typed: held(part(form), 'fields'),
})
const savesSettings = (name: string, settings: object) => ({
  prepare: after(openDialog({ name }), { type: 'settings.edited', settings }),
  ...sends(onDemand, { type: 'settings.submitted' }, 'saving'),
  typed: held(onDemand, 'typed'),
})

const staff = openDialog({ name: 'staff' })
const apiKeys = openDialog({ name: 'apiKeys' })
const webhooks = openDialog({ name: 'webhooks' })
const shops = openDialog({ name: 'shops' })
const replyManager = openDialog({ name: 'savedReplyManager' })
const productManager = openDialog({ name: 'productManager' })
const dataTransfer = openDialog({ name: 'dataTransfer', input: { mayImport: true } })
const openImport = (change: Partial<CsvImport>) =>
  after(dataTransfer, { type: 'import.opened', item: importOf(change) })
const personalDataInput = { conversationId: 'ana', name: 'Ana', mayExport: true, mayErase: true }
const personalData = openDialog({ name: 'personalData', input: personalDataInput })
const erasing = after(personalData, { type: 'word.typed', word: 'erase' })
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
const atNetwork = after(login, { type: 'login.requested' })
const returned = { type: 'login.returned', outcome: 'allowed', codeToken: 'code1' }
const offered = after(after(atNetwork, returned), { type: 'page.toggled', pageId: 'p9' })
const faq = openDialog({ name: 'faq' })
const newEntry = { title: 'New title', categoryId: 'c1', keywords: ['when'], response: 'Soon.' }
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
const secretIsShown = after(factorIsOff, { type: 'enrolment.requested', password: 'mine' })
const autoSync = openDialog({ name: 'autoSyncControl' })
const prefilled = { firstName: 'Ana', lastName: '', email: '', phone: '', company: '' }
const linking = openDialog({ name: 'linkClient', input: { conversationId: 'ana', prefilled } }, false)
export const searched = async (harness: Harness) => {
  await after(linking, { type: 'search.typed', term: 'maria' })(harness)
  await harness.passes(500)
}
const fields = { firstName: 'Ana', lastName: 'Cruz', email: '', phone: '', company: '' }
export const writing = after(linking, { type: 'form.opened' }, { type: 'fields.typed', fields })
export const pageForm = (page: object | null) => async (harness: Harness) => {
  await after(pageManager, page === null ? { type: 'item.added' } : { type: 'item.edited', item: page })(harness)
  inDialog(harness, 'pageForm').send({ type: 'name.edited', name: 'Cakes' })
}
const verified = (page: object | null) => async (harness: Harness) => {
  if (page !== null) harness.answers('POST /facebook/pages/verify-token', dataOf({ id: 'p1', name: 'Bakery' }))
  await pageForm(page)(harness)
  inDialog(harness, 'pageForm').send({ type: 'token.edited', token: 'secret' })
  inDialog(harness, 'pageForm').send({ type: 'verification.requested' })
  await harness.passes(5_100)
}
const running = after(historySync('p1'), { type: 'sync.requested' })

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
const isLoadingThread = isIn(
  thread,
  { content: 'loading' },
  { content: 'finding' },
  { content: { showing: 'resyncing' } },
  { content: { showing: 'loadingOlder' } },
)
const isListLoading = isIn(
  conversations,
  'loading',
  { loaded: { freshness: 'refreshing' } },
  { loaded: { paging: 'loadingMore' } },
)
const summaries = childIn(thread, 'summaries')
export const replyDecision = childIn(thread, 'replyDecision')
const isRouting = (harness: Harness) => {
  const route = childOf(thread(harness), 'sendRoute')
  return route !== undefined && (is(route, 'findingPage') || is(route, 'findingIdentity'))
}
const askRoute = (harness: Harness) => to(harness, 'thread', 'route.requested', { pageId: null })

const rowsOf = (ids: readonly string[] | undefined, harness: Harness) =>
  ids?.map((id) => selectRow(id)(snapshotOf(harness.actor('records'))))
const listed = (...names: string[]): List => ({
  shown: (harness) => rowsOf(snapshotOf(conversations(harness)).context.order, harness),
  names,
  counted: 'conversations',
})
const written = (...names: string[]): List => ({
  shown: held(thread, 'thread', 'messages'),
  names,
  counted: 'messages',
})
const bought = (shown: List['shown']): List => ({ shown, names: ['101', '102'], counted: 'orders' })
const summary = bought(held(summaries, 'made', 'text'))
const partOf = (harness: Harness, id: string) => {
  const found = childOf(harness.actor('clientPage'), id)
  return found && snapshotOf(found).context.data
}
const entries = (shown: List['shown']): List => ({ shown, names: ['Hours', 'Parking'], counted: 'FAQs' })
const entriesShown = entries(held(onDemand, 'entries'))
const pagesTold: List = {
  shown: (harness) => harness.toasts.map(({ kind, text }) => [kind, text]),
  names: ['Bakery: No token', 'Flowers: No answer'],
  counted: 'failures of pages',
}
const lastRun: List = {
  shown: held(actor('autoSync'), 'status', 'lastRun'),
  names: ['Bakery', 'Flowers'],
  counted: 'pages of a sync',
}

export const more = (harness: Harness) => to(harness, 'conversations', 'more.requested')
const pagination = (total: number) => ({ page: 1, limit: 20, total, totalPages: 1, hasNext: false, hasPrev: false })
/** These calls belong to the same client. */
const found = (...ids: string[]) => ({
  success: true,
  data: ids.map((id) => conversationFixture(id, `${id.charAt(0).toUpperCase()}${id.slice(1)}`, { client_id: 'k1' })),
  pagination: pagination(ids.length),
})
const refresh = (harness: Harness) => session(harness, 'refetch.requested')

/** A user of an API with these features, whose code is loaded. */
const withFeatures =
  (features: string[], permissions: string[] = []) =>
  async (harness: Harness) => {
    const known = snapshotOf(harness.actor('session')).context.user
    const user = { ...known, features, permissions: [...known.permissions, ...permissions] }
    session(harness, 'user.confirmed', { user })
    // The code loads after the first rows.
    await harness.passes(100)
    await vi.dynamicImportSettled()
    await harness.passes(500)
  }
/** The user also has a conversation open. */
export const openWith = async (harness: Harness, features: string[], permissions: string[] = []) => {
  await withFeatures(features, permissions)(harness)
  await open(harness)
}
const withColleagues = (harness: Harness) => openWith(harness, ['presence', 'notes'])
const withStates = async (harness: Harness) => {
  const data = [{ ...conversationFixture('ben', 'Ben'), state: stateOf(1) }]
  harness.answers('GET /facebook/conversations', { success: true, data, pagination: pagination(1) })
  await withFeatures(['conversation-states'])(harness)
  refresh(harness)
  await harness.passes(500)
}

const foundClients: List = {
  shown: held(part('search'), 'hits', 'clients'),
  names: ['Maria', 'Zoe'],
  counted: 'clients',
}

/** The user has the palette open. */
const withSearch = async (harness: Harness) => {
  await withFeatures(['search'])(harness)
  await openDialog({ name: 'palette' })(harness)
  await vi.dynamicImportSettled()
}
/** The drafts are fetched. */
const withDrafts = async (harness: Harness) => {
  await withFeatures(['drafts'], ['messages.send'])(harness)
  await harness.passes(5_000)
}
const withLabels = withFeatures(['labels'])
const labelManager = async (harness: Harness) => {
  await withLabels(harness)
  await openDialog({ name: 'labelManager' })(harness)
}
const newLabel = { name: 'New name', keyword: 'new' }
const filterManager = async (harness: Harness) => {
  await openWith(harness, ['saved-filters'])
  await openDialog({ name: 'savedFilterManager', input: { values: null } })(harness)
}
const filtersShown = (...names: string[]): List => ({
  shown: held(actor('savedFilters'), 'saved', 'filters'),
  names,
  counted: 'saved filters',
})
const labelsShown = (...names: string[]): List => ({ shown: held(actor('labels'), 'labels'), names, counted: 'labels' })

const withReplies = (harness: Harness) =>
  openWith(harness, ['saved-replies', 'faq-matching', 'reactions'], ['messages.send', 'faq.read'])
const withCheck = (harness: Harness) => openWith(harness, ['summaries'])
/** A draft with a summary without orders is to be sent. */
const holdSummary = (kind: SummaryKind) => (harness: Harness) =>
  to(harness, 'summaryCheck', 'send.held', {
    draftId: 'd1',
    text: 'Hello!',
    summary: { kind, user_id: 'ana', client_id: 'k1', text: 'Hello!', orders: [] },
  })
const ordersOfCheck = bought(held(actor('summaryCheck'), 'found', 'orders'))
const newReply = { name: 'when', text: 'Soon.' }
const repliesIn = (shown: List['shown']): List => ({ shown, names: ['hours', 'parking'], counted: 'saved replies' })

const withSuggestions = (harness: Harness) => openWith(harness, ['client-suggestions'])
const suggestFor = (conversationId: string) => (harness: Harness) =>
  to(harness, 'clientSuggestions', 'subject.changed', { subject: { conversationId, lastMessageAt: null } })
const movedChats: List = {
  shown: (harness) => [...snapshotOf(harness.actor('records')).context.records.people.keys()],
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
  await after(comments, { type: 'thread.chosen', id: 't1' })(harness)
  await harness.passes(500)
}
const inThread = part('commentThread')
export const firstComment = (harness: Harness): AnyActorRef => {
  const [first] = snapshotOf(inThread(harness)).context.comments
  if (!first) throw new Error('the thread has no comments')
  return first
}
const threadsIn = { shown: held(onDemand, 'threads'), counted: 'threads of comments' }
const commentsIn: List = {
  shown: (harness) =>
    snapshotOf(inThread(harness)).context.comments.map((one: AnyActorRef) => snapshotOf(one).context.comment.message),
  names: ['Magkano po', 'P250 po'],
  counted: 'comments',
}
const answersIn = (harness: Harness): readonly CommentAnswer[] => snapshotOf(harness.actor('answers')).context.answers
const webhookOf = endpointOf('w1', 'Shop')
const newWebhook = { url: 'https://new.example.com/' }
const webhookLog = after(webhooks, { type: 'log.requested', item: webhookOf })
const deliveriesShown = (...names: string[]): List => ({
  shown: held(part('webhookLog'), 'deliveries'),
  names,
  counted: 'deliveries',
})
const newProduct = { name: 'Cap', price: '5', code: '' }
const productsIn = (shown: List['shown']): List => ({ shown, names: ['Mug', 'Shirt'], counted: 'products' })
const paymentsShown: List = { shown: held(onDemand, 'order', 'payments'), names: ['GC-1', 'GC-2'], counted: 'payments' }

const silent: Row['told'] = (name, rule) => (name === '401' ? rule : null)

/** Every call of spec section 7 that a session makes, for each place that makes the call. */
export const rows: readonly Row[] = [
  row('GET /facebook/conversations', 'Failed to load conversations', {
    from: 'load',
    act: refresh,
    isBusy: isListLoading,
    list: listed('Ana Cruz', 'Ben Reyes'),
  }),
  row('GET /facebook/conversations', 'Failed to load conversations', {
    at: 'another filter',
    act: tells(conversations, { type: 'unreadOnly.chosen', unreadOnly: true }),
    isBusy: isListLoading,
    typed: held(conversations, 'query'),
    list: listed('Ana Cruz', 'Ben Reyes'),
  }),
  row('GET /facebook/conversations', 'Failed to load more conversations', {
    at: 'Load more',
    prepare: async (harness) => {
      harness.answers('GET /facebook/conversations', fullPage())
      refresh(harness)
      await harness.passes(500)
    },
    act: more,
    isBusy: isListLoading,
    list: listed('Guest 0', 'Guest 19', 'Cleo Diaz', 'Dan Lim'),
  }),
  row('GET /facebook/conversations', 'Failed to load messages', {
    at: 'a link to a conversation',
    from: 'findConversation',
    prepare: async (harness) => harness.answers('GET /facebook/conversations', found('ana', 'zoe')),
    act: (harness) => session(harness, 'conversation.selected', { id: 'zoe' }),
    isBusy: isLoadingThread,
    list: {
      shown: (harness) => selectRow('zoe')(snapshotOf(harness.actor('records'))),
      names: ['Zoe'],
      counted: 'conversations',
    },
  }),
  row('GET /facebook/conversations', 'Failed to load conversations', {
    at: "a client's chats",
    from: 'loadChats',
    prepare: async (harness) => {
      harness.answers('GET /clients/k1', dataOf({ ...firstClient, fb_user_id: 'ana-p1' }))
      harness.answers('GET /facebook/conversations', found('ana', 'zoe'))
    },
    act: (harness) => session(harness, 'client.opened', { id: 'k1' }),
    isBusy: (harness) => isLoadingPart(harness, 'chats'),
    list: {
      shown: (harness) => rowsOf(partOf(harness, 'chats')?.chatIds, harness),
      names: ['Ana', 'Zoe'],
      counted: 'conversations',
    },
  }),
  row('GET /facebook/conversations', 'Failed to load conversations', {
    at: 'the command palette',
    prepare: async (harness) => {
      await openDialog({ name: 'palette' })(harness)
      harness.answers('GET /facebook/conversations', found('ana', 'zoe'))
    },
    ...sends(onDemand, { type: 'term.typed', term: 'zoe' }, { open: 'debouncing' }, { open: 'searching' }),
    typed: held(onDemand, 'term'),
    list: {
      shown: (harness) => rowsOf(snapshotOf(onDemand(harness)).context.found, harness),
      names: ['Ana', 'Zoe'],
      counted: 'conversations',
    },
  }),
  ...(['loading', 'older', 'newer', 'refetch'] as const).map((step) => {
    const states = {
      loading: 'loading',
      older: { showing: 'loadingOlder' },
      newer: { showing: 'loadingNewer' },
      refetch: { showing: 'refetching' },
    } as const
    const begin = tells(actor('around'), { type: 'message.requested', conversationId: 'ana', messageId: 'm1' })
    return row('GET /facebook/conversations/ana/messages-around', 'Failed to load messages', {
      at: `around a found message: ${step}`,
      prepare: async (harness) => {
        await openWith(harness, ['search'])
        if (step === 'loading') return
        begin(harness)
        await harness.passes(500)
      },
      act: step === 'loading' ? begin : tells(actor('around'), { type: `${step}.requested` }),
      isBusy: isIn(actor('around'), states[step]),
      // The screen itself says that the message does not exist.
      ...(step === 'loading' && { told: (name, rule) => (name === '404' ? null : rule) }),
      list: { ...written('Text of m1', 'Text of m2'), shown: held(actor('around'), 'around', 'thread', 'messages') },
    })
  }),
  row('GET /search', 'We could not search clients, orders and messages.', {
    at: 'the command palette',
    prepare: withSearch,
    act: tells(onDemand, { type: 'term.typed', term: 'mar' }),
    isBusy: isIn(part('search'), 'debouncing', 'searching'),
    typed: held(onDemand, 'term'),
    list: foundClients,
  }),
  row('GET /search', 'We could not search clients, orders and messages.', {
    at: 'further hits of a group',
    prepare: async (harness) => {
      await withSearch(harness)
      onDemand(harness).send({ type: 'term.typed', term: 'mar' })
      await harness.passes(1_000)
    },
    ...sends(part('search'), { type: 'more.requested', kind: 'clients' }, 'loadingMore'),
    typed: held(onDemand, 'term'),
    list: foundClients,
  }),
  row('GET /facebook/conversations/ana/messages', 'Failed to load messages', {
    act: (harness) => session(harness, 'conversation.selected', { id: 'ana' }),
    isBusy: isLoadingThread,
    list: written('Text of m1', 'Text of m2'),
  }),
  row('GET /facebook/conversations/ana/messages', 'Failed to load messages', {
    at: 'a refresh',
    prepare: open,
    act: refresh,
    isBusy: isLoadingThread,
    list: written('Text of m1', 'Text of m2'),
  }),
  row('GET /facebook/conversations/ana/messages', 'Failed to load messages', {
    at: 'older messages',
    prepare: open,
    act: tells(thread, { type: 'older.requested' }),
    isBusy: isLoadingThread,
    list: written('Text of m01', 'Text of m02', 'Text of m1', 'Text of m2'),
  }),
  row('POST /facebook/send-message', 'Failed to send message', {
    prepare: open,
    act: send,
    isBusy: isSending,
    typed: (harness) => outgoing(harness).map(({ text }) => text),
  }),
  row('GET /facebook/users/ana/best-page', null, {
    prepare: open,
    act: send,
    isBusy: isSending,
    // The first entry of page_ids is used (spec section 4).
    told: (name, rule) => (name === '401' ? rule : 'Message sent successfully'),
  }),
  row('GET /facebook/users/ana/identity/p1', null, {
    prepare: open,
    act: send,
    isBusy: isSending,
    // The conversation's own psid is used (spec section 4).
    told: (name, rule) => (name === '401' ? rule : 'Message sent successfully'),
  }),
  row('GET /facebook/users/ana/best-page', null, {
    at: 'what the composer shows',
    prepare: open,
    act: askRoute,
    isBusy: isRouting,
    told: silent,
  }),
  row('GET /facebook/users/ana/identity/p1', null, {
    at: 'what the composer shows',
    prepare: open,
    act: askRoute,
    isBusy: isRouting,
    told: silent,
  }),
  row('POST /facebook/conversations/ana/mark-read', 'Failed to mark as read', {
    prepare: open,
    act: tells(thread, { type: 'read.requested' }),
    isBusy: isIn(thread, { reading: 'marking' }),
  }),
  row(
    'POST /facebook/messages/m1/unconfirmed-reply',
    'That did not work. Check the automatic reply again before you send or discard it.',
    {
      prepare: open,
      ...sends(replyDecision, { type: 'reply.decided', questionId: 'm1', decision: 'discard', tries: 1 }, 'deciding'),
    },
  ),
  row('GET /facebook/stats', null, {
    act: refresh,
    isBusy: isIn(actor('stats'), 'loading'),
  }),
  row('GET /facebook/pages', 'Failed to load Facebook pages', {
    act: refresh,
    isBusy: isIn(actor('pages'), 'loading'),
    prepare: async (harness) => harness.passes(1),
    list: { shown: held(actor('pages'), 'pages', 'inOrder'), names: ['Bakery', 'Flowers'], counted: 'pages' },
  }),
  row('GET /facebook/auto-sync/status', null, {
    ...sends(actor('autoSync'), { type: 'refetch.requested' }, { watching: 'polling' }),
    told: silent,
    list: lastRun,
  }),
  row('GET /clients/k1', null, {
    from: 'loadProfile',
    act: (harness) => session(harness, 'conversation.selected', { id: 'ana' }),
    isBusy: isIn(actor('clientProfile'), 'loading'),
  }),
  row('GET /orders', 'Failed to fetch orders information', {
    prepare: open,
    ...sends(actor('clientOrders'), { type: 'refetch.requested' }, { showing: 'refreshing' }),
    typed: held(actor('clientOrders'), 'data'),
    list: bought(held(actor('clientOrders'), 'data')),
  }),
  row('GET /clients/k1', null, {
    at: "the client's page",
    from: 'loadProfile',
    act: (harness) => session(harness, 'client.opened', { id: 'k1' }),
    isBusy: (harness) => isLoadingPart(harness, 'profile'),
  }),
  row('GET /orders', 'Failed to fetch orders information', {
    at: "the client's page",
    act: (harness) => session(harness, 'client.opened', { id: 'k1' }),
    isBusy: (harness) => isLoadingPart(harness, 'orders'),
    list: bought((harness) => partOf(harness, 'orders')),
  }),
  row('GET /facebook/orders/ana', 'Failed to fetch orders information', {
    prepare: open,
    act: tells(thread, { type: 'summary.requested', kind: 'orders' }),
    isBusy: isIn(summaries, 'fetchingOrders'),
    list: summary,
  }),
  row('GET /orders', 'Failed to fetch payment information', {
    at: 'Payments',
    prepare: open,
    act: tells(thread, { type: 'summary.requested', kind: 'payments' }),
    isBusy: isIn(summaries, 'fetchingPayments'),
    list: summary,
  }),
  row('GET /facebook/orders/ana', null, {
    at: 'the check before a summary is sent',
    prepare: withCheck,
    act: holdSummary('orders'),
    isBusy: isIn(actor('summaryCheck'), 'checking'),
    patience: 5_000,
    told: silent,
    list: ordersOfCheck,
  }),
  row('GET /orders', null, {
    at: 'the check before a summary is sent',
    prepare: withCheck,
    act: holdSummary('payments'),
    isBusy: isIn(actor('summaryCheck'), 'checking'),
    patience: 5_000,
    told: silent,
    list: ordersOfCheck,
  }),
  row('PUT /clients/k1/language', 'Failed to save the language', {
    prepare: openDialog({ name: 'clientLanguage', input: { clientId: 'k1', language: 'en' } }),
    ...sends(onDemand, { type: 'language.chosen', language: 'fil' }, 'saving'),
  }),
  row('GET /clients/k1', 'Failed to load the client', {
    at: 'the form that edits a client',
    from: 'loadClientToEdit',
    ...opens({ name: 'editClient', input: { clientId: 'k1' } }),
  }),
  row('PUT /clients/k1', 'Failed to save the client', {
    prepare: after(openDialog({ name: 'editClient', input: { clientId: 'k1' } }), {
      type: 'fields.typed',
      fields: editedFields,
    }),
    act: tells(onDemand, { type: 'form.submitted' }),
    isBusy: (harness) => hasDialog(harness) && is(onDemand(harness), 'saving'),
    typed: held(onDemand, 'fields'),
  }),
  row('GET /clients/k1/summary', 'Failed to load what belongs to the client', {
    ...opens({ name: 'removeClient', input: { clientId: 'k1' } }),
  }),
  row('DELETE /clients/k1', 'Failed to delete the client', {
    prepare: openDialog({ name: 'removeClient', input: { clientId: 'k1' } }),
    act: tells(onDemand, { type: 'removal.confirmed' }),
    isBusy: (harness) => hasDialog(harness) && is(onDemand(harness), 'removing'),
    list: movedChats,
  }),
  row('POST /clients/k1/merge', 'Failed to merge the clients', {
    prepare: after(openDialog({ name: 'mergeClients', input: { clientId: 'k1' } }), {
      type: 'client.chosen',
      id: 'k2',
    }),
    act: tells(onDemand, { type: 'merge.confirmed' }),
    isBusy: (harness) => hasDialog(harness) && is(onDemand(harness), 'merging'),
    list: movedChats,
  }),
  row('GET /client-removals', 'Failed to load the deleted clients', {
    ...opens({ name: 'removedClients' }),
    list: { shown: held(onDemand, 'clients'), names: ['Maria', 'Marian'], counted: 'removed clients' },
  }),
  row('POST /client-removals/k8/undo', 'Failed to restore the client', {
    prepare: openDialog({ name: 'removedClients' }),
    ...sends(onDemand, { type: 'restore.requested', id: 'k8' }, 'restoring'),
    list: movedChats,
  }),
  row('GET /clients/k2/summary', 'Failed to load what belongs to the client', {
    at: 'the preview of a merge',
    prepare: openDialog({ name: 'mergeClients', input: { clientId: 'k1' } }),
    ...sends(onDemand, { type: 'client.chosen', id: 'k2' }, 'loading'),
  }),
  row('GET /facebook/search-clients', 'Failed to search clients', {
    at: 'the search for the client to merge',
    prepare: openDialog({ name: 'mergeClients', input: { clientId: 'k9' } }),
    ...sends(onDemand, { type: 'search.typed', term: 'maria' }, { choosing: 'searching' }),
    typed: held(onDemand, 'term'),
    list: { shown: held(onDemand, 'found', 'clients'), names: ['Maria', 'Marian'], counted: 'clients' },
  }),
  row('GET /facebook/client-suggestions/ben', null, {
    prepare: withSuggestions,
    act: suggestFor('ben'),
    isBusy: isIn(actor('clientSuggestions'), 'loading'),
    told: silent,
    list: {
      shown: held(actor('clientSuggestions'), 'suggestions'),
      names: ['Maria', 'Marian'],
      counted: 'suggestions',
    },
  }),
  row('POST /facebook/client-suggestions/ben/dismiss', 'Failed to dismiss the suggestion', {
    prepare: async (harness) => {
      await withSuggestions(harness)
      suggestFor('ben')(harness)
      await harness.passes(900)
    },
    ...sends(actor('clientSuggestions'), { type: 'suggestion.dismissed', clientId: 'k8' }, 'dismissing'),
  }),
  row('GET /facebook/search-clients', 'Failed to search clients', {
    prepare: linking,
    ...sends(onDemand, { type: 'search.typed', term: 'maria' }, { open: { search: 'searching' } }),
    typed: held(onDemand, 'term'),
    list: {
      shown: (harness) =>
        snapshotOf(onDemand(harness)).context.found?.clientIds.map((id: string) =>
          selectClient(id)(snapshotOf(harness.actor('clients'))),
        ),
      names: ['Maria', 'Marian'],
      counted: 'clients',
    },
  }),
  row('POST /facebook/link-client', 'Failed to link client', {
    prepare: after(searched, { type: 'client.chosen', client: firstClient }),
    ...sends(onDemand, { type: 'link.requested' }, working('linking')),
    typed: (harness) => [snapshotOf(onDemand(harness)).context.term, snapshotOf(onDemand(harness)).context.selected],
  }),
  row('POST /facebook/link-client', 'Failed to link user to client', {
    at: 'Create & Link',
    prepare: writing,
    ...sends(onDemand, { type: 'form.submitted' }, working('linkingCreated')),
    typed: held(onDemand, 'created'),
  }),
  row('POST /clients', 'Failed to create client', {
    prepare: writing,
    ...sends(onDemand, { type: 'form.submitted' }, working('creating')),
    typed: held(onDemand, 'fields'),
  }),
  row('POST /facebook/refresh-user-profile/ana', null, {
    ...sends(
      actor('pictureRenewal'),
      {
        type: 'picture.shown',
        picture: { id: 'ana', address: 'https://scontent.fbcdn.net/ana.jpg?oh=00&oe=5f000000' },
      },
      { renewal: 'renewing' },
    ),
    told: silent,
  }),
  row('POST /facebook/pages/verify-token', 'Failed to verify token', {
    withReason: (reason) => `Token verification failed: ${reason}`,
    prepare: pageForm(null),
    act: (harness) => {
      inDialog(harness, 'pageForm').send({ type: 'token.edited', token: 'secret' })
      inDialog(harness, 'pageForm').send({ type: 'verification.requested' })
    },
    isBusy: isIn(part('pageForm'), { open: { verification: 'verifying' } }),
    typed: held(part('pageForm'), 'name'),
  }),
  row('POST /facebook/pages', 'Failed to add Facebook page', {
    withReason: (reason) => `Failed to add page: ${reason}`,
    prepare: verified(null),
    ...sends(part('pageForm'), { type: 'form.submitted' }, working('saving')),
    typed: held(part('pageForm'), 'name'),
  }),
  row('PUT /facebook/pages/p1', 'Failed to update Facebook page', {
    withReason: (reason) => `Failed to update page: ${reason}`,
    prepare: verified(firstPage),
    ...sends(part('pageForm'), { type: 'form.submitted' }, working('saving')),
    typed: held(part('pageForm'), 'name'),
  }),
  row('POST /facebook/logins', 'Failed to open Facebook', {
    prepare: login,
    ...sends(onDemand, { type: 'login.requested' }, 'opening'),
  }),
  row('POST /facebook/logins/complete', 'Failed to load your pages from Facebook', {
    prepare: atNetwork,
    ...sends(onDemand, returned, 'completing'),
    list: { shown: held(onDemand, 'pages'), names: ['Cakes', 'Pies'], counted: 'pages' },
  }),
  row('POST /facebook/logins/connect', 'Failed to connect the page', {
    prepare: offered,
    ...sends(onDemand, { type: 'connection.requested' }, 'connecting'),
    typed: held(onDemand, 'chosen'),
  }),
  row('GET /facebook/pages/p1/deletion', null, {
    prepare: pageManager,
    ...sends(onDemand, { type: 'deletion.requested', item: firstPage }, { open: { work: { asking: 'lookingUp' } } }),
    told: silent,
  }),
  row('DELETE /facebook/pages/p1', 'Failed to delete Facebook page', {
    withReason: (reason) => `Failed to delete page: ${reason}`,
    ...confirms('deletion', pageManager, firstPage, working('deleting')),
  }),
  row('POST /facebook/pages/refresh-profile-pictures', 'Failed to refresh profile pictures', {
    prepare: pageManager,
    ...sends(onDemand, { type: 'pictures.requested', scope: 'pages' }, { open: { pictures: 'refreshing' } }),
    list: pagesTold,
  }),
  row('POST /facebook/refresh-all-profile-pictures', 'Failed to refresh all profile pictures', {
    prepare: pageManager,
    ...sends(onDemand, { type: 'pictures.requested', scope: 'all' }, { open: { pictures: 'refreshing' } }),
    list: pagesTold,
  }),
  row('GET /facebook/chats/ana', 'Failed to load the chats', {
    ...opens({ name: 'chats', input: { conversationId: 'ana' } }, working('loading')),
    list: { shown: held(onDemand, 'chats', 'chats'), names: ['"ana"', '"ana-2"'], counted: 'chats' },
  }),
  row('GET /facebook/conversations', 'Failed to search conversations', {
    at: 'Join chats',
    prepare: chats,
    ...sends(onDemand, { type: 'search.typed', term: 'ben' }, { open: { search: 'searching' } }),
    typed: held(onDemand, 'term'),
    list: { shown: held(onDemand, 'found', 'candidates'), names: ['Ben'], counted: 'conversations' },
  }),
  ...chatSteps.map(({ path, step, failure }) =>
    row(`POST /facebook/${path}`, failure, {
      prepare: chosen(step),
      act: tells(onDemand, { type: 'step.confirmed' }),
      // Success closes the dialog.
      isBusy: (harness) => hasDialog(harness) && is(onDemand(harness), working('changing')),
      list: movedChats,
    }),
  ),
  row('GET /persons/ana/export', 'Failed to export the personal data', {
    prepare: personalData,
    ...sends(onDemand, { type: 'export.requested' }, 'exporting'),
  }),
  row('GET /persons/ana/erasable', 'Failed to count what would be erased', {
    ...opens({ name: 'personalData', input: personalDataInput }),
  }),
  row('POST /persons/ana/erase', 'Failed to erase the personal data', {
    prepare: erasing,
    ...sends(onDemand, { type: 'erase.requested' }, 'starting'),
    typed: held(onDemand, 'word'),
  }),
  row('GET /erasures/x1', 'Failed to erase the personal data', {
    prepare: after(erasing, { type: 'erase.requested' }),
    act: () => {},
    isBusy: isIn(onDemand, { erasing: 'looking' }),
  }),
  row('GET /facebook/pages/p1/sync-status', 'Failed to load sync status', {
    prepare: historySync(null),
    ...sends(onDemand, { type: 'page.chosen', pageId: 'p1' }, { open: { status: 'loading' } }),
    list: { shown: held(onDemand, 'status'), names: ['"j1"', '"j2"'], counted: 'syncs under way' },
  }),
  row('POST /facebook/pages/p1/sync-history', 'Failed to sync historical conversations', {
    prepare: after(historySync('p1'), { type: 'limit.typed', limit: '70' }),
    ...sends(onDemand, { type: 'sync.requested' }, working('starting')),
    typed: (harness) => [snapshotOf(onDemand(harness)).context.pageId, snapshotOf(onDemand(harness)).context.limit],
  }),
  row('GET /facebook/history-syncs/j1', 'Failed to load sync status', {
    prepare: running,
    act: () => {},
    isBusy: isIn(onDemand, { open: { work: { running: 'asking' } } }),
  }),
  row('POST /facebook/history-syncs/j1/cancel', 'Failed to cancel the sync', {
    prepare: running,
    ...sends(onDemand, { type: 'cancel.requested' }, working('cancelling')),
  }),
  row('POST /facebook/pages/p1/sync-conversation', 'Failed to sync conversation', {
    ...sends(
      actor('conversationSync'),
      { type: 'conversationSync.requested', subject: { pageId: 'p1', psid: 'psid-ana', platform: 'messenger' } },
      'syncing',
    ),
  }),
  row('POST /facebook/pages/p1/sync-recent', 'Error syncing recent messages', {
    withReason: (reason) => `Failed to sync recent messages: ${reason}`,
    prepare: async (harness) => {
      session(harness, 'page.chosen', { pageId: 'p1' })
      await harness.passes(500)
    },
    act: (harness) => session(harness, 'recentSync.requested'),
    isBusy: isIn(actor('recentSync'), 'syncing'),
  }),
  row('POST /facebook/sync-all-recent', 'Error syncing recent messages', {
    withReason: (reason) => `Failed to sync recent messages: ${reason}`,
    act: (harness) => session(harness, 'recentSync.requested'),
    isBusy: isIn(actor('recentSync'), 'syncing'),
    list: pagesTold,
  }),
  row('PUT /facebook/auto-sync/config', 'Failed to update settings', {
    prepare: autoSync,
    ...sends(
      onDemand,
      {
        type: 'settings.submitted',
        settings: { interval: '7', hoursBack: '3', enabled: true },
        shown: { interval: '5', hoursBack: '2', enabled: true },
      },
      'saving',
    ),
    typed: held(onDemand, 'typed'),
    list: lastRun,
  }),
  ...(['start', 'stop'] as const).map((which) =>
    row(`POST /facebook/auto-sync/${which}`, 'Failed to toggle auto-sync', {
      prepare: autoSync,
      ...sends(onDemand, { type: `${which}.requested` }, 'toggling'),
      list: lastRun,
    }),
  ),
  row('POST /facebook/auto-sync/force-sync', 'Failed to force sync', {
    ...sends(actor('autoSync'), { type: 'force.requested' }, { forcing: 'syncing' }),
    list: { ...pagesTold, names: ['Force sync completed'], counted: lastRun.counted },
  }),
  row('POST /auth/change-password', 'The password could not be changed. Please try again.', {
    prepare: password,
    ...sends(
      onDemand,
      {
        type: 'password.submitted',
        currentPassword: 'the old one',
        password: 'Tricycle 7 mangoes',
        repeatedPassword: 'Tricycle 7 mangoes',
      },
      'saving',
    ),
  }),
  row('GET /auth/second-factor', 'Failed to load two-step sign-in', {
    ...opens({ name: 'secondFactor', input: { at: 'menu' } }),
  }),
  row('POST /auth/second-factor/begin', 'Two-step sign-in could not be set up. Please try again.', {
    prepare: factorIsOff,
    ...sends(onDemand, { type: 'enrolment.requested', password: 'mine' }, 'beginning'),
  }),
  row('POST /auth/second-factor/confirm', 'Two-step sign-in could not be set up. Please try again.', {
    prepare: secretIsShown,
    ...sends(onDemand, { type: 'code.submitted', code: '123456' }, 'confirming'),
  }),
  row('POST /auth/second-factor/disable', 'Two-step sign-in could not be turned off. Please try again.', {
    prepare: factorIsOn,
    ...sends(onDemand, { type: 'disabling.submitted', password: 'mine', code: '123456' }, 'disabling'),
  }),
  row('POST /auth/second-factor/recovery-codes', 'New recovery codes could not be issued. Please try again.', {
    prepare: factorIsOn,
    ...sends(onDemand, { type: 'newCodes.submitted', password: 'mine', code: '123456' }, 'replacingCodes'),
  }),
  row('GET /faq/categories', 'Failed to load categories', {
    ...opens({ name: 'faq' }, { open: { categories: 'loading' } }),
    list: { shown: held(onDemand, 'categories'), names: ['Payments', 'Delivery'], counted: 'FAQ categories' },
  }),
  row('GET /faq/entries', 'Failed to load FAQs', {
    ...opens({ name: 'faq' }, { open: { entries: 'loading' } }),
    list: entriesShown,
  }),
  row('GET /faq/entries', 'Failed to load FAQs', {
    at: 'Refresh',
    prepare: faq,
    ...sends(onDemand, { type: 'refetch.requested' }, { open: { entries: 'refreshing' } }),
    typed: held(onDemand, 'entries'),
    list: entriesShown,
  }),
  row('POST /faq/entries', 'Failed to save FAQ', savesItem(faq, 'faqForm', null, newEntry)),
  row('PUT /faq/entries/f1', 'Failed to save FAQ', savesItem(faq, 'faqForm', firstEntry, newEntry)),
  row('DELETE /faq/entries/f1', 'Failed to delete FAQ', {
    ...confirms('deletion', faq, firstEntry, working('deleting')),
    typed: held(onDemand, 'entries'),
  }),
  row('GET /staff', 'Failed to load staff', {
    ...opens({ name: 'staff' }, { open: { members: 'loading' } }),
    list: { shown: held(onDemand, 'staff'), names: ['Ben', 'Cleo'], counted: 'members of staff' },
  }),
  row('POST /staff', 'Failed to save', savesItem(staff, 'staffForm', null, { name: 'New', email: 'new@example.com' })),
  row('PUT /staff/s2', 'Failed to save', savesItem(staff, 'staffForm', member, { name: 'New' })),
  row('POST /staff/s2/reset-password', 'Failed to reset the password', {
    ...confirms('reset', staff, member, working('resetting')),
  }),
  row('POST /staff/s2/remove-second-factor', 'Failed to turn off two-step sign-in', {
    ...confirms('factorRemoval', staff, member, working('removingFactor')),
  }),
  row('GET /api-keys', 'Failed to load API keys', {
    ...opens({ name: 'apiKeys' }, { open: { keys: 'loading' } }),
    list: { shown: held(onDemand, 'keys'), names: ['Shop', 'Till'], counted: 'API keys' },
  }),
  row('POST /api-keys', 'Failed to make the key', {
    prepare: after(apiKeys, { type: 'item.added' }, { type: 'draft.changed', change: { name: 'New' } }),
    ...sends(onDemand, { type: 'form.submitted' }, working('creating')),
    typed: held(onDemand, 'draft'),
  }),
  row('DELETE /api-keys/k1', 'Failed to revoke the key', {
    ...confirms('deletion', apiKeys, apiKeyOf('k1', 'Shop'), working('revoking')),
  }),
  row('GET /comments/count', null, {
    prepare: (harness) => openWith(harness, ['comments']),
    ...sends(actor('commentCount'), { type: 'refetch.requested' }, 'loading'),
  }),
  row('GET /comments/live-sale', 'Failed to load the sale', {
    act: openDialog({ name: 'liveSale' }, false),
    isBusy: (harness) => hasDialog(harness) && is(onDemand(harness), 'loading'),
  }),
  row('PUT /comments/live-sale', 'The sale was not saved. Please try again.', {
    ...savesSettings('liveSale', { is_on: false, post_id: null, keyword: 'mine po', items: [] }),
  }),
  row('GET /comments/threads', 'Failed to load comments', {
    prepare: comments,
    ...sends(onDemand, { type: 'view.chosen', view: 'all' }, { open: { list: 'loading' } }),
    list: { ...threadsIn, names: ['Ana', 'Ben'] },
  }),
  row('GET /comments/threads', 'Failed to load comments', {
    at: 'the next page',
    prepare: comments,
    act: (harness) => {
      harness.answers(
        'GET /comments/threads',
        dataOf({ threads: [threadRowOf('t3', 'Cleo'), threadRowOf('t4', 'Dan')], next: null }),
      )
      onDemand(harness).send({ type: 'more.requested' })
    },
    isBusy: isIn(onDemand, { open: { list: { showing: 'loadingMore' } } }),
    list: { ...threadsIn, names: ['Ana', 'Ben', 'Cleo', 'Dan'] },
  }),
  row('GET /comments/threads/t1', 'Failed to load the comment', {
    prepare: commentThread,
    act: tells(onDemand, { type: 'thread.chosen', id: 't1' }),
    isBusy: isIn(inThread, 'loading'),
    list: commentsIn,
  }),
  row('PUT /comments/threads/t1/done', 'The comment still waits for an answer. Please try again.', {
    prepare: commentThread,
    ...sends(inThread, { type: 'done.requested' }, { showing: 'finishing' }),
    list: commentsIn,
  }),
  row('POST /comments/c1/replies', 'Failed to send the answer', {
    prepare: async (harness) => {
      await openWith(harness, ['comments'])
      await commentThread(harness)
      firstComment(harness).send({ type: 'reply.begun', kind: 'public' })
    },
    act: tells(firstComment, { type: 'reply.submitted', message: 'P250 po' }),
    isBusy: (harness) => answersIn(harness).some(({ status }) => status === 'pending'),
    typed: (harness) => answersIn(harness).map(({ text }) => text),
    list: commentsIn,
  }),
  row('POST /comments/sends/k1', 'The answer is still not certain. Please try again.', {
    prepare: async (harness) => {
      harness.answers(
        'GET /comments/threads/t1',
        dataOf(commentThreadOf([{ key: 'k1', kind: 'public', message: 'Hi', state: 'unknown', tries: 1 }])),
      )
      await commentThread(harness)
    },
    act: tells(firstComment, { type: 'send.decided', decided: { key: 'k1', decision: 'look', tries: 1 } }),
    isBusy: isIn(firstComment, { work: 'deciding' }),
    list: commentsIn,
  }),
  ...Object.entries<Event>({
    'PUT /comments/c1/hidden': { type: 'change.requested', change: { kind: 'hide', hidden: true } },
    'PUT /comments/c1/like': { type: 'change.requested', change: { kind: 'like', liked: true } },
    'DELETE /comments/c1': { type: 'deletion.confirmed' },
  }).map(([call, event]) =>
    row(call, 'The comment was not changed. Please try again.', {
      prepare: async (harness) => {
        await commentThread(harness)
        if (call === 'DELETE /comments/c1') firstComment(harness).send({ type: 'deletion.requested' })
      },
      ...sends(firstComment, event, { work: 'changing' }),
      list: commentsIn,
    }),
  ),
  row('GET /webhooks', 'Failed to load webhooks', {
    ...opens({ name: 'webhooks' }, { open: { list: 'loading' } }),
    list: { shown: held(onDemand, 'endpoints'), names: ['Shop', 'Till'], counted: 'webhooks' },
  }),
  row('POST /webhooks', 'Failed to save the webhook', savesItem(webhooks, 'webhookForm', null, newWebhook)),
  row('PUT /webhooks/w1', 'Failed to save the webhook', savesItem(webhooks, 'webhookForm', webhookOf, newWebhook)),
  row('DELETE /webhooks/w1', 'Failed to delete the webhook', {
    ...confirms('deletion', webhooks, webhookOf, working('deleting')),
  }),
  row('POST /webhooks/w1/secret', 'Failed to replace the secret', {
    ...confirms('replacement', webhooks, webhookOf, working('replacing')),
  }),
  row('GET /webhooks/w1/deliveries', 'Failed to load the log', {
    prepare: webhooks,
    act: tells(onDemand, { type: 'log.requested', item: webhookOf }),
    isBusy: isIn(part('webhookLog'), { open: { list: 'loading' } }),
    list: deliveriesShown('Shop', 'Till'),
  }),
  row('GET /webhooks/w1/deliveries', 'Failed to load the log', {
    at: 'Show more',
    prepare: webhookLog,
    ...sends(part('webhookLog'), { type: 'more.requested' }, { open: { list: { showing: 'loadingMore' } } }),
    list: deliveriesShown('Shop', 'Till', 'Shop', 'Till'),
  }),
  row('POST /webhooks/w1/deliveries/2/resend', 'Failed to send the event again', {
    prepare: webhookLog,
    ...sends(part('webhookLog'), { type: 'resend.requested', delivery: 2 }, working('resending')),
  }),
  row('POST /webhooks/w1/test', 'Failed to send the test event', {
    prepare: webhookLog,
    ...sends(part('webhookLog'), { type: 'test.requested' }, working('testing')),
  }),
  row('GET /shops', 'Failed to load shops', {
    ...opens({ name: 'shops' }, { open: { shops: 'loading' } }),
    list: { shown: held(onDemand, 'shops'), names: ['Shop', 'Till'], counted: 'shops' },
  }),
  row('POST /shops', 'Failed to connect the shop', {
    prepare: async (harness) => {
      await shops(harness)
      onDemand(harness).send({ type: 'item.added' })
      const change = { address: 's3.myshopify.com', token: 'shpat_1', secret: 'shpss_1' }
      onDemand(harness).send({ type: 'draft.changed', change })
    },
    ...sends(onDemand, { type: 'form.submitted' }, working('connecting')),
    typed: held(onDemand, 'draft'),
  }),
  row('POST /shops/s1/sync', 'Failed to change the sync of the shop', {
    prepare: shops,
    ...sends(onDemand, { type: 'run.requested', item: shopOf('s1', 'Shop'), change: 'sync' }, working('changing')),
  }),
  row('DELETE /shops/s1', 'Failed to disconnect the shop', {
    ...confirms('deletion', shops, shopOf('s1', 'Shop'), working('disconnecting')),
  }),
  row('GET /imports', 'Failed to load imports', {
    ...opens({ name: 'dataTransfer', input: { mayImport: true } }, { open: { import: 'loading' } }),
    list: { shown: held(onDemand, 'imports'), names: ['Shop', 'Till'], counted: 'imports' },
  }),
  row('GET /imports/i1', 'Failed to load imports', {
    prepare: openImport({ state: 'running' }),
    // The poll comes by itself.
    act: (harness) => harness.passes(0),
    isBusy: isIn(onDemand, { open: { import: 'refreshing' } }),
  }),
  ...(['POST /imports', 'PUT /imports/i1/parts/0', 'POST /imports/i1/read'] as const).map((call) =>
    row(call, 'Failed to upload the file', {
      prepare: dataTransfer,
      act: (harness) =>
        onDemand(harness).send({ type: 'file.chosen', file: new File(['id,name'], 'clients.csv'), id: 'i1' }),
      isBusy: (harness) => is(onDemand(harness), { open: { import: { uploading: 'sending' } } }),
    }),
  ),
  row('POST /imports/i1/check', 'Failed to check the rows', {
    prepare: openImport({ state: 'mapping' }),
    ...sends(onDemand, { type: 'check.requested' }, { open: { import: 'checking' } }),
    typed: held(onDemand, 'mapping'),
  }),
  row('POST /imports/i1/run', 'Failed to start the import', {
    prepare: openImport({}),
    ...sends(onDemand, { type: 'run.requested' }, { open: { import: 'starting' } }),
  }),
  row('POST /imports/i1/cancel', 'Failed to cancel the import', {
    prepare: openImport({}),
    ...sends(onDemand, { type: 'cancel.requested' }, { open: { import: 'cancelling' } }),
  }),
  row('GET /imports/i1/rows', 'Failed to load the rows', {
    prepare: dataTransfer,
    ...sends(onDemand, { type: 'import.opened', item: importOf({}) }, { open: { import: { checked: 'loading' } } }),
  }),
  row('POST /imports/i1/refused-rows', 'Failed to download the rows', {
    prepare: openImport({}),
    ...sends(onDemand, { type: 'refused.requested' }, { open: { download: 'saving' } }),
  }),
  row('POST /exports', 'Failed to export', {
    prepare: dataTransfer,
    ...sends(onDemand, { type: 'export.requested' }, { open: { download: 'exporting' } }),
  }),
  row('GET /audit', 'Failed to load the audit log', {
    ...opens({ name: 'auditLog' }, { open: { list: 'loading' } }),
    list: { shown: held(onDemand, 'entries'), names: ['Ben', 'Cleo'], counted: 'audit entries' },
  }),
  row('POST /audit/export', 'Failed to export the audit log', {
    prepare: openDialog({ name: 'auditLog' }),
    ...sends(onDemand, { type: 'export.requested' }, { open: { export: 'exporting' } }),
  }),
  row('GET /assignment-rules', 'Failed to load the assignment rules', opens({ name: 'assignmentRules' })),
  row('PUT /assignment-rules', 'Failed to save the assignment rules', {
    ...savesSettings('assignmentRules', { rules: [], assigns_first_answer: true }),
  }),
  row('GET /business-hours', 'Failed to load the business hours', opens({ name: 'businessHours' })),
  row('PUT /business-hours', 'Failed to save the business hours', {
    ...savesSettings('businessHours', { pages: { p1: newHours() } }),
  }),
  row('GET /reports/waiting', 'Failed to load the report', opens({ name: 'reports' }, { open: { report: 'loading' } })),
  row('POST /reports/export', 'Failed to export the report', {
    prepare: openDialog({ name: 'reports' }),
    ...sends(onDemand, { type: 'export.requested' }, { open: { export: 'exporting' } }),
  }),
  row('GET /alarms', null, {
    prepare: withFeatures([], ['alarms.read']),
    ...sends(actor('alarms'), { type: 'refetch.requested' }, { offered: { polling: 'asking' } }),
    told: silent,
    list: {
      shown: held(actor('alarms'), 'alarms'),
      names: ['A page lost its token', 'The disk is nearly full'],
      counted: 'alarms',
    },
  }),
  row('GET /facebook/team', null, {
    prepare: withStates,
    ...sends(actor('team'), { type: 'refetch.requested' }, 'loading'),
    list: { shown: held(actor('team'), 'members'), names: ['Ben', 'Cleo'], counted: 'team members' },
  }),
  row('GET /facebook/drafts', null, {
    prepare: withDrafts,
    ...sends(actor('draftSync'), { type: 'drafts.invalidated' }, 'loading'),
    told: silent,
  }),
  row('PUT /facebook/drafts/ana', null, {
    prepare: withDrafts,
    act: (harness) => {
      to(harness, 'drafts', 'draft.changed', { conversationId: 'ana', draft: { id: 'd', text: 'Opo', pageId: null } })
      to(harness, 'draftSync', 'flush.requested')
    },
    isBusy: isIn(actor('draftSync'), 'saving'),
    told: silent,
  }),
  row('POST /facebook/conversations/ana/presence', null, {
    prepare: withColleagues,
    act: (harness) => {
      to(harness, 'presence', 'tab.hidden')
      to(harness, 'presence', 'tab.shown')
    },
    isBusy: isIn(actor('presence'), { here: { renewal: 'renewing' } }),
    told: silent,
    list: {
      shown: (harness) => selectPresent(snapshotOf(harness.actor('presence')) as never),
      names: ['s1', 's2'],
      counted: 'colleagues',
    },
  }),
  row('GET /facebook/conversations/ana/notes', 'Failed to load notes', {
    prepare: withColleagues,
    ...sends(actor('notes'), { type: 'refetch.requested' }, { list: 'loading' }),
    // The thread says that there is no such conversation.
    told: (name, rule) => (name === '404' ? null : rule),
    list: { shown: held(actor('notes'), 'notes'), names: ['Pays on Friday', 'Likes blue'], counted: 'notes' },
  }),
  row('POST /facebook/conversations/ana/notes', 'Failed to save the note. Try again.', {
    prepare: withColleagues,
    act: (harness) => {
      to(harness, 'notes', 'note.typed', { text: 'Call back' })
      to(harness, 'notes', 'note.submitted', { members: [] })
    },
    isBusy: isIn(actor('notes'), { saving: 'saving' }),
    typed: held(actor('notes'), 'texts'),
  }),
  row('DELETE /facebook/notes/n1', 'Failed to delete the note', {
    prepare: withColleagues,
    ...sends(actor('notes'), { type: 'note.removed', id: 'n1' }, { deleting: 'deleting' }),
  }),
  row('GET /facebook/notification-settings', null, {
    prepare: async (harness) => {
      await openWith(harness, ['notifications'], ['conversations.read'])
      to(harness, 'notifications', 'lead.gained')
      await harness.passes(500)
    },
    ...sends(actor('notifications'), { type: 'refetch.requested' }, { tab: { leading: 'loading' } }),
    told: silent,
  }),
  row('GET /facebook/notification-settings', 'Failed to load the notification settings', {
    at: 'the dialog',
    ...opens({ name: 'notifications' }),
  }),
  row('PUT /facebook/notification-settings', 'Failed to save the notification settings', {
    ...savesSettings('notifications', { ...defaultSettings('UTC'), others: true }),
  }),
  row('POST /facebook/conversations/state', 'The change was not saved. Try again.', {
    prepare: withStates,
    act: (harness) => session(harness, 'change.requested', { ids: ['ben'], decision: { done: true } }),
    isBusy: isIn(actor('stateChanges'), 'sending'),
    list: { shown: held(actor('stateChanges'), 'undos', 0, 'steps'), names: ['ben'], counted: 'state changes' },
  }),
  row('GET /facebook/saved-filters', null, {
    prepare: (harness) => openWith(harness, ['saved-filters']),
    ...sends(actor('savedFilters'), { type: 'refetch.requested' }, 'loading'),
    list: filtersShown('Late', 'Refunds'),
  }),
  row('PUT /facebook/saved-filters/f1', 'The filter was not saved', {
    ...savesItem(filterManager, 'savedFilterForm', firstFilter, { name: 'Money' }),
    list: filtersShown('Late', 'Money'),
  }),
  row('DELETE /facebook/saved-filters/f1', 'The filter was not deleted', {
    ...confirms('deletion', filterManager, firstFilter, 'deleting'),
    list: filtersShown('Late', 'Mine'),
  }),
  row('GET /labels', null, {
    prepare: withLabels,
    ...sends(actor('labels'), { type: 'refetch.requested' }, 'loading'),
    list: labelsShown('Late', 'VIP'),
  }),
  row('POST /labels', 'The label was not saved', {
    ...savesItem(labelManager, 'labelForm', null, newLabel),
    list: labelsShown('Late', 'VIP'),
  }),
  row('PUT /labels/l1', 'The label was not saved', {
    ...savesItem(labelManager, 'labelForm', firstLabel, newLabel),
    list: labelsShown('Late', 'VIP'),
  }),
  row('GET /labels/l1/usage', null, {
    prepare: labelManager,
    ...sends(onDemand, { type: 'deletion.requested', item: firstLabel }, { asking: 'counting' }),
    told: silent,
  }),
  row('DELETE /labels/l1', 'The label was not deleted', {
    ...confirms('deletion', labelManager, firstLabel, 'deleting'),
    list: labelsShown('Late', 'Wholesale'),
  }),
  row('POST /clients/k1/labels', 'The labels were not changed', {
    prepare: async (harness) => {
      await withLabels(harness)
      await openDialog({ name: 'labels', input: { clientId: 'k1', labelIds: [] } })(harness)
      onDemand(harness).send({ type: 'label.toggled', id: 'l1' })
    },
    ...sends(onDemand, { type: 'dialog.dismissed' }, 'saving'),
    typed: held(onDemand, 'choices'),
  }),
  row('GET /saved-replies', 'Failed to load saved replies', {
    at: 'the list in the composer',
    prepare: withReplies,
    ...sends(
      actor('savedReplies'),
      { type: 'composer.changed', text: '/', caret: 1, pageIds: ['p1'] },
      { list: 'loading' },
    ),
    list: repliesIn(held(actor('savedReplies'), 'options')),
  }),
  row('GET /saved-replies', 'Failed to load saved replies', {
    at: 'the dialog',
    ...opens({ name: 'savedReplyManager' }, { open: { list: 'loading' } }),
    list: repliesIn(held(onDemand, 'items')),
  }),
  row('GET /facebook/pages/p1/message-templates', 'Failed to load the templates', {
    ...opens({ name: 'messageTemplates', input: { conversationId: 'ana', pageId: 'p1' } }),
    list: { shown: held(onDemand, 'templates'), names: ['order_ready', 'payment'], counted: 'message templates' },
  }),
  row('POST /saved-replies', 'Failed to save the reply', savesItem(replyManager, 'itemForm', null, newReply)),
  row('PUT /saved-replies/r1', 'Failed to save the reply', savesItem(replyManager, 'itemForm', savedReply, newReply)),
  row('DELETE /saved-replies/r1', 'Failed to delete the saved reply', {
    ...confirms('deletion', replyManager, savedReply, working('deleting')),
  }),
  row('POST /saved-replies/r1/used', null, {
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
    isBusy: isIn(actor('savedReplies'), { counting: 'counting' }),
    told: silent,
  }),
  row('GET /products', 'Failed to load products', {
    at: 'the dialog of products',
    ...opens({ name: 'productManager' }, { open: { list: 'loading' } }),
    list: productsIn(held(onDemand, 'items')),
  }),
  row('GET /products', 'Failed to load products', {
    at: 'the form of a new order',
    ...opens({ name: 'newOrder', input: newOrderInput }),
    list: productsIn(held(onDemand, 'facts')),
  }),
  row('GET /products', 'Failed to load the products', {
    at: 'the dialog of a card',
    ...opens({ name: 'productCard', input: { conversationId: 'ana', pageId: null, platform: null } }),
    list: productsIn(held(onDemand, 'products')),
  }),
  row('POST /products', 'Failed to save the product', savesItem(productManager, 'itemForm', null, newProduct)),
  row('PUT /products/p1', 'Failed to save the product', savesItem(productManager, 'itemForm', product, newProduct)),
  row('DELETE /products/p1', 'Failed to delete the product', {
    ...confirms('deletion', productManager, product, working('deleting')),
  }),
  row('POST /orders', 'Failed to make the order', {
    prepare: async (harness) => {
      await openDialog({ name: 'newOrder', input: newOrderInput })(harness)
      const items = [{ key: 0, name: 'Mug', quantity: '1', price: '5' }]
      onDemand(harness).send({ type: 'fields.typed', change: { items } })
    },
    ...sends(onDemand, { type: 'form.submitted' }, 'saving'),
    typed: held(onDemand, 'fields'),
  }),
  row('GET /orders/o1', 'Failed to load the order', {
    ...opens({ name: 'order', input: orderInput }, { open: 'loading' }),
    list: paymentsShown,
  }),
  ...(['order', 'payment'] as const).map((kind) =>
    row(
      kind === 'order' ? 'PUT /orders/o1/status' : 'PUT /orders/o1/payments/y1/status',
      'Failed to change the status',
      {
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
      },
    ),
  ),
  row('GET /orders', 'Failed to load orders', {
    at: 'the form of a payment',
    ...opens({ name: 'recordPayment', input: paymentInput }),
    list: bought(held(onDemand, 'facts')),
  }),
  row('GET /orders/o1', 'Failed to load orders', {
    at: 'the form of a payment for an order',
    ...opens({ name: 'recordPayment', input: { ...paymentInput, orderId: 'o1' } }),
    list: { ...paymentsShown, shown: held(onDemand, 'facts', 0, 'payments') },
  }),
  row('POST /orders/o1/payments', 'Failed to record the payment', {
    prepare: after(openDialog({ name: 'recordPayment', input: paymentInput }), {
      type: 'fields.typed',
      change: { orderId: 'o1', amount: '40' },
    }),
    ...sends(onDemand, { type: 'form.submitted' }, 'saving'),
    typed: held(onDemand, 'fields'),
  }),
  row('GET /faq/entries', null, {
    at: 'the suggestions',
    prepare: withReplies,
    ...sends(
      actor('faqSuggestions'),
      { type: 'question.changed', question: { key: 'q', texts: ['Are you open?'], pageId: 'p1', isTolerant: true } },
      'loading',
    ),
    told: silent,
    list: entries(held(actor('faqSuggestions'), 'entries')),
  }),
  row('GET /faq/matching', 'Failed to load FAQ matching', opens({ name: 'faqMatching' })),
  row('PUT /faq/matching', 'Failed to save FAQ matching', savesSettings('faqMatching', { least_score: 0.8 })),
  row('GET /faq/wrong-answers', 'Failed to load wrong answers', {
    prepare: faq,
    act: tells(onDemand, { type: 'wrongAnswers.opened' }),
    isBusy: isIn(part('faqWrongAnswers'), 'loading'),
    list: { shown: held(part('faqWrongAnswers'), 'found'), names: ['Hours', 'Parking'], counted: 'wrong answers' },
  }),
  row('POST /faq/wrong-answers/m1/resolve', 'Failed to resolve the answer', {
    prepare: after(faq, { type: 'wrongAnswers.opened' }),
    ...sends(part('faqWrongAnswers'), { type: 'answer.resolved', messageId: 'm1' }, 'resolving'),
  }),
  row('POST /faq/dry-run', 'Failed to run the dry run', {
    prepare: faq,
    ...sends(part('faqDryRun'), { type: 'run.requested', entry: null }, { running: 'loading' }),
    list: { shown: held(part('faqDryRun'), 'result'), names: ['Hours', 'Parking'], counted: 'entries of a dry run' },
  }),
  ...[true, false].map((isWrong) =>
    row(
      isWrong ? 'PUT /facebook/messages/m1/wrong-answer' : 'DELETE /facebook/messages/m1/wrong-answer',
      isWrong ? 'Failed to mark the answer' : 'Failed to take the mark back',
      {
        prepare: withReplies,
        ...sends(actor('answerMark'), { type: 'answer.marked', messageId: 'm1', isWrong }, 'marking'),
      },
    ),
  ),
  row('PUT /facebook/messages/m1/reaction', 'Your reaction was not sent. Try again.', {
    prepare: withReplies,
    ...sends(actor('reactions'), { type: 'reaction.chosen', messageId: 'm1', emoji: '❤' }, 'sending'),
  }),
  row('POST /faq/test-match', 'Failed to test FAQ match', {
    prepare: async (harness) => {
      await faq(harness)
      inDialog(harness, 'faqTest').send({ type: 'message.typed', message: 'When?' })
    },
    ...sends(part('faqTest'), { type: 'test.requested' }, 'testing'),
    typed: held(part('faqTest'), 'message'),
    list: { ...entries(held(part('faqTest'), 'result')), counted: 'FAQ matches' },
  }),
]
