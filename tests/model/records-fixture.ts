import type { ActorOptions, ActorRefFrom, AnyActorLogic, AnyStateMachine, EventObject, InputFrom } from 'xstate'
import { assertEvent, createActor, sendTo, setup } from 'xstate'
import { clientById } from '../../src/domain/client/clients.ts'
import { emptyRecords, rowById, withFetched } from '../../src/domain/list/records.ts'
import { clientsIn, clientsMachine } from '../../src/machines/client/clients.ts'
import { type RecordsEvent, recordsMachine } from '../../src/machines/list/records.ts'
import type { Conversation } from '../../src/schemas/conversation.ts'
import type { RecordsBeside } from './harness.ts'

type Settings<Machine extends AnyStateMachine> = {
  input: InputFrom<Machine>
  /** The rows in the records when the machine starts. */
  rows?: readonly Conversation[]
  clock?: ActorOptions<AnyActorLogic>['clock']
  inspect?: ActorOptions<AnyActorLogic>['inspect']
}

/** A session with the records, the clients and one machine. The session passes row events on. */
export const parentOf = <Machine extends AnyStateMachine>(machine: Machine, input: InputFrom<Machine>) =>
  setup({
    types: { events: {} as { type: 'start' } | RecordsEvent },
    actors: { records: recordsMachine, clients: clientsMachine, sut: machine as AnyStateMachine },
  }).createMachine({
    id: 'parent',
    invoke: [
      { src: 'records', id: 'records', systemId: 'records' },
      { src: 'clients', id: 'clients', systemId: 'clients' },
    ],
    on: {
      'conversation.read': {
        actions: sendTo('records', ({ event }) => {
          assertEvent(event, 'conversation.read')
          return event
        }),
      },
    },
    initial: 'waiting',
    states: {
      waiting: { on: { start: 'running' } },
      running: { invoke: { src: 'sut', id: 'sut', input } },
    },
  })

/** A machine with the records and the clients, in a session that passes row events on. */
export function startWithRecords<Machine extends AnyStateMachine>(
  machine: Machine,
  { input, rows = [], ...options }: Settings<Machine>,
) {
  const parent = parentOf(machine, input)
  const root = createActor(parent, { ...options, systemId: 'session' } as never).start()
  const records: ActorRefFrom<typeof recordsMachine> = root.system.get('records')
  const fetch = (...fetched: readonly Conversation[]) =>
    records.send({
      type: 'conversations.fetched',
      rows: fetched,
      asOf: records.getSnapshot().context.records.sequence,
    })
  fetch(...rows)
  root.send({ type: 'start' })
  const { sut } = root.getSnapshot().children
  if (sut === undefined) throw new Error('the machine does not run')
  const actor = Object.assign(sut, { stop: () => root.stop() }) as unknown as ActorRefFrom<Machine> & {
    stop: () => void
  }
  return {
    actor,
    records,
    client: (id: string) => clientById(clientsIn(root.system), id),
    /** A chat user was linked to a client in this tab. */
    link: (clientId: string, userId: string) =>
      root.system.get('clients').send({ type: 'client.linked', clientId, userId }),
    /** The answer of the server to a request sent now. */
    fetch,
    row: (id: string) => rowById(records.getSnapshot().context.records, id),
    tellRecords: (event: RecordsEvent) => records.send(event),
  }
}

/** Records with constant rows, for a walk. */
export const recordsOf = (...rows: readonly Conversation[]): RecordsBeside<unknown> => ({
  start: withFetched(emptyRecords, rows, 0),
  after: (records) => records,
})

/** Whether an inspection event was sent to the records. */
export const isToRecords = ({ actorRef }: { actorRef: object; event?: EventObject }): boolean =>
  'id' in actorRef && actorRef.id === 'records'
