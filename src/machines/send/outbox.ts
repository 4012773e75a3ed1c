import { assign, fromCallback, fromPromise, type SnapshotFrom, setup, stopChild } from 'xstate'
import { rowById } from '../../domain/list/records.ts'
import { newKey } from '../../domain/new-key.ts'
import { messageCount, messagesOfDraft, type SentDraft } from '../../domain/send/draft-messages.ts'
import {
  echoesOf,
  mayHaveArrived,
  nextToSend,
  type Outgoing,
  recipientOf,
  restored,
  temporaryMessage,
  waitsForStaff,
} from '../../domain/send/outgoing.ts'
import { fitsStructure } from '../../domain/send/reply-structure.ts'
import type { SendAnswer } from '../../domain/send/send-calls.ts'
import { isSendable } from '../../domain/send/text-limit.ts'
import type { MessageChange } from '../../domain/shell/changes.ts'
import type { Platform } from '../../schemas/conversation.ts'
import type { Message } from '../../schemas/message.ts'
import { recordsIn } from '../list/records.ts'
import { mustBeGiven, mustBeProvided } from '../must-be-provided.ts'
import { tellSession } from '../session-events.ts'
import { receivesAllIn } from '../shell/realtime.ts'
import { createSendAction } from '../system.ts'
import { type SendFlowEvent, type SendFlowRef, type SendFlowReport, sendFlowMachine } from './send-flow.ts'
import { addressIn } from './send-route.ts'

type SendRequested = SentDraft & {
  type: 'send.requested'
  /**
   * The id of the draft. The composer creates a new id (`newKey()`) at its start and after a draft was accepted. A
   * draft is accepted once: a double click sends one message, and typing the same text again sends a second one.
   */
  draftId: string
  /** The row id. */
  conversationId: string
  /** The platform, which limits the length of the text; null if unknown. */
  platform: Platform | null
}

export type OutboxEvent =
  | SendRequested
  | { type: 'send.retried'; key: string }
  /** Sends all messages that wait for staff: one at a time to each person, in the order in which they were written. */
  | { type: 'waiting.retried' }
  /** Checks again whether the message arrived. */
  | { type: 'check.requested'; key: string }
  /** Discards a message that is not being sent. */
  | { type: 'send.discarded'; key: string }
  /** Removes a message, also one that is being sent. */
  | { type: 'send.dropped'; key: string }
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  | { type: 'messages.fetched'; messages: readonly Message[] }
  | { type: 'resync.requested' }
  | { type: 'browser.online' }
  /** The server no longer knows the conversation, so nothing more can be sent to it. */
  | { type: 'conversation.gone'; id: string }

type Context = {
  /** The staff member who owns the sends. */
  staffId: string
  /** The sends in the order in which they were written. */
  outgoing: readonly Outgoing[]
  flows: Readonly<Record<string, SendFlowRef>>
  acceptedDrafts: readonly string[]
  /** The ids of messages that are matched to a send already. */
  claimed: ReadonlySet<string>
  newKey: () => string
  now: () => number
}

const acceptedDraftsLimit = 100

const flowId = (key: string) => `send:${key}`

type Tell = readonly { key: string; event: SendFlowEvent }[]

const tellFlows = createSendAction<{ flows: Context['flows']; tell: Tell }>(({ flows, tell }) =>
  tell.flatMap(({ key, event }) => {
    const to = flows[key]
    return to ? [{ to, event }] : []
  }),
)

/** The last first, so that no queued send starts when the one before it is removed. */
const dropSends = createSendAction<{ sends: readonly Outgoing[] }>(({ sends }, { self }) =>
  sends.toReversed().map(({ key }) => ({ to: self, event: { type: 'send.dropped', key } })),
)

/** Only the key confirms a send. A row with the same text hides the bubble of a send that is under way. */
function echoEventsOf({ outgoing, claimed }: Context, messages: readonly Message[]): Tell {
  return echoesOf(outgoing, messages, claimed).map(({ key, messageId, createdAt, isCertain }) => ({
    key,
    event: { type: 'echo.seen', messageId, createdAt, settles: isCertain },
  }))
}

const checksOf = (outgoing: readonly Outgoing[]): Tell =>
  outgoing.filter(mayHaveArrived).map(({ key }) => ({ key, event: { type: 'check.requested' } }))

/** The key of the next send, if it was queued again while its flow waits. */
function flowToResume({ outgoing, flows }: Context): string | undefined {
  const key = nextToSend(outgoing)?.key
  return key !== undefined && key in flows ? key : undefined
}

const recordsOf = (changes: readonly MessageChange[]): Message[] =>
  changes.flatMap((change) => (change.type === 'DELETE' ? [] : [change.record]))

type OfSend = { event: { key: string } }
const keyOf = ({ event: { key } }: OfSend) => ({ key })
const discarding = [
  { type: 'stop the flow' as const, params: keyOf },
  { type: 'remove the send' as const, params: keyOf },
  { type: 'forget' as const, params: keyOf },
]

/**
 * All outgoing sends, one `sendFlow` per message (spec section 4, Sending). The outbox belongs to the session, so a
 * message is sent even if the person opens another conversation. The outbox persists its sends through `store`, so a
 * send that was interrupted by closing the tab is shown as unconfirmed.
 */
export const outboxMachine = setup({
  types: {
    context: {} as Context,
    events: {} as OutboxEvent | SendFlowReport,
    input: {} as { staffId: string; newKey?: () => string; now?: () => number },
  },
  actors: {
    sendFlow: sendFlowMachine,
    /** Loads the sends that an earlier tab stored. */
    loadOutgoing: fromPromise<readonly Outgoing[], { staffId: string }>(mustBeProvided('loadOutgoing')),
    /** Its disposer deletes the stored sends. The disposer runs when the session ends, not when the tab closes. */
    forgetOnSignOut: fromCallback(mustBeGiven('forgetOnSignOut')),
  },
  guards: {
    'is a new draft': ({ context }, { draftId, text, platform, files = [], structured = null }: SendRequested) =>
      fitsStructure(text, structured) &&
      (isSendable(text, platform) || (text.trim() === '' && files.length > 0)) &&
      !context.acceptedDrafts.includes(draftId),
    'has a send to start': ({ context }) => nextToSend(context.outgoing) !== undefined,
    'has a send to resume': ({ context }) => flowToResume(context) !== undefined,
    'is not in progress': ({ context }, { key }: { key: string }) =>
      context.outgoing.some((send) => send.key === key && send.status !== 'pending'),
  },
  actions: {
    tellSession,
    store: (_, _params: { staffId: string; sends: readonly Outgoing[] }) => mustBeGiven('store')(),
    forget: (_, _params: { key: string }) => mustBeGiven('forget')(),
    /** Without a known conversation nothing can be sent, so the draft stays in the composer. */
    'queue the message': assign(({ context, system }, request: SendRequested) => {
      const row = rowById(recordsIn(system), request.conversationId)
      if (row === undefined) return {}
      const recipient = recipientOf(row)
      return {
        outgoing: [
          ...context.outgoing,
          ...messagesOfDraft(request, { recipient, newKey: context.newKey, now: context.now() }),
        ],
        acceptedDrafts: [...context.acceptedDrafts, request.draftId].slice(-acceptedDraftsLimit),
      }
    }),
    'restore the sends': assign({
      outgoing: ({ context }, { left }: { left: readonly Outgoing[] }) => [...left.map(restored), ...context.outgoing],
      flows: ({ context, spawn }, { left }) => {
        const flows = left.map((send) => {
          const input = { outgoing: restored(send), now: context.now }
          return [send.key, spawn('sendFlow', { id: flowId(send.key), input })] as const
        })
        return { ...context.flows, ...Object.fromEntries(flows) }
      },
    }),
    /** While realtime may miss messages, the shown send route may be stale, so the flow looks up its own route. */
    'start the next send': assign(({ context, spawn, system }) => {
      const next = nextToSend(context.outgoing)
      if (!next) return {}
      const { conversationId } = next.recipient
      const address = receivesAllIn(system) ? addressIn(system, conversationId, next.chosenPageId) : null
      const outgoing: Outgoing = { ...next, ...address, status: 'pending' }
      const flow = spawn('sendFlow', { id: flowId(next.key), input: { outgoing, now: context.now } })
      return { outgoing: replaced(context.outgoing, outgoing), flows: { ...context.flows, [next.key]: flow } }
    }),
    'queue the waiting sends': assign({
      outgoing: ({ context }) =>
        context.outgoing.map((send) => (waitsForStaff(send) ? { ...send, status: 'queued' as const } : send)),
    }),
    'mark the next send as pending': assign({
      outgoing: ({ context }) => {
        const next = nextToSend(context.outgoing)
        return next ? replaced(context.outgoing, { ...next, status: 'pending' }) : context.outgoing
      },
    }),
    'update the send': assign({
      outgoing: ({ context }, { outgoing }: { outgoing: Outgoing }) => replaced(context.outgoing, outgoing),
    }),
    'remove the send': assign({
      outgoing: ({ context }, { key }: { key: string }) => context.outgoing.filter((send) => send.key !== key),
      flows: ({ context }, { key }) => {
        const { [key]: _, ...others } = context.flows
        return others
      },
    }),
    'claim the message': assign({
      claimed: ({ context }, { messageId }: { messageId: string | null }) =>
        messageId === null ? context.claimed : new Set([...context.claimed, messageId]),
    }),
    'stop the flow': stopChild((_, { key }: { key: string }) => flowId(key)),
    'forward to the send flows': tellFlows,
    'drop the sends': dropSends,
  },
}).createMachine({
  id: 'outbox',
  context: ({ input }) => ({
    staffId: input.staffId,
    outgoing: [],
    flows: {},
    acceptedDrafts: [],
    claimed: new Set(),
    newKey: input.newKey ?? newKey,
    now: input.now ?? Date.now,
  }),
  invoke: { id: 'forgetOnSignOut', src: 'forgetOnSignOut' },
  initial: 'restoring',
  on: {
    'send.requested': {
      guard: { type: 'is a new draft', params: ({ event }) => event },
      actions: [
        { type: 'queue the message', params: ({ event }) => event },
        {
          type: 'store',
          params: ({ context, event }) => ({
            staffId: context.staffId,
            sends: context.outgoing.slice(-messageCount(event)),
          }),
        },
      ],
    },
    'send.retried': {
      actions: {
        type: 'forward to the send flows',
        params: ({ context: { flows }, event }) => ({
          flows,
          tell: [{ key: event.key, event: { type: 'send.retried' } }],
        }),
      },
    },
    'waiting.retried': { actions: 'queue the waiting sends' },
    'check.requested': {
      actions: {
        type: 'forward to the send flows',
        params: ({ context: { flows }, event }) => ({
          flows,
          tell: [{ key: event.key, event: { type: 'check.requested' } }],
        }),
      },
    },
    'browser.online': {
      actions: {
        type: 'forward to the send flows',
        params: ({ context: { flows, outgoing }, event }) => ({
          flows,
          tell: outgoing.map(({ key }) => ({ key, event })),
        }),
      },
    },
    'send.discarded': {
      guard: { type: 'is not in progress', params: ({ event }) => event },
      actions: discarding,
    },
    'send.dropped': { actions: discarding },
    'conversation.gone': {
      actions: {
        type: 'drop the sends',
        params: ({ context, event }) => ({
          sends: context.outgoing.filter(({ recipient }) => recipient.conversationId === event.id),
        }),
      },
    },
    'messages.changed': {
      actions: {
        type: 'forward to the send flows',
        params: ({ context, event }) => ({
          flows: context.flows,
          tell: echoEventsOf(context, recordsOf(event.changes)),
        }),
      },
    },
    'messages.fetched': {
      actions: {
        type: 'forward to the send flows',
        params: ({ context, event }) => ({
          flows: context.flows,
          tell: echoEventsOf(context, event.messages),
        }),
      },
    },
    'flow.checked': {
      actions: {
        type: 'forward to the send flows',
        params: ({ context, event }) => ({ flows: context.flows, tell: echoEventsOf(context, event.messages) }),
      },
    },
    'resync.requested': {
      actions: [
        {
          type: 'forward to the send flows',
          params: ({ context }) => ({ flows: context.flows, tell: checksOf(context.outgoing) }),
        },
        { type: 'tellSession', params: { type: 'resync.done', from: 'outbox' } },
      ],
    },
    'flow.pageRefused': { actions: { type: 'tellSession', params: { type: 'pages.invalidated' } } },
    'flow.progressed': {
      actions: [
        { type: 'update the send', params: ({ event }) => event },
        { type: 'store', params: ({ context, event }) => ({ staffId: context.staffId, sends: [event.outgoing] }) },
      ],
    },
    'flow.sent': {
      actions: [
        { type: 'claim the message', params: ({ event }) => event.answer },
        { type: 'remove the send', params: ({ event }) => ({ key: event.outgoing.key }) },
        { type: 'forget', params: ({ event }) => ({ key: event.outgoing.key }) },
        {
          type: 'tellSession',
          params: ({ event }) => messageSent(event.outgoing, event.answer),
        },
      ],
    },
  },
  states: {
    restoring: {
      invoke: {
        id: 'loadOutgoing',
        src: 'loadOutgoing',
        input: ({ context }) => ({ staffId: context.staffId }),
        onDone: {
          target: 'ready',
          actions: { type: 'restore the sends', params: ({ event }) => ({ left: event.output }) },
        },
        onError: 'ready',
      },
    },
    ready: {
      always: [
        // The flow of a message that waited for staff still runs, and knows the address that its key is bound to.
        {
          guard: 'has a send to resume',
          actions: [
            {
              type: 'forward to the send flows',
              params: ({ context }) => {
                const key = flowToResume(context)
                return {
                  flows: context.flows,
                  tell: key === undefined ? [] : [{ key, event: { type: 'send.retried' } }],
                }
              },
            },
            'mark the next send as pending',
          ],
        },
        { guard: 'has a send to start', actions: 'start the next send' },
      ],
    },
  },
})

const replaced = (all: readonly Outgoing[], one: Outgoing): readonly Outgoing[] =>
  all.map((send) => (send.key === one.key ? one : send))

const messageSent = (outgoing: Outgoing, answer: SendAnswer) =>
  ({
    type: 'message.sent',
    conversationId: outgoing.recipient.conversationId,
    message: temporaryMessage(outgoing, answer.createdAt),
    realMessageId: answer.messageId,
  }) as const

export type OutboxSnapshot = SnapshotFrom<typeof outboxMachine>
