import { assign, fromCallback, fromPromise, type SnapshotFrom, setup, stopChild } from 'xstate'
import { rowById } from '../../domain/list/records.ts'
import { newKey } from '../../domain/new-key.ts'
import {
  echoesOf,
  isOnItsWay,
  mayHaveArrived,
  nextToLeave,
  type Outgoing,
  outgoingIn,
  type Recipient,
  recipientOf,
  restored,
  temporaryMessage,
} from '../../domain/send/outgoing.ts'
import type { SendAnswer } from '../../domain/send/send-calls.ts'
import { isSendable } from '../../domain/send/text-limit.ts'
import type { MessageChange } from '../../domain/shell/changes.ts'
import type { Platform } from '../../schemas/conversation.ts'
import type { Message } from '../../schemas/message.ts'
import { recordsIn } from '../list/records.ts'
import { mustBeGiven, mustBeProvided } from '../must-be-provided.ts'
import { tellSession } from '../session-events.ts'
import { hearsAllIn } from '../shell/realtime.ts'
import { telling } from '../system.ts'
import { type SendFlowEvent, type SendFlowRef, type SendFlowReport, sendFlowMachine } from './send-flow.ts'
import { addressIn } from './send-route.ts'

type SendRequested = {
  type: 'send.requested'
  /**
   * Names the draft: the composer takes a new one (`newKey()`) whenever it starts anew, that is at first and after a
   * draft was accepted. A draft is accepted once, so a double click is one message and the same text again is two.
   */
  draftId: string
  /** The row id. */
  conversationId: string
  /** Null is Auto-select. */
  pageId: string | null
  /** Decides how long the text may be; null where it is not known. */
  platform: Platform | null
  text: string
}

export type OutboxEvent =
  | SendRequested
  | { type: 'send.retried'; key: string }
  /** The page is asked once more whether it has the message. */
  | { type: 'check.requested'; key: string }
  /** Gives up a message that is not on its way. */
  | { type: 'send.discarded'; key: string }
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  | { type: 'messages.fetched'; messages: readonly Message[] }
  | { type: 'resync.requested' }
  | { type: 'browser.online' }

type Context = {
  /** Whose sends these are. */
  staffId: string
  /** In the order in which they were written. */
  outgoing: readonly Outgoing[]
  flows: Readonly<Record<string, SendFlowRef>>
  acceptedDrafts: readonly string[]
  /** Messages that stand for one of our sends already. */
  claimed: ReadonlySet<string>
  newKey: () => string
  now: () => number
}

const draftsRemembered = 100

const flowId = (key: string) => `send:${key}`

const queued = ({ pageId, text }: SendRequested, recipient: Recipient, key: string, now: number): Outgoing => ({
  key,
  recipient,
  text: text.trim(),
  chosenPageId: pageId,
  pageId: null,
  psid: null,
  createdAt: new Date(now).toISOString(),
  leftAt: null,
  status: 'queued',
  failure: null,
  echoId: null,
})

type Tell = readonly { key: string; event: SendFlowEvent }[]

const tellFlows = telling<{ flows: Context['flows']; tell: Tell }>(({ flows, tell }) =>
  tell.flatMap(({ key, event }) => {
    const to = flows[key]
    return to ? [{ to, event }] : []
  }),
)

/** A row heard live may learn its key a moment later, so a guess settles a send only where it was looked for. */
function echoes({ outgoing, claimed }: Context, messages: readonly Message[], wereLookedFor: boolean): Tell {
  return echoesOf(outgoing, messages, claimed).map(({ key, messageId, createdAt, isCertain }) => ({
    key,
    event: { type: 'echo.seen', messageId, createdAt, settles: isCertain || wereLookedFor },
  }))
}

const looks = (outgoing: readonly Outgoing[]): Tell =>
  outgoing.filter(mayHaveArrived).map(({ key }) => ({ key, event: { type: 'check.requested' } }))

const recordsOf = (changes: readonly MessageChange[]): Message[] =>
  changes.flatMap((change) => (change.type === 'DELETE' ? [] : [change.record]))

/**
 * Everything staff asked to send that is not confirmed yet, one `sendFlow` a message (spec section 4, Sending). It
 * belongs to the session, so a message arrives though the person has opened another conversation, and it keeps what it
 * holds through `store`, so a tab that was closed during a send shows it as unconfirmed.
 */
export const outboxMachine = setup({
  types: {
    context: {} as Context,
    events: {} as OutboxEvent | SendFlowReport,
    input: {} as { staffId: string; newKey?: () => string; now?: () => number },
  },
  actors: {
    sendFlow: sendFlowMachine,
    /** What an earlier tab left behind. */
    loadOutgoing: fromPromise<readonly Outgoing[], { staffId: string }>(mustBeProvided('loadOutgoing')),
    /** Its disposer forgets all that is stored: it runs when the session ends, not when the tab closes. */
    forgetOnSignOut: fromCallback(mustBeGiven('forgetOnSignOut')),
  },
  guards: {
    'is a new draft': ({ context }, { draftId, text, platform }: SendRequested) =>
      isSendable(text, platform) && !context.acceptedDrafts.includes(draftId),
    'has a send to start': ({ context }) => nextToLeave(context.outgoing) !== undefined,
    'is not in progress': ({ context }, { key }: { key: string }) =>
      context.outgoing.some((send) => send.key === key && send.status !== 'pending'),
  },
  actions: {
    tellSession,
    store: (_, _params: { staffId: string; sends: readonly Outgoing[] }) => mustBeGiven('store')(),
    forget: (_, _params: { key: string }) => mustBeGiven('forget')(),
    /** A conversation that is not known is nobody to send to: then the draft stays with the composer. */
    accept: assign(({ context, system }, request: SendRequested) => {
      const row = rowById(recordsIn(system), request.conversationId)
      if (row === undefined) return {}
      return {
        outgoing: [...context.outgoing, queued(request, recipientOf(row), context.newKey(), context.now())],
        acceptedDrafts: [...context.acceptedDrafts, request.draftId].slice(-draftsRemembered),
      }
    }),
    restore: assign({
      outgoing: ({ context }, { left }: { left: readonly Outgoing[] }) => [...left.map(restored), ...context.outgoing],
      flows: ({ context, spawn }, { left }) => {
        const flows = left.map((send) => {
          const input = { outgoing: restored(send), now: context.now }
          return [send.key, spawn('sendFlow', { id: flowId(send.key), input })] as const
        })
        return { ...context.flows, ...Object.fromEntries(flows) }
      },
    }),
    /** While messages may be missed the route that is shown may be outdated: then the flow looks for itself. */
    'start the next send': assign(({ context, spawn, system }) => {
      const next = nextToLeave(context.outgoing)
      if (!next) return {}
      const { conversationId } = next.recipient
      const address = hearsAllIn(system) ? addressIn(system, conversationId, next.chosenPageId) : null
      const outgoing: Outgoing = { ...next, ...address, status: 'pending' }
      const flow = spawn('sendFlow', { id: flowId(next.key), input: { outgoing, now: context.now } })
      return { outgoing: replaced(context.outgoing, outgoing), flows: { ...context.flows, [next.key]: flow } }
    }),
    note: assign({
      outgoing: ({ context }, { outgoing }: { outgoing: Outgoing }) => replaced(context.outgoing, outgoing),
    }),
    remove: assign({
      outgoing: ({ context }, { key }: { key: string }) => context.outgoing.filter((send) => send.key !== key),
      flows: ({ context }, { key }) => {
        const { [key]: _, ...others } = context.flows
        return others
      },
    }),
    claim: assign({
      claimed: ({ context }, { messageId }: { messageId: string | null }) =>
        messageId === null ? context.claimed : new Set([...context.claimed, messageId]),
    }),
    'stop the flow': stopChild((_, { key }: { key: string }) => flowId(key)),
    'forward to the send flows': tellFlows,
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
        { type: 'accept', params: ({ event }) => event },
        { type: 'store', params: ({ context }) => ({ staffId: context.staffId, sends: context.outgoing.slice(-1) }) },
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
      actions: [
        { type: 'stop the flow', params: ({ event }) => event },
        { type: 'remove', params: ({ event }) => event },
        { type: 'forget', params: ({ event }) => event },
      ],
    },
    'messages.changed': {
      actions: {
        type: 'forward to the send flows',
        params: ({ context, event }) => ({
          flows: context.flows,
          tell: echoes(context, recordsOf(event.changes), false),
        }),
      },
    },
    'messages.fetched': {
      actions: {
        type: 'forward to the send flows',
        params: ({ context, event }) => ({
          flows: context.flows,
          tell: echoes(context, event.messages, false),
        }),
      },
    },
    'flow.checked': {
      actions: {
        type: 'forward to the send flows',
        params: ({ context, event }) => ({ flows: context.flows, tell: echoes(context, event.messages, true) }),
      },
    },
    'resync.requested': {
      actions: [
        {
          type: 'forward to the send flows',
          params: ({ context }) => ({ flows: context.flows, tell: looks(context.outgoing) }),
        },
        { type: 'tellSession', params: { type: 'resync.done', from: 'outbox' } },
      ],
    },
    'flow.pageRefused': { actions: { type: 'tellSession', params: { type: 'pages.invalidated' } } },
    'flow.progressed': {
      actions: [
        { type: 'note', params: ({ event }) => event },
        { type: 'store', params: ({ context, event }) => ({ staffId: context.staffId, sends: [event.outgoing] }) },
      ],
    },
    'flow.sent': {
      actions: [
        { type: 'claim', params: ({ event }) => event.answer },
        { type: 'remove', params: ({ event }) => ({ key: event.outgoing.key }) },
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
        onDone: { target: 'ready', actions: { type: 'restore', params: ({ event }) => ({ left: event.output }) } },
        onError: 'ready',
      },
    },
    ready: { always: { guard: 'has a send to start', actions: 'start the next send' } },
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

type Snapshot = SnapshotFrom<typeof outboxMachine>

/** True once the draft was taken on; then the composer clears it and takes a new draft id. */
export const isAccepted = (snapshot: Snapshot, draftId: string): boolean =>
  snapshot.context.acceptedDrafts.includes(draftId)

/**
 * A selector for what stands below a conversation's confirmed messages, oldest first; make it once a conversation. The
 * array stays the same until something in it changes.
 */
export function selectOutgoingIn(conversationId: string): (snapshot: Snapshot) => readonly Outgoing[] {
  let last: readonly Outgoing[] = []
  return ({ context }) => {
    const next = outgoingIn(context.outgoing, conversationId)
    if (next.length !== last.length || next.some((send, index) => send !== last[index])) last = next
    return last
  }
}

export type Stuck = 'notSent' | 'unconfirmed'

/** A selector for what staff have to decide of a conversation's messages, the worse first; null where all goes its way. */
export const selectStuck =
  (conversationId: string) =>
  ({ context }: Snapshot): Stuck | null => {
    let stuck: Stuck | null = null
    for (const send of context.outgoing) {
      if (send.recipient.conversationId !== conversationId || isOnItsWay(send)) continue
      if (!mayHaveArrived(send)) return 'notSent'
      stuck = 'unconfirmed'
    }
    return stuck
  }

/** A send of that conversation is under way (spec section 2: the send button is disabled meanwhile). */
export const selectIsSending =
  (conversationId: string) =>
  ({ context }: Snapshot): boolean =>
    context.outgoing.some((send) => send.recipient.conversationId === conversationId && isOnItsWay(send))
