import { vi } from 'vitest'
import type { ActorRefFrom, AnyActorRef, AnyMachineSnapshot } from 'xstate'
import { dialogs } from '../../src/dialog-registry.ts'
import '../../src/domain/client/summaries.ts'
import '../../src/machines/client/link-client.ts'
import '../../src/machines/sync/auto-sync-control.ts'
import '../../src/machines/faq/faq.ts'
import '../../src/machines/sync/history-sync.ts'
import '../../src/machines/pages/page-manager.ts'
import type { conversationsMachine } from '../../src/machines/list/conversations.ts'
import { selectRow } from '../../src/machines/list/records.ts'
import type { threadMachine } from '../../src/machines/thread/thread.ts'
import '../../src/services/faq/faq.ts'
import '../../src/services/sync/history-sync.ts'
import '../../src/services/pages/page-administration.ts'
import type { Own } from './matrix-faults.ts'
import {
  conversationFixture,
  type Desk,
  dataOf,
  firstClient,
  firstEntry,
  firstPage,
  fullPage,
} from './matrix-fixture.ts'

// The code of the dialogs is there: the rows are about their calls, not about how long it takes to arrive.
await Promise.all(Object.values(dialogs).map(({ loadView }) => loadView()))

export type Row = {
  call: string
  /** Where the call is made, where there are several. */
  at?: string
  /** The function in src/services that makes it, where several do. */
  from?: string
  own: Own
  /** What stands there before the person asks. */
  prepare?: (desk: Desk) => Promise<unknown>
  act: (desk: Desk) => unknown
  /** The spinner of what was asked for turns. */
  isBusy: (desk: Desk) => boolean
  /** What was typed or chosen for it. */
  typed?: (desk: Desk) => unknown
  /** How the text differs from the rule, where the specification says so; null is silence. */
  told?: (name: string, rule: string | null) => string | null
  /** Where the answer holds rows: what is shown of them, by which names, and as what a bad one is counted. */
  list?: { shown: (desk: Desk) => unknown; names: readonly string[]; counted: string }
}

export const snapshotOf = (actor: AnyActorRef): AnyMachineSnapshot => actor.getSnapshot()
const childOf = (actor: AnyActorRef, id: string): AnyActorRef | undefined => snapshotOf(actor).children[id]
export const onDemand = (desk: Desk): AnyActorRef => {
  const opened = snapshotOf(desk.actor('dialog')).context.opened
  if (!opened) throw new Error('no dialog is open')
  return opened.actor
}
export const inDialog = (desk: Desk, id: string): AnyActorRef => {
  const found = childOf(onDemand(desk), id)
  if (!found) throw new Error(`the dialog has no ${id}`)
  return found
}
const is = (actor: AnyActorRef, state: Parameters<AnyMachineSnapshot['matches']>[0]) => snapshotOf(actor).matches(state)
const isLoadingPart = (desk: Desk, part: string) => {
  const actor = childOf(desk.actor('clientPage'), part)
  return actor !== undefined && is(actor, 'loading')
}
export const to = (desk: Desk, id: string, type: string, rest: object = {}) => desk.actor(id).send({ type, ...rest })
export const session = (desk: Desk, type: string, rest: object = {}) => desk.session()?.send({ type, ...rest } as never)

export const open = async (desk: Desk, id = 'ana') => {
  session(desk, 'conversation.selected', { id })
  await desk.passes(500)
}
const openDialog =
  (dialog: object, isOpen = true) =>
  async (desk: Desk) => {
    to(desk, 'dialog', 'dialog.requested', { dialog })
    await vi.dynamicImportSettled()
    await desk.passes(1)
    if (isOpen) await desk.passes(500)
  }
const pageManager = openDialog({ name: 'pageManager' })
const faq = openDialog({ name: 'faq' })
export const historySync = (pageId: string | null) => openDialog({ name: 'historySync', input: { pageId } })
const autoSync = openDialog({ name: 'autoSyncControl' })
const prefilled = { firstName: 'Ana', lastName: '', email: '', phone: '', company: '' }
const linking = openDialog({ name: 'linkClient', input: { conversationId: 'ana', prefilled } }, false)
export const searched = async (desk: Desk) => {
  await linking(desk)
  onDemand(desk).send({ type: 'search.typed', term: 'maria' })
  await desk.passes(500)
}
const fields = { firstName: 'Ana', lastName: 'Cruz', email: '', phone: '', company: '' }
export const writing = async (desk: Desk) => {
  await linking(desk)
  onDemand(desk).send({ type: 'form.opened' })
  onDemand(desk).send({ type: 'fields.typed', fields })
}
export const pageForm = (page: object | null) => async (desk: Desk) => {
  await pageManager(desk)
  onDemand(desk).send(page === null ? { type: 'page.added' } : { type: 'page.edited', page })
  inDialog(desk, 'pageForm').send({ type: 'name.edited', name: 'Cakes' })
}
const verified = (page: object | null) => async (desk: Desk) => {
  if (page !== null) desk.answers('POST /facebook/pages/verify-token', dataOf({ id: 'p1', name: 'Bakery' }))
  await pageForm(page)(desk)
  inDialog(desk, 'pageForm').send({ type: 'token.edited', token: 'secret' })
  inDialog(desk, 'pageForm').send({ type: 'verification.requested' })
  await desk.passes(5_100)
}
const faqForm = (entry: object | null) => async (desk: Desk) => {
  await faq(desk)
  onDemand(desk).send(entry === null ? { type: 'entry.added' } : { type: 'entry.edited', entry })
  const change = { title: 'New title', categoryId: 'c1', keywords: ['when'], response: 'Soon.' }
  inDialog(desk, 'faqForm').send({ type: 'draft.changed', change })
}
const asked = (type: string) => async (desk: Desk) => {
  if (type === 'page') await pageManager(desk)
  else await faq(desk)
  onDemand(desk).send({
    type: 'deletion.requested',
    ...(type === 'page' ? { page: firstPage } : { entry: firstEntry }),
  })
  await desk.passes(100)
}
const running = async (desk: Desk) => {
  await historySync('p1')(desk)
  onDemand(desk).send({ type: 'sync.requested' })
  await desk.passes(1)
}

export const conversations = (desk: Desk): ActorRefFrom<typeof conversationsMachine> =>
  desk.actor('conversations') as never
export const thread = (desk: Desk): ActorRefFrom<typeof threadMachine> => desk.actor('thread') as never
const send = (desk: Desk) => {
  to(desk, 'outbox', 'send.requested', { draftId: 'd1', conversationId: 'ana', pageId: null, text: 'Good morning' })
}
const outgoing = (desk: Desk): { status: string; text: string }[] => snapshotOf(desk.actor('outbox')).context.outgoing
const isSending = (desk: Desk) => outgoing(desk).some(({ status }) => status === 'pending' || status === 'queued')
const isReading = (desk: Desk) => is(thread(desk), { reading: 'marking' })
const isLoadingThread = (desk: Desk) =>
  is(thread(desk), { content: 'loading' }) ||
  is(thread(desk), { content: 'finding' }) ||
  is(thread(desk), { content: { showing: 'resyncing' } }) ||
  is(thread(desk), { content: { showing: 'loadingOlder' } })
const isListLoading = (desk: Desk) =>
  is(conversations(desk), 'loading') ||
  is(conversations(desk), { loaded: { freshness: 'refreshing' } }) ||
  is(conversations(desk), { loaded: { paging: 'loadingMore' } })
const summaries = (desk: Desk): AnyActorRef => {
  const found = childOf(thread(desk), 'summaries')
  if (!found) throw new Error('the thread has no summaries')
  return found
}
export const replyDecision = (desk: Desk): AnyActorRef => {
  const found = childOf(thread(desk), 'replyDecision')
  if (!found) throw new Error('the thread has no decisions of automatic answers')
  return found
}
const isRouting = (desk: Desk) => {
  const route = childOf(thread(desk), 'sendRoute')
  return route !== undefined && (is(route, 'findingPage') || is(route, 'findingIdentity'))
}
const askRoute = (desk: Desk) => to(desk, 'thread', 'route.requested', { pageId: null })

const listed = (...names: string[]) => ({
  shown: (desk: Desk) => {
    const records = snapshotOf(desk.actor('records'))
    return snapshotOf(conversations(desk)).context.order.map((id: string) => selectRow(id)(records))
  },
  names,
  counted: 'conversations',
})
const written = (...names: string[]) => ({
  shown: (desk: Desk) => snapshotOf(thread(desk)).context.thread.messages,
  names,
  counted: 'messages',
})
const bought = (shown: (desk: Desk) => unknown) => ({ shown, names: ['101', '102'], counted: 'orders' })
const summary = bought((desk) => snapshotOf(summaries(desk)).context.text)
const partOf = (desk: Desk, part: string) => {
  const actor = childOf(desk.actor('clientPage'), part)
  return actor && snapshotOf(actor).context.file
}
const entries = (shown: (desk: Desk) => unknown) => ({ shown, names: ['Hours', 'Parking'], counted: 'FAQs' })
const entriesShown = entries((desk) => snapshotOf(onDemand(desk)).context.entries)
const pagesTold = {
  shown: (desk: Desk) => desk.toasts.map(({ kind, text }) => [kind, text]),
  names: ['Bakery: No token', 'Flowers: No answer'],
  counted: 'failures of pages',
}
const lastRun = {
  shown: (desk: Desk) => snapshotOf(desk.actor('autoSync')).context.status.lastRun,
  names: ['Bakery', 'Flowers'],
  counted: 'pages of a sync',
}

export const more = (desk: Desk) => to(desk, 'conversations', 'more.requested')
/** They are the same client's. */
const found = (...ids: string[]) => ({
  success: true,
  data: ids.map((id) => conversationFixture(id, `${id.charAt(0).toUpperCase()}${id.slice(1)}`, { client_id: 'k1' })),
  pagination: { page: 1, limit: 20, total: ids.length, totalPages: 1, hasNext: false, hasPrev: false },
})
const refresh = (desk: Desk) => session(desk, 'refresh.requested')
const own = (text: string | null, withReason?: Own['withReason']): Own => (withReason ? { text, withReason } : { text })
/** The specification, or the rule for lookups, is silent on everything but a session that has ended. */
const silent: Row['told'] = (name, rule) => (name === '401' ? rule : null)

/** Every call of section 7 that a session makes, at every place where it makes it. */
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
    act: (desk) => to(desk, 'conversations', 'unreadOnly.chosen', { unreadOnly: true }),
    isBusy: isListLoading,
    typed: (desk) => snapshotOf(conversations(desk)).context.query,
    list: listed('Ana Cruz', 'Ben Reyes'),
  },
  {
    call: 'GET /facebook/conversations',
    at: 'Load more',
    own: own('Failed to load more conversations'),
    prepare: async (desk) => {
      desk.answers('GET /facebook/conversations', fullPage())
      refresh(desk)
      await desk.passes(500)
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
    prepare: async (desk) => desk.answers('GET /facebook/conversations', found('ana', 'zoe')),
    act: (desk) => session(desk, 'conversation.selected', { id: 'zoe' }),
    isBusy: isLoadingThread,
    list: {
      shown: (desk) => selectRow('zoe')(snapshotOf(desk.actor('records'))),
      names: ['Zoe'],
      counted: 'conversations',
    },
  },
  {
    call: 'GET /facebook/conversations',
    at: "a client's chats",
    from: 'loadChats',
    own: own('Failed to load conversations'),
    prepare: async (desk) => {
      desk.answers('GET /clients/k1', dataOf({ ...firstClient, fb_user_id: 'ana-p1' }))
      desk.answers('GET /facebook/conversations', found('ana', 'zoe'))
    },
    act: (desk) => session(desk, 'client.opened', { id: 'k1' }),
    isBusy: (desk) => isLoadingPart(desk, 'chats'),
    list: {
      shown: (desk) => partOf(desk, 'chats'),
      names: ['Ana', 'Zoe'],
      counted: 'conversations',
    },
  },
  {
    call: 'GET /facebook/conversations/ana/messages',
    own: own('Failed to load messages'),
    act: (desk) => session(desk, 'conversation.selected', { id: 'ana' }),
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
    at: 'older ones',
    own: own('Failed to load messages'),
    prepare: open,
    act: (desk) => to(desk, 'thread', 'older.requested'),
    isBusy: isLoadingThread,
    list: written('Text of m01', 'Text of m02', 'Text of m1', 'Text of m2'),
  },
  {
    call: 'POST /facebook/send-message',
    own: own('Failed to send message'),
    prepare: open,
    act: send,
    isBusy: isSending,
    typed: (desk) => outgoing(desk).map(({ text }) => text),
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
    act: (desk) => to(desk, 'thread', 'read.requested'),
    isBusy: isReading,
  },
  {
    call: 'POST /facebook/messages/m1/unconfirmed-reply',
    own: own('Failed to update the automatic answer'),
    prepare: open,
    act: (desk) => replyDecision(desk).send({ type: 'reply.decided', questionId: 'm1', decision: 'discard', tries: 1 }),
    isBusy: (desk) => is(replyDecision(desk), 'deciding'),
  },
  {
    call: 'GET /facebook/stats',
    own: own(null),
    act: refresh,
    isBusy: (desk) => is(desk.actor('stats'), 'loading'),
  },
  {
    call: 'GET /facebook/pages',
    own: own('Failed to load Facebook pages'),
    act: refresh,
    isBusy: (desk) => is(desk.actor('pages'), 'loading'),
    prepare: async (desk) => desk.passes(1),
    list: {
      shown: (desk) => snapshotOf(desk.actor('pages')).context.pages,
      names: ['Bakery', 'Flowers'],
      counted: 'pages',
    },
  },
  {
    call: 'GET /facebook/auto-sync/status',
    own: own(null),
    act: (desk) => to(desk, 'autoSync', 'status.asked'),
    isBusy: (desk) => is(desk.actor('autoSync'), { watching: 'polling' }),
    told: silent,
    list: lastRun,
  },
  {
    call: 'GET /clients/k1',
    own: own(null),
    act: (desk) => session(desk, 'conversation.selected', { id: 'ana' }),
    isBusy: (desk) => is(desk.actor('clientProfile'), 'loading'),
  },
  {
    call: 'GET /orders',
    own: own('Failed to fetch orders information'),
    prepare: open,
    act: (desk) => to(desk, 'clientOrders', 'refresh.requested'),
    isBusy: (desk) => is(desk.actor('clientOrders'), { showing: 'refreshing' }),
    typed: (desk) => snapshotOf(desk.actor('clientOrders')).context.file,
    list: bought((desk) => snapshotOf(desk.actor('clientOrders')).context.file),
  },
  {
    call: 'GET /clients/k1',
    at: "the client's page",
    own: own(null),
    act: (desk) => session(desk, 'client.opened', { id: 'k1' }),
    isBusy: (desk) => isLoadingPart(desk, 'profile'),
  },
  {
    call: 'GET /orders',
    at: "the client's page",
    own: own('Failed to fetch orders information'),
    act: (desk) => session(desk, 'client.opened', { id: 'k1' }),
    isBusy: (desk) => isLoadingPart(desk, 'orders'),
    list: bought((desk) => partOf(desk, 'orders')),
  },
  {
    call: 'GET /facebook/orders/ana',
    own: own('Failed to fetch orders information'),
    prepare: open,
    act: (desk) => to(desk, 'thread', 'summary.requested', { kind: 'orders' }),
    isBusy: (desk) => is(summaries(desk), 'fetchingOrders'),
    list: summary,
  },
  {
    call: 'GET /orders',
    at: 'Payments',
    own: own('Failed to fetch payment information'),
    prepare: open,
    act: (desk) => to(desk, 'thread', 'summary.requested', { kind: 'payments' }),
    isBusy: (desk) => is(summaries(desk), 'fetchingPayments'),
    list: summary,
  },
  {
    call: 'GET /facebook/search-clients',
    own: own('Failed to search clients'),
    prepare: linking,
    act: (desk) => onDemand(desk).send({ type: 'search.typed', term: 'maria' }),
    isBusy: (desk) => is(onDemand(desk), { open: { search: 'searching' } }),
    typed: (desk) => snapshotOf(onDemand(desk)).context.term,
    list: {
      shown: (desk) => snapshotOf(onDemand(desk)).context.found,
      names: ['Maria', 'Marian'],
      counted: 'clients',
    },
  },
  {
    call: 'POST /facebook/link-client',
    own: own('Failed to link client'),
    prepare: async (desk) => {
      await searched(desk)
      onDemand(desk).send({ type: 'client.chosen', client: firstClient })
    },
    act: (desk) => onDemand(desk).send({ type: 'link.requested' }),
    isBusy: (desk) => is(onDemand(desk), { open: { work: 'linking' } }),
    typed: (desk) => [snapshotOf(onDemand(desk)).context.term, snapshotOf(onDemand(desk)).context.selected],
  },
  {
    call: 'POST /facebook/link-client',
    at: 'Create & Link',
    own: own('Failed to link user to client'),
    prepare: writing,
    act: (desk) => onDemand(desk).send({ type: 'form.submitted' }),
    isBusy: (desk) => is(onDemand(desk), { open: { work: 'linkingCreated' } }),
    typed: (desk) => snapshotOf(onDemand(desk)).context.created,
  },
  {
    call: 'POST /clients',
    own: own('Failed to create client'),
    prepare: writing,
    act: (desk) => onDemand(desk).send({ type: 'form.submitted' }),
    isBusy: (desk) => is(onDemand(desk), { open: { work: 'creating' } }),
    typed: (desk) => snapshotOf(onDemand(desk)).context.fields,
  },
  {
    call: 'POST /facebook/refresh-user-profile/ana',
    own: own(null),
    act: (desk) =>
      to(desk, 'pictureRenewal', 'picture.shown', {
        picture: { id: 'ana', address: 'https://scontent.fbcdn.net/ana.jpg?oh=00&oe=5f000000' },
      }),
    isBusy: (desk) => is(desk.actor('pictureRenewal'), { renewal: 'renewing' }),
    told: silent,
  },
  {
    call: 'POST /facebook/pages/verify-token',
    own: own('Failed to verify token', (reason) => `Token verification failed: ${reason}`),
    prepare: pageForm(null),
    act: (desk) => {
      inDialog(desk, 'pageForm').send({ type: 'token.edited', token: 'secret' })
      inDialog(desk, 'pageForm').send({ type: 'verification.requested' })
    },
    isBusy: (desk) => is(inDialog(desk, 'pageForm'), { open: { verification: 'verifying' } }),
    typed: (desk) => snapshotOf(inDialog(desk, 'pageForm')).context.name,
  },
  {
    call: 'POST /facebook/pages',
    own: own('Failed to add Facebook page', (reason) => `Failed to add page: ${reason}`),
    prepare: verified(null),
    act: (desk) => inDialog(desk, 'pageForm').send({ type: 'form.submitted' }),
    isBusy: (desk) => is(inDialog(desk, 'pageForm'), { open: { work: 'saving' } }),
    typed: (desk) => snapshotOf(inDialog(desk, 'pageForm')).context.name,
  },
  {
    call: 'PUT /facebook/pages/p1',
    own: own('Failed to update Facebook page', (reason) => `Failed to update page: ${reason}`),
    prepare: verified(firstPage),
    act: (desk) => inDialog(desk, 'pageForm').send({ type: 'form.submitted' }),
    isBusy: (desk) => is(inDialog(desk, 'pageForm'), { open: { work: 'saving' } }),
    typed: (desk) => snapshotOf(inDialog(desk, 'pageForm')).context.name,
  },
  {
    call: 'GET /facebook/pages/p1/deletion',
    own: own(null),
    prepare: pageManager,
    act: (desk) => onDemand(desk).send({ type: 'deletion.requested', page: firstPage }),
    isBusy: (desk) => is(onDemand(desk), { open: { work: { asking: 'lookingUp' } } }),
    told: silent,
  },
  {
    call: 'DELETE /facebook/pages/p1',
    own: own('Failed to delete Facebook page', (reason) => `Failed to delete page: ${reason}`),
    prepare: asked('page'),
    act: (desk) => onDemand(desk).send({ type: 'deletion.confirmed' }),
    isBusy: (desk) => is(onDemand(desk), { open: { work: 'deleting' } }),
  },
  {
    call: 'POST /facebook/pages/refresh-profile-pictures',
    own: own('Failed to refresh profile pictures'),
    prepare: pageManager,
    act: (desk) => onDemand(desk).send({ type: 'pictures.requested', scope: 'pages' }),
    isBusy: (desk) => is(onDemand(desk), { open: { pictures: 'refreshing' } }),
    list: pagesTold,
  },
  {
    call: 'POST /facebook/refresh-all-profile-pictures',
    own: own('Failed to refresh all profile pictures'),
    prepare: pageManager,
    act: (desk) => onDemand(desk).send({ type: 'pictures.requested', scope: 'all' }),
    isBusy: (desk) => is(onDemand(desk), { open: { pictures: 'refreshing' } }),
    list: pagesTold,
  },
  {
    call: 'GET /facebook/pages/p1/sync-status',
    own: own('Failed to load sync status'),
    prepare: historySync(null),
    act: (desk) => onDemand(desk).send({ type: 'page.chosen', pageId: 'p1' }),
    isBusy: (desk) => is(onDemand(desk), { open: { status: 'loading' } }),
    list: {
      shown: (desk) => snapshotOf(onDemand(desk)).context.status,
      names: ['"j1"', '"j2"'],
      counted: 'syncs under way',
    },
  },
  {
    call: 'POST /facebook/pages/p1/sync-history',
    own: own('Failed to sync historical conversations'),
    prepare: async (desk) => {
      await historySync('p1')(desk)
      onDemand(desk).send({ type: 'limit.typed', limit: '70' })
    },
    act: (desk) => onDemand(desk).send({ type: 'sync.requested' }),
    isBusy: (desk) => is(onDemand(desk), { open: { work: 'starting' } }),
    typed: (desk) => [snapshotOf(onDemand(desk)).context.pageId, snapshotOf(onDemand(desk)).context.limit],
  },
  {
    call: 'GET /facebook/history-syncs/j1',
    own: own('Failed to load sync status'),
    prepare: running,
    act: () => {},
    isBusy: (desk) => is(onDemand(desk), { open: { work: { running: 'asking' } } }),
  },
  {
    call: 'POST /facebook/history-syncs/j1/cancel',
    own: own('Failed to cancel the sync'),
    prepare: running,
    act: (desk) => onDemand(desk).send({ type: 'cancel.requested' }),
    isBusy: (desk) => is(onDemand(desk), { open: { work: 'cancelling' } }),
  },
  {
    call: 'POST /facebook/pages/p1/sync-conversation',
    own: own('Failed to sync conversation'),
    act: (desk) =>
      to(desk, 'conversationSync', 'conversationSync.requested', {
        subject: { pageId: 'p1', psid: 'psid-ana', platform: 'messenger' },
      }),
    isBusy: (desk) => is(desk.actor('conversationSync'), 'syncing'),
  },
  {
    call: 'POST /facebook/pages/p1/sync-recent',
    own: own('Error syncing recent messages', (reason) => `Failed to sync recent messages: ${reason}`),
    prepare: async (desk) => {
      session(desk, 'page.chosen', { pageId: 'p1' })
      await desk.passes(500)
    },
    act: (desk) => session(desk, 'recentSync.requested'),
    isBusy: (desk) => is(desk.actor('recentSync'), 'syncing'),
  },
  {
    call: 'POST /facebook/sync-all-recent',
    own: own('Error syncing recent messages', (reason) => `Failed to sync recent messages: ${reason}`),
    act: (desk) => session(desk, 'recentSync.requested'),
    isBusy: (desk) => is(desk.actor('recentSync'), 'syncing'),
    list: pagesTold,
  },
  {
    call: 'PUT /facebook/auto-sync/config',
    own: own('Failed to update settings'),
    prepare: autoSync,
    act: (desk) =>
      onDemand(desk).send({
        type: 'settings.submitted',
        settings: { interval: '7', hoursBack: '3', enabled: true },
      }),
    isBusy: (desk) => is(onDemand(desk), 'saving'),
    typed: (desk) => snapshotOf(onDemand(desk)).context.typed,
    list: lastRun,
  },
  ...(['start', 'stop'] as const).map(
    (which): Row => ({
      call: `POST /facebook/auto-sync/${which}`,
      own: own('Failed to toggle auto-sync'),
      prepare: autoSync,
      act: (desk) => onDemand(desk).send({ type: `${which}.requested` }),
      isBusy: (desk) => is(onDemand(desk), 'toggling'),
      list: lastRun,
    }),
  ),
  {
    call: 'POST /facebook/auto-sync/force-sync',
    own: own('Failed to force sync'),
    act: (desk) => to(desk, 'autoSync', 'force.requested'),
    isBusy: (desk) => is(desk.actor('autoSync'), { forcing: 'syncing' }),
    list: {
      ...lastRun,
      shown: (desk) => desk.toasts.map(({ kind, text }) => [kind, text]),
      names: ['Force sync completed'],
    },
  },
  {
    call: 'GET /faq/categories',
    own: own('Failed to load categories'),
    act: openDialog({ name: 'faq' }, false),
    isBusy: (desk) => is(onDemand(desk), { open: { categories: 'loading' } }),
    list: {
      shown: (desk) => snapshotOf(onDemand(desk)).context.categories,
      names: ['Payments', 'Delivery'],
      counted: 'FAQ categories',
    },
  },
  {
    call: 'GET /faq/entries',
    own: own('Failed to load FAQs'),
    act: openDialog({ name: 'faq' }, false),
    isBusy: (desk) => is(onDemand(desk), { open: { entries: 'loading' } }),
    list: entriesShown,
  },
  {
    call: 'GET /faq/entries',
    at: 'Refresh',
    own: own('Failed to load FAQs'),
    prepare: faq,
    act: (desk) => onDemand(desk).send({ type: 'refresh.requested' }),
    isBusy: (desk) => is(onDemand(desk), { open: { entries: 'refreshing' } }),
    typed: (desk) => snapshotOf(onDemand(desk)).context.entries,
    list: entriesShown,
  },
  ...[null, firstEntry].map(
    (entry): Row => ({
      call: entry === null ? 'POST /faq/entries' : 'PUT /faq/entries/f1',
      own: own('Failed to save FAQ'),
      prepare: faqForm(entry),
      act: (desk) => inDialog(desk, 'faqForm').send({ type: 'form.submitted' }),
      isBusy: (desk) => is(inDialog(desk, 'faqForm'), 'saving'),
      typed: (desk) => snapshotOf(inDialog(desk, 'faqForm')).context.draft,
    }),
  ),
  {
    call: 'DELETE /faq/entries/f1',
    own: own('Failed to delete FAQ'),
    prepare: asked('faq'),
    act: (desk) => onDemand(desk).send({ type: 'deletion.confirmed' }),
    isBusy: (desk) => is(onDemand(desk), { open: { work: 'deleting' } }),
    typed: (desk) => snapshotOf(onDemand(desk)).context.entries,
  },
  {
    call: 'POST /faq/test-match',
    own: own('Failed to test FAQ match'),
    prepare: async (desk) => {
      await faq(desk)
      inDialog(desk, 'faqTest').send({ type: 'message.typed', message: 'When?' })
    },
    act: (desk) => inDialog(desk, 'faqTest').send({ type: 'test.requested' }),
    isBusy: (desk) => is(inDialog(desk, 'faqTest'), 'testing'),
    typed: (desk) => snapshotOf(inDialog(desk, 'faqTest')).context.message,
    list: {
      ...entries((desk) => snapshotOf(inDialog(desk, 'faqTest')).context.result),
      counted: 'FAQ matches',
    },
  },
]
