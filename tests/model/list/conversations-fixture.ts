import { SimulatedClock } from 'xstate'
import type { ListAnswer } from '../../../src/domain/list/list-calls.ts'
import type { ListQuery } from '../../../src/domain/list/list-query.ts'
import { conversationsMachine } from '../../../src/machines/list/conversations.ts'
import type { ConversationsEvent } from '../../../src/machines/list/conversations-setup.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import { createControl, createToastLog } from '../harness.ts'
import { startWithRecords } from '../records-fixture.ts'

/** The answer of a server whose rows are all in it. */
export const whole = (...rows: Conversation[]): ListAnswer => ({ rows, hasNext: false, total: rows.length })

/** The answer of a server that has more rows. */
export const beginning = (total: number, ...rows: Conversation[]): ListAnswer => ({ rows, hasNext: true, total })

const ofRows = ['messages.changed', 'users.changed', 'conversation.read', 'page.chosen'] as const
type OfRows = Extract<ConversationsEvent, { type: (typeof ofRows)[number] }>
const isOfRows = (event: ConversationsEvent): event is OfRows => ofRows.some((type) => type === event.type)

/** The conversations machine with the records. The test controls every answer of the server. */
export function startConversations(...inspectors: ((event: never) => void)[]) {
  const top = createControl<ListAnswer, { query: ListQuery; count: number }>()
  const page = createControl<ListAnswer, { query: ListQuery; page: number }>()
  const clock = new SimulatedClock()
  const toastLog = createToastLog()
  const reports: unknown[] = []
  const machine = conversationsMachine.provide({ actors: { loadTop: top.logic, loadPage: page.logic } })
  const { actor, row, tellRecords } = startWithRecords(machine, {
    clock,
    input: undefined,
    inspect: (event) => {
      toastLog.inspect(event)
      if (event.type === '@xstate.event' && event.event.type === 'resync.done') reports.push(event.event)
      for (const inspect of inspectors) inspect(event as never)
    },
  })
  /** Like the session, tells the records first. */
  const send = (event: ConversationsEvent) => {
    if (event.type === 'query.opened') tellRecords({ type: 'page.chosen', pageId: event.query.pageId })
    else if (isOfRows(event)) tellRecords(event)
    actor.send(event)
  }
  const state = () => actor.getSnapshot().value
  const shown = () => actor.getSnapshot().context.order
  return {
    row,
    actor,
    clock,
    top,
    page,
    send,
    tellRecords,
    state,
    shown,
    toasts: toastLog.toasts,
    reports,
  }
}

export const resting = { loaded: { paging: 'idle', freshness: 'fresh' } }
export const cooling = { loaded: { paging: 'idle', freshness: 'throttled' } }
export const refreshing = { loaded: { paging: 'idle', freshness: 'refreshing' } }
