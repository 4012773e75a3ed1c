import { type ActorOptions, createActor, SimulatedClock } from 'xstate'
import { Failure } from '../../../src/domain/failure.ts'
import { type Outgoing, recipientOf } from '../../../src/domain/send/outgoing.ts'
import type { SendAnswer } from '../../../src/domain/send/send-calls.ts'
import { type SendFlowEvent, sendFlowMachine } from '../../../src/machines/send/send-flow.ts'
import type { Message } from '../../../src/schemas/message.ts'
import { at, conversationOf } from '../../domain/message-fixture.ts'
import { createControl, createToastLog } from '../harness.ts'

/** The time of the clock in every test. */
export const moment = at(0)
const now = () => Date.parse(moment)

/** A send to Ana with the key `k1`, in the form in which the outbox passes it to its flow. */
export const outgoingOf = (rest: Partial<Outgoing> = {}): Outgoing => ({
  key: 'k1',
  recipient: recipientOf(conversationOf()),
  text: 'hello',
  file: null,
  structured: null,
  chosenPageId: null,
  pageId: null,
  psid: null,
  createdAt: moment,
  leftAt: null,
  status: 'pending',
  failure: null,
  echoId: null,
  ...rest,
})

export const recipients = {
  'the own psid on the first page': recipientOf(conversationOf()),
  'the own psid on another page': recipientOf(conversationOf({ page_id: 'p2' })),
  'no page': recipientOf(conversationOf({ page_id: null, page_ids: null })),
}

const post = { method: 'POST', path: '/facebook/send-message' }
const status = (code: number, error?: string) => new Failure({ ...post, kind: 'status', status: code, error })
export const failures = {
  noAnswer: new Failure({ ...post, kind: 'noAnswer' }),
  timeout: new Failure({ ...post, kind: 'timeout' }),
  badAnswer: new Failure({ ...post, kind: 'badAnswer', status: 200 }),
  serverError: status(500),
  badGateway: status(502),
  unavailable: status(503, 'The network has a passing fault.'),
  gatewayTimeout: status(504),
  inactivePage: status(422, 'This page is inactive.'),
  refusedAddress: new Failure({ ...post, kind: 'status', status: 422, error: 'Activate it.', code: 'PAGE_INACTIVE' }),
  deadToken: new Failure({ ...post, kind: 'status', status: 422, error: 'Reconnect the page.', code: 'NETWORK_190' }),
  invalid: status(400),
  forbidden: status(403),
  gone: status(404),
  tooMany: status(429),
}

type Inspect = NonNullable<ActorOptions<typeof sendFlowMachine>['inspect']>

/** A running flow. The test settles its calls. */
export function startSendFlow(outgoing: Outgoing = outgoingOf(), alsoInspect: Inspect = () => {}) {
  const page = createControl<{ pageId: string }, { userId: string }>()
  const identity = createControl<{ psid: string }, { userId: string; pageId: string }>()
  const send = createControl<SendAnswer, { key: string; pageId: string; psid: string; text: string }>()
  const newest = createControl<readonly Message[], { conversationId: string; pageId: string | null }>()
  const clock = new SimulatedClock()
  const log = createToastLog()
  const connection = { isOnline: true }
  const reports: { type: string; status?: string; answer?: unknown }[] = []
  const inspect: Inspect = (event) => {
    if (typeof alsoInspect === 'function') alsoInspect(event)
    log.inspect(event)
    if (event.type !== '@xstate.event' || !event.event.type.startsWith('flow.')) return
    const { type, outgoing: reported, answer } = event.event as { type: string; outgoing?: Outgoing; answer?: unknown }
    reports.push(type === 'flow.progressed' ? { type, status: reported?.status ?? '' } : { type, answer })
  }
  const machine = sendFlowMachine.provide({
    actors: {
      findBestPage: page.logic,
      findIdentity: identity.logic,
      sendMessage: send.logic,
      findNewest: newest.logic,
    },
    guards: { isOnline: () => connection.isOnline },
  })
  const actor = createActor(machine, { input: { outgoing, now }, clock, inspect }).start()
  return {
    actor,
    clock,
    connection,
    page,
    identity,
    send,
    newest,
    reports,
    toasts: log.toasts,
    state: () => actor.getSnapshot().value,
    outgoing: () => actor.getSnapshot().context.outgoing,
    tell: (event: SendFlowEvent) => actor.send(event),
    /** The calls so far, by name. */
    calls: () => ({
      page: page.inputs(),
      identity: identity.inputs(),
      send: send.inputs(),
      newest: newest.inputs(),
    }),
  }
}
