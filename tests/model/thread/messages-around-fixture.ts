import type { SnapshotFrom } from 'xstate'
import { Failure } from '../../../src/domain/failure.ts'
import type { MessageChange } from '../../../src/domain/shell/changes.ts'
import type { AroundAnswer, AroundRequest } from '../../../src/domain/thread/thread-calls.ts'
import { messagesAroundMachine } from '../../../src/machines/thread/messages-around.ts'
import { conversationOf, messageOf } from '../../domain/message-fixture.ts'
import { faults } from '../client/clients-fixture.ts'
import { type Cases, createControl, createToastLog, type Inspect, inspectAll, modelOf } from '../harness.ts'
import { recordsOf, startWithRecords } from '../records-fixture.ts'
import { ends, type Reference, when } from '../reference.ts'

/** The messages m1 to m8 of Ana, and m9, which arrives live. */
export const message = (number: number) => messageOf(`m${number}`, number)
export const answer = (numbers: readonly number[], hasOlder: boolean, hasNewer: boolean): AroundAnswer => ({
  messages: numbers.map(message),
  hasOlder,
  hasNewer,
})
export const arrival: MessageChange = { type: 'INSERT', record: message(9), committedAt: '2026-03-01T10:00:00Z' }

export const atMessage = answer([4, 5, 6], true, true)
const olderPage = answer([1, 2, 3], false, false)
const newerPage = answer([7, 8], false, false)
/** The pages of a refetch, in their order: m4 was deleted meanwhile. */
const refetchedPages = [answer([5], false, true), answer([6, 7], false, true), answer([8], false, false)]

export const gone = new Failure({
  kind: 'status',
  method: 'GET',
  path: '/facebook/conversations/ana/messages-around',
  status: 404,
})

export function startAround(alsoInspect: Inspect = () => {}) {
  const load = createControl<AroundAnswer, AroundRequest>()
  const log = createToastLog()
  const { actor } = startWithRecords(messagesAroundMachine.provide({ actors: { loadAround: load.logic } }), {
    input: undefined,
    rows: [conversationOf()],
    inspect: inspectAll(alsoInspect, log.inspect),
  })
  return { actor, load, toasts: log.toasts }
}

type Snapshot = SnapshotFrom<typeof messagesAroundMachine>

/** `cases`: in place of those of the machine. */
export const aroundModel = (cases: Cases<Snapshot> = {}) =>
  modelOf(messagesAroundMachine, {
    input: undefined,
    records: recordsOf(conversationOf()),
    vertex: (snapshot) => {
      const { conversationId, threadId, around, pages } = snapshot.context
      return [
        conversationId,
        threadId,
        around?.thread.messages.map(({ message_id }) => message_id),
        around?.thread.floor,
        around?.hasNewer,
        pages.length,
        snapshot.context.receivedMeanwhile.length > 0,
      ]
    },
    cases: {
      'message.requested': [{ conversationId: 'ana', messageId: 'm5' }],
      'older.requested': [{}],
      'newer.requested': [{}],
      'newest.requested': [{}],
      'refetch.requested': [{}],
      'resync.requested': [{}],
      // Fewer states: only while nothing is loaded.
      'thread.shown': (snapshot) =>
        phaseOf(snapshot) !== 'idle'
          ? []
          : [
              { conversationId: 'ana', threadId: snapshot.context.threadId ?? 't1' },
              { conversationId: 'zoe', threadId: 't3' },
              ...(snapshot.context.threadId === null ? [] : [{ conversationId: 'ana', threadId: 't2' }]),
            ],
      'conversation.opened': [{ id: 'ana' }, { id: 'zoe' }],
      'conversation.closed': [{}],
      'messages.changed': [{ changes: [arrival] }],
      'xstate.done.actor.loadAround': [{ output: atMessage }],
      'xstate.error.actor.loadAround': [{ error: gone }, { error: faults.noAnswer }],
      'xstate.done.actor.loadOlderAround': [{ output: olderPage }],
      'xstate.error.actor.loadOlderAround': [{ error: faults.noAnswer }],
      'xstate.done.actor.loadNewerAround': [{ output: newerPage }],
      'xstate.error.actor.loadNewerAround': [{ error: faults.noAnswer }],
      'xstate.done.actor.refetchAround': ({ context }) => [{ output: refetchedPages[context.pages.length] }],
      'xstate.error.actor.refetchAround': [{ error: faults.noAnswer }],
      ...cases,
    },
  })

export type AroundShown = {
  phase: 'none' | 'loading' | 'missing' | 'failed' | 'idle' | 'loadingOlder' | 'loadingNewer' | 'fetching' | 'outdated'
  ids: readonly number[]
  hasOlder: boolean
  hasNewer: boolean
  /** m9 arrived after the pending page was asked for. */
  arrived: boolean
  pages: number
  /** The thread in whose place the messages are shown. */
  thread: string | null
  failures: number
}

const nothing = { ids: [], hasOlder: false, hasNewer: false, arrived: false, pages: 0, thread: null } as const
const waiting = { arrived: false } as const
const numbersOf = ({ messages }: AroundAnswer) => messages.map(({ message_id }) => Number(message_id.slice(1)))

/** The range with m9, if it arrived and adjoins. */
const range = (
  { arrived }: AroundShown,
  ids: readonly number[],
  hasOlder: boolean,
  hasNewer: boolean,
): Partial<AroundShown> => {
  const all = [...new Set([...ids, ...(arrived && !hasNewer ? [9] : [])])]
  return { phase: 'idle', ids: all, hasOlder, hasNewer, ...waiting }
}

const isShowing = ({ phase }: AroundShown) => !['none', 'loading', 'missing', 'failed'].includes(phase)

/** What the machine has to do, by hand. */
export const aroundReference: Reference<AroundShown> = {
  start: { phase: 'none', ...nothing, failures: 0 },
  accepts: (state) => [
    'message.requested',
    'newest.requested',
    'conversation.opened',
    'conversation.closed',
    ...when(state.phase !== 'none', 'thread.shown'),
    ...when(isShowing(state) || state.phase === 'loading', 'messages.changed'),
    ...when(isShowing(state) || state.phase === 'failed', 'refetch.requested', 'resync.requested'),
    ...when(state.phase === 'idle' && state.hasOlder, 'older.requested'),
    ...when(state.phase === 'idle' && state.hasNewer, 'newer.requested'),
    ...(state.phase === 'loading' ? ends('loadAround') : []),
    ...(state.phase === 'loadingOlder' ? ends('loadOlderAround') : []),
    ...(state.phase === 'loadingNewer' ? ends('loadNewerAround') : []),
    ...(state.phase === 'fetching' ? ends('refetchAround') : []),
  ],
  rules: {
    'message.requested': ({ thread }) => ({ phase: 'loading', ...nothing, thread }),
    'newest.requested': () => ({ phase: 'none', ...nothing }),
    'conversation.closed': () => ({ phase: 'none', ...nothing }),
    'conversation.opened': (_, { id }) => (id === 'ana' ? {} : { phase: 'none', ...nothing }),
    'thread.shown': ({ thread }, { conversationId, threadId }) => {
      if (conversationId !== 'ana') return {}
      return thread === null || thread === threadId ? { thread: threadId } : { phase: 'none', ...nothing }
    },
    'messages.changed': (state) => ({
      arrived: state.phase !== 'idle' && state.phase !== 'outdated',
      ...(isShowing(state) && !state.hasNewer ? { ids: [...new Set([...state.ids, 9])] } : {}),
    }),
    'older.requested': () => ({ phase: 'loadingOlder', ...waiting }),
    'newer.requested': () => ({ phase: 'loadingNewer', ...waiting }),
    'refetch.requested': ({ phase }) =>
      phase === 'failed' ? { phase: 'loading', ...waiting } : { phase: 'fetching', pages: 0, ...waiting },
    'resync.requested': ({ phase }) =>
      phase === 'failed' ? { phase: 'loading', ...waiting } : { phase: 'fetching', pages: 0, ...waiting },
    'xstate.done.actor.loadAround': (state) => range(state, numbersOf(atMessage), true, true),
    'xstate.error.actor.loadAround': ({ failures }, { error }) =>
      error === gone ? { phase: 'missing' } : { phase: 'failed', failures: failures + 1 },
    'xstate.done.actor.loadOlderAround': (state) => range(state, [1, 2, 3, ...state.ids], false, state.hasNewer),
    'xstate.error.actor.loadOlderAround': ({ failures }) => ({ phase: 'idle', ...waiting, failures: failures + 1 }),
    'xstate.done.actor.loadNewerAround': (state) => range(state, [...state.ids, 7, 8], state.hasOlder, false),
    'xstate.error.actor.loadNewerAround': ({ failures }) => ({ phase: 'idle', ...waiting, failures: failures + 1 }),
    'xstate.done.actor.refetchAround': (state) => {
      const pages = refetchedPages.slice(0, state.pages + 1)
      const fetched = pages.flatMap(numbersOf)
      const hasNewer = pages.at(-1)?.hasNewer ?? false
      const isDone = !hasNewer || Math.max(...fetched) >= Math.max(...state.ids)
      return isDone ? range(state, fetched, true, hasNewer) : { pages: state.pages + 1 }
    },
    'xstate.error.actor.refetchAround': ({ failures }) => ({ phase: 'outdated', ...waiting, failures: failures + 1 }),
  },
  shown: ({ phase, ids, hasOlder, hasNewer, failures }) => ({ phase, ids, hasOlder, hasNewer, failures }),
}

/** The state of the machine in the words of the reference. */
export const phaseOf = ({ value }: Pick<Snapshot, 'value'>): string => {
  if (typeof value === 'string') return value
  const inner = Object.values(value)[0]
  return typeof inner === 'string' ? inner : String(Object.values(inner ?? {})[0])
}
