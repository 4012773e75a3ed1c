import { createActor, SimulatedClock, type SnapshotFrom } from 'xstate'
import type { ChatStep } from '../../../src/domain/client/chats.ts'
import { Failure } from '../../../src/domain/failure.ts'
import type { ListAnswer } from '../../../src/domain/list/list-calls.ts'
import { type ChatsEvent, chatsMachine } from '../../../src/machines/client/chats.ts'
import type { Chats, MovedChat } from '../../../src/schemas/chats.ts'
import { conversationOf } from '../../domain/message-fixture.ts'
import { createControl, createToastLog, type Inspect, inspectAll, modelOf } from '../harness.ts'

const input = { conversationId: 'ana' }

const chatOf = (id: string, page: string, isFirst = false) => ({
  fb_user_id: id,
  name: 'Ana',
  page_name: page,
  platform: 'messenger' as const,
  total_messages: 3,
  last_message_at: null,
  is_first: isFirst,
})
export const chats: Chats = {
  client: { id: 'k1', name: 'Ana Reyes' },
  chats: [chatOf('ana', 'Bakery', true), chatOf('ana-2', 'Cafe')],
}
export const moved: MovedChat[] = [{ id: 'ana', primary_user_id: 'ana', client_id: null }]

const row = (id: string, name: string, clientId: string | null) =>
  conversationOf({
    primary_user_id: id,
    fb_user_id: id,
    fb_user_ids: id,
    unified_name: name,
    page_names: 'Cafe',
    client_id: clientId,
  })
/** The conversation itself, one without a client, one of the same client and one of another. */
export const foundRows: ListAnswer = {
  rows: [row('ana', 'Ana', 'k1'), row('annie', 'Annie', null), row('same', 'Anita', 'k1'), row('other', 'Ann', 'k2')],
  hasNext: false,
  total: 4,
}

export const unlink: ChatStep = { kind: 'unlink', clientId: 'k1', name: 'Ana Reyes' }
export const split: ChatStep = { kind: 'split', chatId: 'ana-2', name: 'Cafe (Ana)' }
export const join = (otherId: string): ChatStep => ({ kind: 'join', otherId, name: 'Annie (Cafe)' })

export const refused = new Failure({
  kind: 'status',
  status: 409,
  error: 'This person is linked to another client by now.',
  method: 'POST',
  path: '/facebook/unlink-client',
})
export const noAnswer = new Failure({ kind: 'noAnswer', method: 'GET', path: '/facebook/chats/ana' })

export function startChats(inspect: Inspect) {
  const load = createControl<Chats, { conversationId: string }>()
  const search = createControl<ListAnswer, { term: string }>()
  const change = createControl<readonly MovedChat[], { conversationId: string; step: ChatStep }>()
  const clock = new SimulatedClock()
  const log = createToastLog()
  const told: unknown[] = []
  const actor = createActor(
    chatsMachine.provide({
      actors: { loadConversationChats: load.logic, searchConversations: search.logic, changeChats: change.logic },
      actions: { tellSession: (_, report) => void told.push(report) },
    }),
    {
      input,
      clock,
      inspect: inspectAll(inspect, log.inspect),
    },
  ).start()
  return {
    actor,
    load,
    search,
    change,
    clock,
    told,
    toasts: log.toasts,
    send: (event: ChatsEvent) => actor.send(event),
  }
}

type Snapshot = SnapshotFrom<typeof chatsMachine>

/** `steps`: the steps that can be chosen on the screen. */
export const chatsModel = (steps: readonly ChatStep[] = [split]) =>
  modelOf(chatsMachine, {
    input,
    vertex: ({ context: { term, found, chats: known, step } }: Snapshot) => [
      term,
      found !== null,
      known !== null,
      step?.kind,
    ],
    cases: {
      // The field is shown with the chats. Waiting for the retry would end the wait after typing too.
      'search.typed': (snapshot) =>
        snapshot.context.chats === null || snapshot.matches({ open: { work: { failed: 'waiting' } } })
          ? []
          : [{ term: 'annie' }, { term: 'a' }].filter(({ term }) => term !== snapshot.context.term),
      'refetch.requested': [{}],
      'step.chosen': ({ context: { step } }) => (step === null ? steps.map((one) => ({ step: one })) : []),
      'step.confirmed': [{}],
      'step.cancelled': [{}],
      'dialog.dismissed': [{}],
      'xstate.done.actor.loadConversationChats': [{ output: chats }],
      'xstate.error.actor.loadConversationChats': (snapshot) => [
        { error: refused },
        ...(snapshot.matches({ open: { search: 'idle' } }) ? [{ error: noAnswer }] : []),
      ],
      'xstate.done.actor.searchConversations': [{ output: foundRows }],
      'xstate.error.actor.searchConversations': [{ error: refused }],
      'xstate.done.actor.changeChats': [{ output: moved }],
      'xstate.error.actor.changeChats': [{ error: refused }],
      'xstate.after.searchDebounce.chats.open.search.debouncing': [{}],
      'xstate.after.retryDelay.chats.open.work.failed.waiting': [{}],
    },
  })
