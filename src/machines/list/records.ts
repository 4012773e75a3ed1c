import { assign, type SnapshotFrom, setup } from 'xstate'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import {
  type ExpectedState,
  emptyRecords,
  type Records,
  rowById,
  rowIdIn,
  withExpectedState,
  withFetched,
  withMessageChanges,
  withOnly,
  withoutExpectedState,
  withReadMark,
  withStates,
  withUnreadMark,
  withUserChanges,
} from '../../domain/list/records.ts'
import type { MessageChange, StateReport, UserChange } from '../../domain/shell/changes.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { type AddressedEvent, createSendAction, type Sender, type System } from '../system.ts'

type Holder = 'thread' | 'dialog' | 'clientPage' | 'list'

type Context = {
  records: Records
  /** The ids of conversations whose rows are kept even if unlisted. A thread names the id in the URL. */
  held: Readonly<Record<Holder, readonly string[]>>
}

export type RecordsEvent =
  /** An answer of the server. `asOf` is the number of the last change at the time of the request. */
  | { type: 'conversations.fetched'; rows: readonly Conversation[]; asOf: number }
  /** The same for a look-up across all pages. Under a page filter such a row replaces no known row. */
  | { type: 'conversations.lookedUp'; rows: readonly Conversation[]; asOf: number }
  /** The list holds only these rows. Other rows are deleted, except held ones. */
  | { type: 'conversations.listed'; ids: readonly string[] }
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  | { type: 'users.changed'; changes: readonly UserChange[] }
  | { type: 'conversation.read'; id: string }
  | { type: 'states.changed'; changes: readonly StateReport[] }
  | { type: 'states.expected'; ids: readonly string[]; expected: ExpectedState }
  | { type: 'states.settled'; key: string; told: readonly StateReport[] }
  | { type: 'conversations.unread'; ids: readonly string[] }
  /** The thread, a dialog, the client page or the shown list shows exactly these conversations. */
  | { type: 'conversations.held'; from: Holder; ids: readonly string[] }
  | { type: 'page.chosen'; pageId: string | null }

/**
 * Owns the rows of the conversations. The list, the open thread and the dialogs hold ids; views select rows here. Only
 * the merge rule of `domain/list/records.ts` writes rows.
 */
export const recordsMachine = setup({
  types: {
    context: {} as Context,
    events: {} as RecordsEvent,
    /** Rows saved in this browser. Later changes and answers replace them. */
    input: {} as { saved?: readonly Conversation[] } | undefined,
  },
  actions: {
    'merge the answer': assign({
      records: ({ context }, { rows, asOf }: { rows: readonly Conversation[]; asOf: number }) =>
        withFetched(context.records, rows, asOf),
    }),
    'merge the looked-up rows': assign({
      records: ({ context: { records } }, { rows, asOf }: { rows: readonly Conversation[]; asOf: number }) => {
        const isUnknown = (row: Conversation) => rowById(records, rowIdOf(row)) === undefined
        return withFetched(records, records.pageId === null ? rows : rows.filter(isUnknown), asOf)
      },
    }),
    'keep only the listed': assign({
      records: ({ context }, { ids }: { ids: readonly string[] }) => {
        const held = Object.values(context.held).flat()
        const rowIds = held.flatMap((id) => rowIdIn(context.records, [id]) ?? [])
        return withOnly(context.records, [...new Set([...ids, ...rowIds])])
      },
    }),
    'apply the messages': assign({
      records: ({ context }, { changes }: { changes: readonly MessageChange[] }) =>
        withMessageChanges(context.records, changes),
    }),
    'apply the changes of people': assign({
      records: ({ context }, { changes }: { changes: readonly UserChange[] }) =>
        withUserChanges(context.records, changes),
    }),
    'mark as read': assign({
      records: ({ context }, { id }: { id: string }) => withReadMark(context.records, id),
    }),
    'merge the states': assign({
      records: ({ context }, { changes }: { changes: readonly StateReport[] }) => withStates(context.records, changes),
    }),
    'expect the state': assign({
      records: ({ context }, { ids, expected }: { ids: readonly string[]; expected: ExpectedState }) =>
        ids.reduce((records, id) => withExpectedState(records, id, expected), context.records),
    }),
    'settle the change': assign({
      records: ({ context }, { key, told }: { key: string; told: readonly StateReport[] }) =>
        withStates(withoutExpectedState(context.records, key), told),
    }),
    'mark as unread': assign({
      records: ({ context }, { ids }: { ids: readonly string[] }) => ids.reduce(withUnreadMark, context.records),
    }),
    'hold the conversations': assign({
      held: ({ context }, { from, ids }: { from: Holder; ids: readonly string[] }) => ({
        ...context.held,
        [from]: ids,
      }),
    }),
    'use the page': assign({
      records: ({ context }, { pageId }: { pageId: string | null }) => ({ ...context.records, pageId }),
    }),
  },
}).createMachine({
  id: 'records',
  context: ({ input }) => ({
    records: withFetched(emptyRecords, input?.saved ?? [], 0),
    held: { thread: [], dialog: [], clientPage: [], list: [] },
  }),
  on: {
    'conversations.fetched': { actions: { type: 'merge the answer', params: ({ event }) => event } },
    'conversations.lookedUp': { actions: { type: 'merge the looked-up rows', params: ({ event }) => event } },
    'conversations.listed': { actions: { type: 'keep only the listed', params: ({ event }) => event } },
    'messages.changed': { actions: { type: 'apply the messages', params: ({ event }) => event } },
    'users.changed': { actions: { type: 'apply the changes of people', params: ({ event }) => event } },
    'conversation.read': { actions: { type: 'mark as read', params: ({ event }) => event } },
    'states.changed': { actions: { type: 'merge the states', params: ({ event }) => event } },
    'states.expected': { actions: { type: 'expect the state', params: ({ event }) => event } },
    'states.settled': { actions: { type: 'settle the change', params: ({ event }) => event } },
    'conversations.unread': { actions: { type: 'mark as unread', params: ({ event }) => event } },
    'conversations.held': { actions: { type: 'hold the conversations', params: ({ event }) => event } },
    'page.chosen': { actions: { type: 'use the page', params: ({ event }) => event } },
  },
})

type Snapshot = SnapshotFrom<typeof recordsMachine>

/** The current records, for use in the actions of machines, which hold ids. */
export function recordsIn(system: System): Records {
  const snapshot: Snapshot | undefined = system.get('records')?.getSnapshot()
  return snapshot?.context.records ?? emptyRecords
}

/** Addresses an event to the records. If no records run, the machine sends the event to itself and ignores it. */
export const toRecords = (event: RecordsEvent, { system, self }: Sender): AddressedEvent => ({
  to: system.get('records') ?? self,
  event,
})

/** Sends an event to the records. */
export const tellRecords = createSendAction<RecordsEvent>((event, sender) => [toRecords(event, sender)])

/** Returns a selector for the row with the row id. The row stays the same object until it changes. */
export const selectRow =
  (id: string | null) =>
  ({ context }: Snapshot): Conversation | null =>
    id === null ? null : (rowById(context.records, id) ?? null)
