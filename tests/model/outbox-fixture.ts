import { type ActorOptions, createActor, fromCallback, SimulatedClock } from 'xstate'
import type { Outgoing } from '../../src/domain/outgoing.ts'
import { type OutboxEvent, outboxMachine, selectIsSending, selectOutgoingIn } from '../../src/machines/outbox.ts'
import { type SendAnswer, sendFlowMachine } from '../../src/machines/send-flow.ts'
import type { Recorder } from '../../src/recorder/recorder.ts'
import type { Message } from '../../src/schemas/message.ts'
import { conversationOf } from '../domain/message-fixture.ts'
import { createControl, createToastLog } from './harness.ts'
import { moment } from './send-fixture.ts'

type Inspect = (
  event: Parameters<Extract<NonNullable<ActorOptions<typeof outboxMachine>['inspect']>, (event: never) => void>>[0],
) => void

const toldToSession: ReadonlySet<string> = new Set(['message.sent', 'resync.done', 'pages.outdated'])

/** A running outbox with real send flows; keys are k1, k2, … and what it stores is a map. */
export function startOutbox(alsoInspect: Inspect = () => {}, noting: Recorder['noting'] = (_, ask) => ask) {
  const left = createControl<readonly Outgoing[], { staffId: string }>()
  const page = createControl<{ pageId: string }, { userId: string }>()
  const identity = createControl<{ psid: string }, { userId: string; pageId: string }>()
  const send = createControl<SendAnswer, { key: string; pageId: string; psid: string; text: string }>()
  const newest = createControl<readonly Message[], { conversationId: string; pageId: string | null }>()
  const clock = new SimulatedClock()
  const log = createToastLog()
  const connection = { isOnline: true }
  const stored = new Map<string, Outgoing>()
  const storings: string[][] = []
  const session: { type: string; conversationId?: string; message?: Message; realMessageId?: string | null }[] = []
  let count = 0

  const machine = outboxMachine.provide({
    actors: {
      sendFlow: sendFlowMachine.provide({
        actors: {
          findBestPage: page.logic,
          findIdentity: identity.logic,
          sendMessage: send.logic,
          findNewest: newest.logic,
        },
        guards: { isOnline: noting('isOnline', () => connection.isOnline) },
      }),
      loadOutgoing: left.logic,
      forgetOnSignOut: fromCallback(() => () => stored.clear()),
    },
    actions: {
      store: (_, { sends }) => {
        storings.push(sends.map(({ key, status }) => `${key} ${status}`))
        for (const outgoing of sends) stored.set(outgoing.key, outgoing)
      },
      forget: (_, { key }) => {
        stored.delete(key)
      },
    },
  })
  const actor = createActor(machine, {
    clock,
    input: {
      staffId: 's1',
      now: noting('now', () => Date.parse(moment)),
      newKey: noting('newKey', () => {
        count += 1
        return `k${count}`
      }),
    },
    inspect: (event) => {
      alsoInspect(event)
      log.inspect(event)
      if (event.type !== '@xstate.event') return
      if (toldToSession.has(event.event.type)) session.push(event.event)
    },
  }).start()

  let drafts = 0
  const sut = {
    actor,
    clock,
    connection,
    left,
    page,
    identity,
    send,
    newest,
    stored,
    /** Key and status of what was stored, each time. */
    storings,
    /** What the session was told. */
    session,
    toasts: log.toasts,
    state: () => actor.getSnapshot().value,
    tell: (event: OutboxEvent) => actor.send(event),
    /** Asks for a message from the page p1; every draft is another one unless it is named. */
    write: (text: string, draftId?: string, conversation = conversationOf()) => {
      drafts += 1
      actor.send({ type: 'send.requested', draftId: draftId ?? `d${drafts}`, conversation, pageId: 'p1', text })
    },
    /** Key and status of all that is not confirmed. */
    outgoing: () => actor.getSnapshot().context.outgoing.map(({ key, status }) => `${key} ${status}`),
    shown: (conversationId = 'ana') => selectOutgoingIn(conversationId)(actor.getSnapshot()).map(({ key }) => key),
    isSending: (conversationId = 'ana') => selectIsSending(conversationId)(actor.getSnapshot()),
    /** The keys and texts that left, in order. */
    delivered: () => send.inputs().map(({ key, text }) => `${key} ${text}`),
  }
  return sut
}

/** With nothing left behind by an earlier tab. */
export async function readyOutbox(alsoInspect?: Inspect) {
  const sut = startOutbox(alsoInspect)
  await sut.left.resolve([])
  return sut
}
