import { type ActorRefFrom, type AnyActorRef, assign, fromPromise, not, sendTo, setup } from 'xstate'
import { Failure } from '../../domain/failure.ts'
import { type Outgoing, type OutgoingStatus, ownPsid } from '../../domain/send/outgoing.ts'
import type { BestPage, PageIdentity, SendAnswer, SendOrder } from '../../domain/send/send-calls.ts'
import { sendToasts } from '../../domain/send/toasts.ts'
import type { ThreadRequest } from '../../domain/thread/thread-calls.ts'
import type { Message } from '../../schemas/message.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { failureText } from '../notify-failure.ts'
import {
  type AttemptEvent,
  type Attempts,
  heldStates,
  noAttempts,
  refused,
  sendingActions,
  sendingDelays,
  sendingGuards,
  unconfirmed,
} from '../sending.ts'

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
  { type: 'echo.seen'; messageId: string; createdAt: string; settles: boolean } | AttemptEvent

type Input = {
  outgoing: Outgoing
  /** Returns milliseconds. Default: `Date.now`. */
  now?: () => number
}
type Context = Attempts & {
  outgoing: Outgoing
  now: () => number
  /** The server may have stored the key with this page and psid. It then refuses the key for any other address. */
  isAddressStored: boolean
  answer: SendAnswer
}

/** The outbox. Without a parent the flow sends events to itself and ignores them. */
const owner = ({ self }: { self: AnyActorRef }): AnyActorRef => self._parent ?? self

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
  delays: sendingDelays,
  guards: {
    ...sendingGuards,
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
    settles: (_, { settles }: { settles: boolean }) => settles,
    'is a text match': (_, { settles }: { settles: boolean }) => !settles,
  },
  actions: {
    ...sendingActions,
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
        failure: null,
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
  },
}).createMachine({
  id: 'sendFlow',
  context: ({ input }) => ({
    outgoing: input.outgoing,
    now: input.now ?? Date.now,
    ...noAttempts,
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
    refused,
    unconfirmed: {
      entry: ['mark the address as stored', ...unconfirmed.entry],
      initial: unconfirmed.initial,
      states: {
        pausing: unconfirmed.pausing,
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
        checked: unconfirmed.checked('#sendFlow.notFound'),
      },
      on: unconfirmed.on,
    },
    ...heldStates('choosingPage'),
    sent: {
      type: 'final',
      entry: ['report that it was sent', { type: 'notify', params: sendToasts.sent }],
    },
  },
})

export type SendFlowRef = ActorRefFrom<typeof sendFlowMachine>
