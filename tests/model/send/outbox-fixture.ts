import { type ActorOptions, fromCallback, SimulatedClock } from 'xstate'
import { rowIdOf } from '../../../src/domain/list/conversation-row.ts'
import type { Outgoing } from '../../../src/domain/send/outgoing.ts'
import type { SendAnswer } from '../../../src/domain/send/send-calls.ts'
import { type OutboxEvent, outboxMachine } from '../../../src/machines/send/outbox.ts'
import { selectIsSending, selectOutgoingIn } from '../../../src/machines/send/outbox-selectors.ts'
import { sendFlowMachine } from '../../../src/machines/send/send-flow.ts'
import type { Recorder } from '../../../src/recorder/recorder.ts'
import type { Platform } from '../../../src/schemas/conversation.ts'
import type { Message } from '../../../src/schemas/message.ts'
import { conversationOf } from '../../domain/message-fixture.ts'
import { createControl, createToastLog, modelOf } from '../harness.ts'
import { recordsOf, startWithRecords } from '../records-fixture.ts'
import { moment, outgoingOf } from './send-fixture.ts'

type Inspect = (
  event: Parameters<Extract<NonNullable<ActorOptions<typeof outboxMachine>['inspect']>, (event: never) => void>>[0],
) => void

const toldToSession: ReadonlySet<string> = new Set(['message.sent', 'resync.done', 'pages.invalidated'])

/** A running outbox with real send flows. The keys are k1, k2, … and a map replaces the storage. */
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
  const { actor, fetch } = startWithRecords(machine, {
    rows: [conversationOf()],
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
  })

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
    /** Key and status of the outgoing sends at each write to the storage. */
    storings,
    /** The events that the session received. */
    session,
    toasts: log.toasts,
    state: () => actor.getSnapshot().value,
    tell: (event: OutboxEvent) => actor.send(event),
    /** Requests a message from the page p1. Each call is a new draft unless the test names one. */
    write: (text: string, draftId?: string, conversation = conversationOf(), platform: Platform | null = null) => {
      drafts += 1
      fetch(conversation)
      const conversationId = rowIdOf(conversation)
      actor.send({
        type: 'send.requested',
        draftId: draftId ?? `d${drafts}`,
        conversationId,
        pageId: 'p1',
        platform,
        text,
      })
    },
    /** Key and status of every unconfirmed send. */
    outgoing: () => actor.getSnapshot().context.outgoing.map(({ key, status }) => `${key} ${status}`),
    shown: (conversationId = 'ana') => selectOutgoingIn(conversationId)(actor.getSnapshot()).map(({ key }) => key),
    isSending: (conversationId = 'ana') => selectIsSending(conversationId)(actor.getSnapshot()),
    /** The keys and texts of the sent messages, in order. */
    delivered: () => send.inputs().map(({ key, text }) => `${key} ${text}`),
  }
  return sut
}

/** The reasons for a refusal, each with its error text. */
const refusals = { refused: 'This page is inactive.', tokenDied: 'Reconnect the page.' }

/** A failed send of an earlier tab. */
const leftBehind = outgoingOf({
  key: 'a',
  text: 'left behind',
  pageId: 'p1',
  psid: 'psid-ana-p1',
  status: 'failed',
  failure: refusals.refused,
})

/** A message of an earlier tab that was not sent, because that tab was closed. */
const waitingBehind = outgoingOf({ key: 'a', text: 'left behind', chosenPageId: 'p1', status: 'waiting' })

/** An event of a send flow and its cause. In the title of a path, a message appears as its text and its state. */
const told = (by: string, outgoing: Outgoing, change: Partial<Outgoing> = {}) => {
  const next = { ...outgoing, ...change }
  return { by, outgoing: { ...next, toJSON: () => `${next.text}: ${next.status}` } }
}

const isGoing = ({ status }: Outgoing) => status === 'pending' || status === 'queued'

/**
 * One new message and one of an earlier tab; one send runs at a time. The events of the flows follow from the answers
 * and from the actions of staff: `by` names the cause.
 */
export const outboxModel = () =>
  modelOf(outboxMachine, {
    input: { staffId: 's1', now: () => Date.parse(moment), newKey: () => 'k1' },
    records: recordsOf(conversationOf()),
    vertex: ({ context: { outgoing, acceptedDrafts } }) => [
      outgoing.map(({ key, status, failure }) => [key, status, failure]),
      acceptedDrafts.length,
    ],
    cases: {
      'xstate.done.actor.loadOutgoing': ({ context: { outgoing } }) => [
        { output: [] },
        { output: [leftBehind] },
        ...(outgoing.length === 0 ? [{ output: [waitingBehind] }] : []),
      ],
      'send.requested': ({ context: { outgoing, acceptedDrafts } }) =>
        acceptedDrafts.length > 0 || outgoing.some(({ status }) => status !== 'failed')
          ? []
          : [{ draftId: 'd1', conversationId: 'ana', pageId: 'p1', text: 'hello' }],
      'flow.progressed': ({ context: { outgoing } }) =>
        outgoing.flatMap((send) => {
          const refused = told('refused', send, { status: 'failed', failure: refusals.refused })
          if (send.status === 'pending' && outgoing.length > 1) return [refused]
          if (send.status === 'pending')
            return [
              refused,
              told('tokenDied', send, { status: 'failed', failure: refusals.tokenDied }),
              told('lost', send, { status: 'unconfirmed', failure: 'Network error. Please check your connection.' }),
            ]
          if (send.status === 'unconfirmed') return [told('notFound', send, { status: 'notFound' })]
          if (outgoing.some(({ status }) => status !== 'failed')) return []
          return [told('retry', send, { status: 'pending', failure: null })]
        }),
      'flow.sent': ({ context: { outgoing } }) =>
        outgoing.flatMap((send) => {
          const ways = {
            pending: ['answer', 'changed'],
            unconfirmed: ['changed', 'fetched', 'checked', 'resync'],
            notFound: ['checkedAgain'],
          }
          const by = Object.entries(ways).find(([status]) => status === send.status)?.[1] ?? []
          return by.map((way) => ({ ...told(way, send), answer: { messageId: `m-${send.key}`, createdAt: moment } }))
        }),
      'send.discarded': ({ context: { outgoing } }) =>
        outgoing.filter((send) => !isGoing(send)).map(({ key }) => ({ key })),
      'browser.online': ({ context: { outgoing } }) =>
        outgoing.length === 1 && outgoing[0]?.status === 'failed' ? [{}] : [],
      'waiting.retried': ({ context: { outgoing } }) =>
        outgoing.some(({ status }) => status === 'waiting') ? [{}] : [],
      // The flows report the results of these events.
      'send.retried': [],
      'check.requested': [],
      'messages.changed': [],
      'messages.fetched': [],
      'flow.checked': [],
      'flow.pageRefused': [],
      'resync.requested': [],
      'conversation.gone': [],
      'send.dropped': [],
    },
  })

/** An outbox without sends from an earlier tab. */
export async function readyOutbox(alsoInspect?: Inspect) {
  const sut = startOutbox(alsoInspect)
  await sut.left.resolve([])
  return sut
}
