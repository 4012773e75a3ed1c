import type { SnapshotFrom } from 'xstate'
import {
  emptyRecords,
  rowById,
  withFetched,
  withMessageChanges,
  withReadMark,
  withStates,
  withUserChanges,
} from '../../../src/domain/list/records.ts'
import { conversationsMachine } from '../../../src/machines/list/conversations.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import { type Cases, modelOf, type RecordsBeside, recordsBeside } from '../harness.ts'
import { faults, inserted, renamed, row, stateOf } from '../inbox-fixture.ts'
import { beginning, whole } from './conversations-fixture.ts'

type Snapshot = SnapshotFrom<typeof conversationsMachine>

/** The first result page; a third row follows. */
export const first = beginning(3, row('c3', 30), row('c2', 20))

/** All events. Each walk leaves out the events of another walk, because the number of paths would not be finite. */
const cases = {
  'search.typed': [{ text: 'ma' }],
  'page.chosen': [{ pageId: 'p1' }],
  'unreadOnly.chosen': [{ unreadOnly: true }],
  'view.chosen': [{ view: 'done' }],
  'filter.chosen': [{ filter: { labelId: 'l1' } }, { filter: { assignedTo: 's2' } }],
  'labels.loaded': [{ labels: [] }],
  'query.opened': [{ query: { search: 'jo', pageId: 'p2', unreadOnly: true } }],
  'more.requested': [{}],
  'refetch.requested': [{}],
  'list.invalidated': [{}],
  'messages.changed': [{ changes: [inserted('c2', 40)] }],
  'users.changed': [{ changes: [renamed('u2', 'Maria')] }],
  'clientData.changed': [{ clientIds: null }],
  'conversation.read': [{ id: 'c2' }],
  'states.moved': [{ ids: ['c2'] }],
  'resync.requested': [{}],
  'xstate.done.actor.loadTop': [{ output: first }],
  'xstate.error.actor.loadTop': [{ error: faults.unavailable }, { error: faults.refused }],
  'xstate.done.actor.refreshTop': [{ output: first }],
  'xstate.error.actor.refreshTop': [{ error: faults.unavailable }, { error: faults.refused }],
  'xstate.done.actor.loadPage': [{ output: whole(row('c1', 10)) }],
  'xstate.error.actor.loadPage': [{ error: faults.unavailable }],
}

/** Leaves out the values that decide no transition: who is told of a failure, and delays. Other tests cover them. */
const seen = (
  { isAsked, retryDelay, topAsOf, pageAsOf, nextPage, now, ...context }: Snapshot['context'],
  rowOf: (id: string) => Conversation | undefined,
) => ({ ...context, rows: context.order.map(rowOf) })

/** The rows at the time when the walk made the snapshot. */
export const rowsBeside = (snapshot: Snapshot) => (id: string) => rowById(recordsBeside(snapshot), id)

/** The state that the records receive before `states.moved`. */
export const stateTold = { id: 'c2', state: stateOf(1, { assigned_to: 's1' }) }

/** The changes of the records by events of the session and by answers. */
const records: RecordsBeside<Snapshot> = {
  start: emptyRecords,
  after: (records, event, { context }) => {
    switch (event.type) {
      case 'messages.changed':
        return withMessageChanges(records, event['changes'])
      case 'users.changed':
        return withUserChanges(records, event['changes'])
      case 'conversation.read':
        return withReadMark(records, event['id'])
      case 'states.moved':
        return withStates(records, [stateTold])
      case 'page.chosen':
        return { ...records, pageId: event['pageId'] }
      case 'query.opened':
        return { ...records, pageId: event['query'].pageId }
      case 'xstate.done.actor.loadTop':
      case 'xstate.done.actor.refreshTop':
        return withFetched(records, event['output'].rows, context.topAsOf)
      case 'xstate.done.actor.loadPage':
        return withFetched(records, event['output'].rows, context.pageAsOf)
      default:
        return records
    }
  },
}

type EventName = keyof typeof cases

/** The paths without these events; `fewer` cases replace the default ones. */
export const listModel = (left: readonly EventName[], { cases: others = {} }: { cases?: Cases<Snapshot> } = {}) =>
  modelOf(conversationsMachine, {
    input: undefined,
    records,
    vertex: (snapshot) => seen(snapshot.context, rowsBeside(snapshot)),
    stopWhen: ({ context }) => context.failures > 1,
    limit: 20_000,
    cases: { ...cases, ...Object.fromEntries(left.map((type) => [type, []])), ...others },
  })

export const notSearching = [
  'more.requested',
  'refetch.requested',
  'list.invalidated',
  'messages.changed',
  'users.changed',
  'conversation.read',
  'xstate.done.actor.refreshTop',
  'xstate.error.actor.refreshTop',
  'view.chosen',
  'states.moved',
  'filter.chosen',
  'labels.loaded',
  'clientData.changed',
] as const satisfies readonly EventName[]

export const notChanging = [
  'query.opened',
  'search.typed',
  'page.chosen',
  'unreadOnly.chosen',
  'messages.changed',
  'users.changed',
  'conversation.read',
  'view.chosen',
  'states.moved',
  'filter.chosen',
  'labels.loaded',
] as const satisfies readonly EventName[]

export const notPatching = [
  'query.opened',
  'search.typed',
  'page.chosen',
  'unreadOnly.chosen',
  'more.requested',
  'resync.requested',
  'view.chosen',
  'states.moved',
  'filter.chosen',
  'labels.loaded',
  'clientData.changed',
] as const satisfies readonly EventName[]

export const notInViews = [
  'query.opened',
  'search.typed',
  'page.chosen',
  'unreadOnly.chosen',
  'more.requested',
  'refetch.requested',
  'list.invalidated',
  'messages.changed',
  'users.changed',
  'conversation.read',
  'resync.requested',
  'clientData.changed',
] as const satisfies readonly EventName[]
