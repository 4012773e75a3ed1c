import type { SnapshotFrom } from 'xstate'
import { createActor, SimulatedClock } from 'xstate'
import type { Summary, SummaryKind, SummarySubject } from '../../../src/domain/client/client-calls.ts'
import type { ClientData, ClientRequest } from '../../../src/domain/client/client-data.ts'
import { type NewClient, prefilledFrom } from '../../../src/domain/client/client-linking.ts'
import { summaryOrderOf } from '../../../src/domain/client/summaries.ts'
import { Failure } from '../../../src/domain/failure.ts'
import { rowIdOf } from '../../../src/domain/list/conversation-row.ts'
import { threadToasts } from '../../../src/domain/thread/toasts.ts'
import { clientDetailsMachine } from '../../../src/machines/client/client-details.ts'
import { clientPageMachine } from '../../../src/machines/client/client-page.ts'
import { clientsIn } from '../../../src/machines/client/clients.ts'
import {
  type LinkClientEvent,
  linkClientMachine,
  selectAsksToDiscard,
  selectConversationId,
  selectCreated,
  selectError,
  selectFields,
  selectFound,
  selectHasSearchFailed,
  selectIsSearching,
  selectSelected,
  selectStep,
  selectTerm,
} from '../../../src/machines/client/link-client.ts'
import { summariesMachine } from '../../../src/machines/client/summaries.ts'
import type { Client } from '../../../src/schemas/client.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import type { Order } from '../../../src/schemas/order.ts'
import { conversationOf } from '../../domain/message-fixture.ts'
import { createControl, createToastLog, type Inspect, inspectAll, modelOf } from '../harness.ts'
import { startWithRecords } from '../records-fixture.ts'

export const clientOf = (id: string, rest: Partial<Client> = {}): Client => ({
  id,
  first_name: 'Maria',
  last_name: `Santos ${id}`,
  is_active: true,
  email: `${id}@santos.ph`,
  ...rest,
})

/** Order `o1` of 100 pesos, created on March 1; `o2` on March 2, and so on. */
export const orderOf = (id: string, rest: Partial<Order> = {}): Order => ({
  id,
  order_number: `10${id.slice(1)}`,
  status: 'processing',
  total_amount: 100,
  created_at: new Date(Date.UTC(2026, 2, Number(id.slice(1)), 4)).toISOString(),
  payments: [],
  items: null,
  ...rest,
})

export const fileOf = (rest: ClientData = {}): Required<ClientData> => ({
  client: clientOf('k1'),
  orders: [orderOf('o1')],
  chats: [],
  ...rest,
})

export const filled: NewClient = { firstName: 'Ana', lastName: 'Cruz', email: '', phone: '', company: '' }

const call = { method: 'POST', path: '/facebook/link-client' }
export const faults = {
  noAnswer: new Failure({ ...call, kind: 'noAnswer' }),
  broken: new Failure({ ...call, kind: 'status', status: 500 }),
  unreadable: new Failure({ ...call, kind: 'badAnswer', status: 200 }),
  forbidden: new Failure({ ...call, kind: 'status', status: 403 }),
  conflict: new Failure({
    ...call,
    kind: 'status',
    status: 409,
    error: 'This client is already linked to another Facebook user',
  }),
  missing: new Failure({ ...call, kind: 'status', status: 404 }),
  invalid: new Failure({ ...call, kind: 'status', status: 422 }),
}

const detailsInput = { clientId: 'k1', own: threadToasts.ordersFailed }

/** The orders of a client: the part that has its own error text. */
export function startClientDetails(alsoInspect: Inspect = () => {}) {
  const load = createControl<ClientData, ClientRequest>()
  const clock = new SimulatedClock()
  const log = createToastLog()
  const { actor, client, row, link } = startWithRecords(
    clientDetailsMachine.provide({ actors: { loadClient: load.logic } }),
    {
      clock,
      input: detailsInput,
      inspect: inspectAll(alsoInspect, log.inspect),
    },
  )
  return { actor, client, row, link, clock, load, toasts: log.toasts, state: () => actor.getSnapshot().value }
}

/** A later answer: another name, and one more order. */
export const laterFile = fileOf({
  client: clientOf('k1', { first_name: 'Later' }),
  orders: [orderOf('o1', { payments: [{ amount: 40, status: 'approved' }] }), orderOf('o2', { status: 'completed' })],
})

export const clientDetailsModel = () =>
  modelOf(clientDetailsMachine, {
    input: detailsInput,
    vertex: ({ context }) => [context.data, context.failures],
    stopWhen: ({ context }) => context.failures > 1,
    cases: {
      'refetch.requested': [{}],
      'clientData.changed': ({ context }) =>
        context.failures === 0 ? [{ clientIds: null }, { clientIds: ['k0', 'k1'] }, { clientIds: ['k0'] }] : [],
      'xstate.done.actor.loadClient': [{ output: fileOf() }],
      'xstate.error.actor.loadClient': [
        { error: faults.noAnswer },
        { error: faults.missing },
        { error: faults.invalid },
      ],
      'xstate.done.actor.refreshClient': [{ output: laterFile }],
      'xstate.error.actor.refreshClient': [{ error: faults.noAnswer }, { error: faults.missing }],
    },
  })

/** The page of a client. The test controls the answer to each part. */
export function controlClientPage() {
  const part = () => {
    const load = createControl<ClientData, ClientRequest>()
    return { load, machine: clientDetailsMachine.provide({ actors: { loadClient: load.logic } }) }
  }
  const [profile, orders, chats] = [part(), part(), part()]
  const machine = clientPageMachine.provide({
    actors: { profile: profile.machine, orders: orders.machine, chats: chats.machine },
  })
  return { machine, profile: profile.load, orders: orders.load, chats: chats.load }
}

export function startClientPage(alsoInspect: Inspect = () => {}) {
  const { machine, ...controls } = controlClientPage()
  const clock = new SimulatedClock()
  const log = createToastLog()
  const { actor, client, row, link } = startWithRecords(machine, {
    clock,
    input: { clientId: 'k1' },
    inspect: inspectAll(alsoInspect, log.inspect),
  })
  return { ...controls, actor, client, row, link, clock, toasts: log.toasts, state: () => actor.getSnapshot().value }
}

export const controlsOfLinking = () => ({
  search: createControl<readonly Client[], { term: string }>(),
  create: createControl<Client, { fields: NewClient }>(),
  link: createControl<void, { fbUserId: string; clientId: string }>(),
})

export const provided = ({ search, create, link }: ReturnType<typeof controlsOfLinking>) =>
  linkClientMachine.provide({
    actors: { searchClients: search.logic, createClient: create.logic, linkClient: link.logic },
  })

/** All values that the views select from the dialog. */
const shownBy = (snapshot: SnapshotFrom<typeof linkClientMachine>) => ({
  conversationId: selectConversationId(snapshot),
  term: selectTerm(snapshot),
  isSearching: selectIsSearching(snapshot),
  hasSearchFailed: selectHasSearchFailed(snapshot),
  found: selectFound(snapshot),
  selected: selectSelected(snapshot),
  fields: selectFields(snapshot),
  created: selectCreated(snapshot),
  error: selectError(snapshot),
  step: selectStep(snapshot),
  asksToDiscard: selectAsksToDiscard(snapshot),
})

/** The input of the dialog. */
export const linkOf = (conversation: Conversation) => ({
  conversationId: rowIdOf(conversation),
  prefilled: prefilledFrom(conversation),
})

export function startLinkClient(alsoInspect: Inspect = () => {}) {
  const controls = controlsOfLinking()
  const clock = new SimulatedClock()
  const log = createToastLog()
  const told: unknown[] = []
  const { actor, client } = startWithRecords(provided(controls), {
    clock,
    input: linkOf(conversationOf()),
    inspect: (event) => {
      alsoInspect(event)
      log.inspect(event)
      if (event.type === '@xstate.event' && event.event.type === 'client.linked') told.push(event.event)
    },
  })
  return {
    ...controls,
    actor,
    client,
    /** The client ids that the dialog holds. */
    held: () => [...clientsIn(actor.system).held.values()],
    clock,
    toasts: log.toasts,
    /** The events that the session received. */
    told,
    state: () => actor.getSnapshot().value,
    shown: () => shownBy(actor.getSnapshot()),
    tell: (event: LinkClientEvent) => actor.send(event),
    /** Types a search term and waits until it settles. */
    searchFor: (term: string) => {
      actor.send({ type: 'search.typed', term })
      clock.increment(300)
    },
  }
}

/** The two summaries, each with a text of its own. */
export const summaryOf = {
  orders: { text: 'Hello! Your orders.', orders: [orderOf('o1')].map(summaryOrderOf) },
  payments: { text: 'Hello! Your payments.', orders: [orderOf('o1'), orderOf('o2')].map(summaryOrderOf) },
} satisfies Record<SummaryKind, Summary>

/** How a summary is written. */
export const summaryForm = { platform: null, language: null, business: undefined }

/** `subject` is the conversation of the summary; the summary needs its linked client. */
export const summariesModel = (subject: SummarySubject) =>
  modelOf(summariesMachine, {
    input: undefined,
    vertex: ({ context }) => context,
    cases: {
      'summary.requested': [
        { kind: 'orders', ...subject },
        { kind: 'payments', ...subject },
        { kind: 'payments', ...subject, clientId: null },
      ],
      'summary.taken': [{}],
      'xstate.done.actor.fetchOrders': [{ output: summaryOf.orders }],
      'xstate.error.actor.fetchOrders': [{ error: faults.noAnswer }],
      'xstate.done.actor.fetchPayments': [{ output: summaryOf.payments }],
      'xstate.error.actor.fetchPayments': [{ error: faults.noAnswer }],
    },
  })

export function startSummaries(alsoInspect: Inspect = () => {}) {
  const orders = createControl<Summary, SummarySubject>()
  const payments = createControl<Summary, SummarySubject>()
  const log = createToastLog()
  const actor = createActor(
    summariesMachine.provide({ actors: { fetchOrders: orders.logic, fetchPayments: payments.logic } }),
    {
      inspect: inspectAll(alsoInspect, log.inspect),
    },
  ).start()
  return { actor, orders, payments, toasts: log.toasts, state: () => actor.getSnapshot().value }
}
