import { type ActorRefFrom, type AnyActorRef, assign, fromPromise, not, sendTo, setup } from 'xstate'
import { Failure } from '../../domain/failure.ts'
import { limits } from '../../domain/limits.ts'
import { type Outgoing, type OutgoingStatus, ownPsid } from '../../domain/send/outgoing.ts'
import type { BestPage, PageIdentity, SendAnswer, SendOrder } from '../../domain/send/send-calls.ts'
import { wasRefused } from '../../domain/send/send-outcome.ts'
import { sendToasts } from '../../domain/send/toasts.ts'
import type { ThreadRequest } from '../../domain/thread/thread-calls.ts'
import { generalToasts } from '../../domain/toasts.ts'
import type { Message } from '../../schemas/message.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { failureText, notifyFailure } from '../notify-failure.ts'
import { notify } from '../system.ts'

/** The reports of a flow to the outbox that spawned it. */
export type SendFlowReport =
  | { type: 'flow.progressed'; outgoing: Outgoing }
  | { type: 'flow.sent'; outgoing: Outgoing; answer: SendAnswer }
  /** The newest messages of the thread, fetched to check whether this message arrived. */
  | { type: 'flow.checked'; messages: readonly Message[] }
  /** The page cannot send, or cannot send to this person, so the shown page and route may be stale. */
  | { type: 'flow.pageRefused' }

export type SendFlowEvent =
  /** A row that matches this message. Without `settles` it is only a match by text and time. */
  | { type: 'echo.seen'; messageId: string; createdAt: string; settles: boolean }
  | { type: 'send.retried' }
  | { type: 'check.requested' }
  | { type: 'browser.online' }

type Input = {
  outgoing: Outgoing
  /** Returns milliseconds. Default: `Date.now`. */
  now?: () => number
}
type Context = {
  outgoing: Outgoing
  now: () => number
  checks: number
  /** An earlier attempt was sent, and its result is unknown. */
  hasUnknownResult: boolean
  /** The server may have stored the key with this page and psid. It then refuses the key for any other address. */
  isAddressStored: boolean
  answer: SendAnswer
}

const checksBeforeStop = 4

/** The outbox. Without a parent the flow sends events to itself and ignores them. */
const owner = ({ self }: { self: AnyActorRef }): AnyActorRef => self._parent ?? self

/** Retries with the same key and page. Offline, only shows a toast. */
const retrying = [
  { guard: 'isOnline' as const, target: 'sending' as const, actions: 'forget the failure' as const },
  { actions: { type: 'notify' as const, params: generalToasts.network } },
]

export const sendFlowMachine = setup({
  types: {
    context: {} as Context,
    input: {} as Input,
    events: {} as SendFlowEvent,
  },
  actors: {
    findBestPage: fromPromise<Pick<BestPage, 'pageId'>, { userId: string }>(mustBeProvided('findBestPage')),
    findIdentity: fromPromise<Pick<PageIdentity, 'psid'>, { userId: string; pageId: string }>(
      mustBeProvided('findIdentity'),
    ),
    sendMessage: fromPromise<SendAnswer, SendOrder>(mustBeProvided('sendMessage')),
    findNewest: fromPromise<readonly Message[], ThreadRequest>(mustBeProvided('findNewest')),
  },
  delays: {
    lookupTimeout: limits.apiTimeout,
    /** Milliseconds. Longer than the client's own timeout. */
    sendTimeout: limits.apiTimeout + 5_000,
    checkDelay: ({ context }) => 2_000 * 2 ** context.checks,
  },
  guards: {
    isOnline: () => true,
    'is offline': not('isOnline'),
    'is unconfirmed': ({ context }) => context.outgoing.status === 'unconfirmed',
    'has failed': ({ context }) => context.outgoing.status === 'failed',
    'was waiting': ({ context }) => context.outgoing.status === 'waiting',
    'has page and psid': ({ context }) => context.outgoing.pageId !== null && context.outgoing.psid !== null,
    'a page was chosen': ({ context }) => context.outgoing.chosenPageId !== null,
    'the conversation has a page': ({ context }) => context.outgoing.recipient.pages.length > 0,
    'has a psid of that page': ({ context }) => ownPsid(context.outgoing.recipient, context.outgoing.pageId) !== null,
    'the page was refused': (_, { error }: { error: unknown }) =>
      error instanceof Failure && (error.code === 'NETWORK_190' || error.code === 'PAGE_TOKEN_UNREADABLE'),
    /** The server refused the address before it stored the key: the page is inactive, or does not know the person. */
    'the address was refused': ({ context }, { error }: { error: unknown }) =>
      !context.isAddressStored &&
      error instanceof Failure &&
      (error.code === 'PAGE_INACTIVE' || error.code === 'RECIPIENT_UNKNOWN'),
    'has an unknown result': ({ context }) => context.hasUnknownResult,
    'was refused': (_, { error }: { error: unknown }) => wasRefused(error),
    settles: (_, { settles }: { settles: boolean }) => settles,
    'is a text match': (_, { settles }: { settles: boolean }) => !settles,
    'has checks left': ({ context }) => context.checks < checksBeforeStop,
  },
  actions: {
    notify,
    'notify failure': notifyFailure,
    'report the progress': sendTo(
      owner,
      ({ context }): SendFlowReport => ({ type: 'flow.progressed', outgoing: context.outgoing }),
    ),
    'report that it was sent': sendTo(
      owner,
      ({ context }): SendFlowReport => ({ type: 'flow.sent', outgoing: context.outgoing, answer: context.answer }),
    ),
    'report the found messages': sendTo(
      owner,
      (_, { messages }: { messages: readonly Message[] }): SendFlowReport => ({ type: 'flow.checked', messages }),
    ),
    'report the refused page': sendTo(owner, { type: 'flow.pageRefused' } satisfies SendFlowReport),
    'set the status': assign({
      outgoing: ({ context }, { status }: { status: OutgoingStatus }) => ({
        ...context.outgoing,
        status,
        echoId: null,
      }),
    }),
    'mark the result unknown': assign({ hasUnknownResult: true }),
    'mark the address as stored': assign({ isAddressStored: true }),
    'forget the failure': assign({ outgoing: ({ context }) => ({ ...context.outgoing, failure: null }) }),
    'use the chosen page': assign({
      outgoing: ({ context }) => ({ ...context.outgoing, pageId: context.outgoing.chosenPageId }),
    }),
    'use the best page': assign({
      outgoing: ({ context }, { pageId }: { pageId: string }) => ({ ...context.outgoing, pageId }),
    }),
    'use the first page': assign({
      outgoing: ({ context }) => ({ ...context.outgoing, pageId: context.outgoing.recipient.pages[0]?.id ?? null }),
    }),
    'use the psid': assign({
      outgoing: ({ context }, { psid }: { psid: string }) => ({ ...context.outgoing, psid }),
    }),
    'use the psid of the conversation': assign({
      outgoing: ({ context }) => ({
        ...context.outgoing,
        psid: ownPsid(context.outgoing.recipient, context.outgoing.pageId),
      }),
    }),
    'store the time of the request': assign({
      outgoing: ({ context }) => ({
        ...context.outgoing,
        status: 'pending' as const,
        leftAt: new Date(context.now()).toISOString(),
        echoId: null,
      }),
    }),
    'store the error': assign({
      outgoing: ({ context }, { error }: { error: unknown }) => ({
        ...context.outgoing,
        failure: failureText({ error, own: sendToasts.failed }) ?? sendToasts.failed.text,
      }),
    }),
    'store the failure': assign({
      outgoing: ({ context }, { text }: { text: string }) => ({ ...context.outgoing, failure: text }),
    }),
    /** No message was delivered to the address. The next attempt looks up the page and psid again. */
    'forget the address': assign({
      outgoing: ({ context }) => ({ ...context.outgoing, pageId: null, psid: null, leftAt: null }),
    }),
    'forget an unused address': assign({
      outgoing: ({ context: { outgoing } }) =>
        outgoing.leftAt === null ? { ...outgoing, pageId: null, psid: null } : outgoing,
    }),
    'store the echo': assign({
      outgoing: ({ context }, { messageId }: { messageId: string }) => ({ ...context.outgoing, echoId: messageId }),
    }),
    'store the result': assign({
      answer: (_, { messageId, createdAt }: SendAnswer) => ({ messageId, createdAt }),
    }),
    'reset the checks': assign({ checks: 0 }),
    'count the check': assign({ checks: ({ context }) => context.checks + 1 }),
  },
}).createMachine({
  id: 'sendFlow',
  context: ({ input }) => ({
    outgoing: input.outgoing,
    now: input.now ?? Date.now,
    checks: 0,
    hasUnknownResult: false,
    isAddressStored: input.outgoing.leftAt !== null && input.outgoing.pageId !== null,
    answer: { messageId: null, createdAt: null },
  }),
  initial: 'resuming',
  on: {
    'echo.seen': {
      guard: { type: 'settles', params: ({ event }) => event },
      target: '.sent',
      actions: { type: 'store the result', params: ({ event }) => event },
    },
  },
  states: {
    resuming: {
      always: [
        { guard: 'is unconfirmed', target: 'unconfirmed.checking' },
        { guard: 'has failed', target: 'failed' },
        { guard: 'was waiting', target: 'waiting' },
        { target: 'choosingPage' },
      ],
    },
    choosingPage: {
      entry: ['forget the failure', { type: 'set the status', params: { status: 'pending' } }, 'report the progress'],
      always: [
        { guard: 'is offline', target: 'offline', actions: 'forget an unused address' },
        { guard: 'has page and psid', target: 'sending' },
        { guard: 'a page was chosen', target: 'findingIdentity', actions: 'use the chosen page' },
        { target: 'findingPage' },
      ],
    },
    findingPage: {
      invoke: {
        id: 'findBestPage',
        src: 'findBestPage',
        input: ({ context }) => ({ userId: context.outgoing.recipient.conversationId }),
        onDone: {
          target: 'findingIdentity',
          actions: { type: 'use the best page', params: ({ event }) => ({ pageId: event.output.pageId }) },
        },
        onError: 'fallingBackToFirstPage',
      },
      after: { lookupTimeout: 'fallingBackToFirstPage' },
    },
    fallingBackToFirstPage: {
      always: [
        { guard: 'the conversation has a page', target: 'findingIdentity', actions: 'use the first page' },
        {
          target: 'failed',
          actions: [
            { type: 'store the failure', params: sendToasts.noPage },
            { type: 'notify', params: sendToasts.noPage },
          ],
        },
      ],
    },
    findingIdentity: {
      invoke: {
        id: 'findIdentity',
        src: 'findIdentity',
        input: ({ context }) => ({
          userId: context.outgoing.recipient.conversationId,
          pageId: context.outgoing.pageId ?? '',
        }),
        onDone: {
          target: 'ready',
          actions: { type: 'use the psid', params: ({ event }) => ({ psid: event.output.psid }) },
        },
        onError: 'fallingBackToOwnPsid',
      },
      after: { lookupTimeout: 'fallingBackToOwnPsid' },
    },
    fallingBackToOwnPsid: {
      always: [
        { guard: 'has a psid of that page', target: 'ready', actions: 'use the psid of the conversation' },
        {
          target: 'failed',
          actions: [
            'forget the address',
            { type: 'store the failure', params: sendToasts.noIdentity },
            { type: 'notify', params: sendToasts.noIdentity },
          ],
        },
      ],
    },
    ready: {
      always: [{ guard: 'is offline', target: 'offline', actions: 'forget the address' }, { target: 'sending' }],
    },
    sending: {
      entry: ['store the time of the request', 'report the progress'],
      invoke: {
        id: 'sendMessage',
        src: 'sendMessage',
        input: ({ context }) => ({
          key: context.outgoing.key,
          pageId: context.outgoing.pageId ?? '',
          psid: context.outgoing.psid ?? '',
          text: context.outgoing.text,
          ...(context.outgoing.file === null ? {} : { fileId: context.outgoing.file.id }),
          ...(context.outgoing.replyTo === undefined ? {} : { replyTo: context.outgoing.replyTo.message_id }),
          ...(context.outgoing.structured === null ? {} : { structured: context.outgoing.structured }),
        }),
        onDone: { target: 'sent', actions: { type: 'store the result', params: ({ event }) => event.output } },
        onError: [
          {
            guard: { type: 'the address was refused', params: ({ event }) => ({ error: event.error }) },
            target: 'refused',
            actions: [
              { type: 'store the error', params: ({ event }) => ({ error: event.error }) },
              { type: 'notify failure', params: ({ event }) => ({ error: event.error, own: sendToasts.failed }) },
              'forget the address',
              'report the refused page',
            ],
          },
          {
            guard: { type: 'the page was refused', params: ({ event }) => ({ error: event.error }) },
            target: 'refused',
            actions: [
              { type: 'store the error', params: ({ event }) => ({ error: event.error }) },
              { type: 'notify failure', params: ({ event }) => ({ error: event.error, own: sendToasts.failed }) },
              'mark the address as stored',
              'report the refused page',
            ],
          },
          {
            guard: { type: 'was refused', params: ({ event }) => ({ error: event.error }) },
            target: 'refused',
            actions: [
              { type: 'store the error', params: ({ event }) => ({ error: event.error }) },
              { type: 'notify failure', params: ({ event }) => ({ error: event.error, own: sendToasts.failed }) },
              'mark the address as stored',
            ],
          },
          {
            target: 'unconfirmed',
            actions: [
              { type: 'store the error', params: ({ event }) => ({ error: event.error }) },
              { type: 'notify failure', params: ({ event }) => ({ error: event.error, own: sendToasts.failed }) },
            ],
          },
        ],
      },
      after: {
        sendTimeout: { target: 'unconfirmed', actions: { type: 'store the failure', params: sendToasts.failed } },
      },
      on: {
        'echo.seen': {
          guard: { type: 'is a text match', params: ({ event }) => event },
          actions: [{ type: 'store the echo', params: ({ event }) => event }, 'report the progress'],
        },
      },
    },
    /** A refusal does not prove that an earlier attempt with an unknown result failed. */
    refused: { always: [{ guard: 'has an unknown result', target: 'unconfirmed' }, { target: 'failed' }] },
    unconfirmed: {
      entry: [
        'mark the result unknown',
        'mark the address as stored',
        'reset the checks',
        { type: 'set the status', params: { status: 'unconfirmed' } },
        'report the progress',
      ],
      initial: 'pausing',
      states: {
        checking: {
          invoke: {
            id: 'findNewest',
            src: 'findNewest',
            input: ({ context }) => ({
              conversationId: context.outgoing.recipient.conversationId,
              pageId: context.outgoing.pageId,
            }),
            onDone: {
              target: 'checked',
              actions: { type: 'report the found messages', params: ({ event }) => ({ messages: event.output }) },
            },
            onError: 'checked',
          },
          after: { lookupTimeout: 'checked' },
        },
        checked: {
          entry: 'count the check',
          always: [{ guard: 'has checks left', target: 'pausing' }, { target: '#sendFlow.notFound' }],
        },
        pausing: { after: { checkDelay: 'checking' } },
      },
      on: {
        'check.requested': { target: '.checking', actions: 'reset the checks' },
        'send.retried': retrying,
      },
    },
    /** Left only by the person, a row with the key or the next resync. */
    notFound: {
      entry: [{ type: 'set the status', params: { status: 'notFound' } }, 'report the progress'],
      on: {
        'check.requested': 'unconfirmed.checking',
        'send.retried': retrying,
      },
    },
    offline: {
      entry: [{ type: 'set the status', params: { status: 'offline' } }, 'report the progress'],
      on: { 'browser.online': 'waiting', 'send.retried': 'choosingPage' },
    },
    waiting: {
      entry: [{ type: 'set the status', params: { status: 'waiting' } }, 'report the progress'],
      on: { 'send.retried': 'choosingPage' },
    },
    failed: {
      entry: [{ type: 'set the status', params: { status: 'failed' } }, 'report the progress'],
      on: { 'send.retried': 'choosingPage' },
    },
    sent: {
      type: 'final',
      entry: ['report that it was sent', { type: 'notify', params: sendToasts.sent }],
    },
  },
})

export type SendFlowRef = ActorRefFrom<typeof sendFlowMachine>
