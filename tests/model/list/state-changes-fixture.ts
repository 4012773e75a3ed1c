import type { ActorRefFrom, AnyEventObject } from 'xstate'
import type { ChangeStatesRequest, ChangeStatesResult, StateStep } from '../../../src/domain/list/state-changes.ts'
import type { RecordsEvent } from '../../../src/machines/list/records.ts'
import { stateChangesMachine } from '../../../src/machines/list/state-changes.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import type { ConversationState } from '../../../src/schemas/conversation-state.ts'
import { createControl, createToastLog } from '../harness.ts'
import { at, row, stateOf } from '../inbox-fixture.ts'
import { startWithRecords } from '../records-fixture.ts'

export const maria = row('c1', 10, { unified_name: 'Maria', state: stateOf(1, { waiting_since: at(10) }) })
export const jose = row('c2', 20, { unified_name: 'José', state: stateOf(5, { waiting_since: at(20) }) })

export const accepted = (id: string, version: number, more: Partial<ConversationState> = {}): ChangeStatesResult => ({
  id,
  state: stateOf(version, more),
  refusal: null,
})

/** The machine with the records. The test answers each call. The session passes its reports to the records. */
export function startStateChanges(
  { rows = [maria, jose] }: { rows?: readonly Conversation[] } = {},
  ...inspectors: ((event: never) => void)[]
) {
  const calls = createControl<readonly ChangeStatesResult[], ChangeStatesRequest>()
  const toastLog = createToastLog()
  const undos: string[] = []
  const undone: string[] = []
  const reports: string[] = []
  let records: ActorRefFrom<typeof import('../../../src/machines/list/records.ts').recordsMachine> | null = null
  let machine: unknown = null
  let keys = 0
  const sut = startWithRecords(stateChangesMachine.provide({ actors: { changeStates: calls.logic } }), {
    rows,
    input: {
      userId: 's1',
      now: () => Date.parse(at(0)),
      newKey: () => {
        keys += 1
        return `k${keys}`
      },
    },
    inspect: (event) => {
      toastLog.inspect(event)
      if (event.type === '@xstate.event') {
        const sent: AnyEventObject = event.event
        if (sent.type === 'toast.requested' && typeof sent['undo'] === 'string') undos.push(sent['undo'])
        if (sent.type === 'change.undone') undone.push(sent['key'])
        // The session passes on what the machine reports.
        if (/^(states\.|conversations\.unread|inbox\.)/.test(sent.type) && event.sourceRef === machine) {
          reports.push(sent.type)
          records?.send(sent as RecordsEvent)
        }
      }
      for (const inspect of inspectors) inspect(event as never)
    },
  })
  records = sut.records
  machine = sut.actor
  return {
    ...sut,
    calls,
    undos,
    /** The keys of the changes whose toasts are hidden. */
    undone,
    reports,
    toasts: toastLog.toasts,
    change: (step: StateStep) => sut.actor.send({ type: 'change.requested', ...step }),
    undo: (key?: string) => sut.actor.send({ type: 'undo.requested', ...(key !== undefined && { key }) }),
    /** What each call sent, without the time of the last message. */
    sent: () =>
      calls.inputs().map(({ changes }) => changes.map(({ id, version, decision }) => ({ id, version, decision }))),
  }
}
