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

/** What a flow tells the outbox that spawned it. */
export type SendFlowReport =
  | { type: 'flow.progressed'; outgoing: Outgoing }
  | { type: 'flow.sent'; outgoing: Outgoing; answer: SendAnswer }
  /** The thread's newest messages, fetched to find this one among them. */
  | { type: 'flow.looked'; messages: readonly Message[] }
  /** The page's token died: the page is to be shown so. */
  | { type: 'flow.pageRefused' }

export type SendFlowEvent =
  /** A row that is this message; one that does not settle it is a guess by text and time, heard live. */
  | { type: 'echo.seen'; messageId: string; createdAt: string; settles: boolean }
  | { type: 'send.retried' }
  | { type: 'look.requested' }
  | { type: 'browser.online' }

type Input = {
  outgoing: Outgoing
  /** Milliseconds; `Date.now` where it is left out. */
  now?: () => number
}
type Context = {
  outgoing: Outgoing
  now: () => number
  looks: number
  /** A try left and nobody knows what became of it. */
  wasLostSightOf: boolean
  answer: SendAnswer
}

const looksBeforeRest = 4

/** The outbox; a flow that runs alone tells itself, and ignores it. */
const owner = ({ self }: { self: AnyActorRef }): AnyActorRef => self._parent ?? self

/** Under the same key to the same page; without a connection nothing more can be known of it. */
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
    /** After the client's own time limit has passed without a word. */
    sendTimeout: limits.apiTimeout + 5_000,
    untilNextLook: ({ context }) => 2_000 * 2 ** context.looks,
  },
  guards: {
    isOnline: () => true,
    'is offline': not('isOnline'),
    'was left unconfirmed': ({ context }) => context.outgoing.status === 'unconfirmed',
    'has failed': ({ context }) => context.outgoing.status === 'failed',
    'was waiting': ({ context }) => context.outgoing.status === 'waiting',
    'has an address': ({ context }) => context.outgoing.pageId !== null && context.outgoing.psid !== null,
    'a page was chosen': ({ context }) => context.outgoing.chosenPageId !== null,
    'the conversation has a page': ({ context }) => context.outgoing.recipient.pages.length > 0,
    'has a psid of that page': ({ context }) => ownPsid(context.outgoing.recipient, context.outgoing.pageId) !== null,
    'the page was refused': (_, { error }: { error: unknown }) =>
      error instanceof Failure && (error.code === 'NETWORK_190' || error.code === 'PAGE_TOKEN_UNREADABLE'),
    'was lost sight of': ({ context }) => context.wasLostSightOf,
    'was refused': (_, { error }: { error: unknown }) => wasRefused(error),
    settles: (_, { settles }: { settles: boolean }) => settles,
    'is a guess': (_, { settles }: { settles: boolean }) => !settles,
    'may look again': ({ context }) => context.looks < looksBeforeRest,
  },
  actions: {
    notify,
    'notify failure': notifyFailure,
    report: sendTo(owner, ({ context }): SendFlowReport => ({ type: 'flow.progressed', outgoing: context.outgoing })),
    'report that it was sent': sendTo(
      owner,
      ({ context }): SendFlowReport => ({ type: 'flow.sent', outgoing: context.outgoing, answer: context.answer }),
    ),
    'report what was found': sendTo(
      owner,
      (_, { messages }: { messages: readonly Message[] }): SendFlowReport => ({ type: 'flow.looked', messages }),
    ),
    'report the page': sendTo(owner, { type: 'flow.pageRefused' } satisfies SendFlowReport),
    become: assign({
      outgoing: ({ context }, { status }: { status: OutgoingStatus }) => ({
        ...context.outgoing,
        status,
        echoId: null,
      }),
    }),
    'lose sight of it': assign({ wasLostSightOf: true }),
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
    'use its own psid': assign({
      outgoing: ({ context }) => ({
        ...context.outgoing,
        psid: ownPsid(context.outgoing.recipient, context.outgoing.pageId),
      }),
    }),
    'note the leaving': assign({
      outgoing: ({ context }) => ({
        ...context.outgoing,
        status: 'pending' as const,
        leftAt: new Date(context.now()).toISOString(),
        echoId: null,
      }),
    }),
    'note the error': assign({
      outgoing: ({ context }, { error }: { error: unknown }) => ({
        ...context.outgoing,
        failure: failureText({ error, own: sendToasts.failed }) ?? sendToasts.failed.text,
      }),
    }),
    'note the failure': assign({
      outgoing: ({ context }, { text }: { text: string }) => ({ ...context.outgoing, failure: text }),
    }),
    /** So that the next try looks for a page and a psid again. */
    'forget the address': assign({ outgoing: ({ context }) => ({ ...context.outgoing, pageId: null, psid: null }) }),
    'note the echo': assign({
      outgoing: ({ context }, { messageId }: { messageId: string }) => ({ ...context.outgoing, echoId: messageId }),
    }),
    'note the answer': assign({
      answer: (_, { messageId, createdAt }: SendAnswer) => ({ messageId, createdAt }),
    }),
    'start looking': assign({ looks: 0 }),
    'count the look': assign({ looks: ({ context }) => context.looks + 1 }),
  },
}).createMachine({
  id: 'sendFlow',
  context: ({ input }) => ({
    outgoing: input.outgoing,
    now: input.now ?? Date.now,
    looks: 0,
    wasLostSightOf: false,
    answer: { messageId: null, createdAt: null },
  }),
  initial: 'resuming',
  on: {
    'echo.seen': {
      guard: { type: 'settles', params: ({ event }) => event },
      target: '.sent',
      actions: { type: 'note the answer', params: ({ event }) => event },
    },
  },
  states: {
    resuming: {
      always: [
        { guard: 'was left unconfirmed', target: 'unconfirmed.looking' },
        { guard: 'has failed', target: 'failed' },
        { guard: 'was waiting', target: 'waiting' },
        { target: 'choosingPage' },
      ],
    },
    choosingPage: {
      entry: ['forget the failure', { type: 'become', params: { status: 'pending' } }, 'report'],
      always: [
        { guard: 'is offline', target: 'offline' },
        { guard: 'has an address', target: 'sending' },
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
            { type: 'note the failure', params: sendToasts.noPage },
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
        { guard: 'has a psid of that page', target: 'ready', actions: 'use its own psid' },
        {
          target: 'failed',
          actions: [
            'forget the address',
            { type: 'note the failure', params: sendToasts.noIdentity },
            { type: 'notify', params: sendToasts.noIdentity },
          ],
        },
      ],
    },
    ready: {
      always: [{ guard: 'is offline', target: 'offline', actions: 'forget the address' }, { target: 'sending' }],
    },
    sending: {
      entry: ['note the leaving', 'report'],
      invoke: {
        id: 'sendMessage',
        src: 'sendMessage',
        input: ({ context }) => ({
          key: context.outgoing.key,
          pageId: context.outgoing.pageId ?? '',
          psid: context.outgoing.psid ?? '',
          text: context.outgoing.text,
        }),
        onDone: { target: 'sent', actions: { type: 'note the answer', params: ({ event }) => event.output } },
        onError: [
          {
            guard: { type: 'the page was refused', params: ({ event }) => ({ error: event.error }) },
            target: 'refused',
            actions: [
              { type: 'note the error', params: ({ event }) => ({ error: event.error }) },
              { type: 'notify failure', params: ({ event }) => ({ error: event.error, own: sendToasts.failed }) },
              'report the page',
            ],
          },
          {
            guard: { type: 'was refused', params: ({ event }) => ({ error: event.error }) },
            target: 'refused',
            actions: [
              { type: 'note the error', params: ({ event }) => ({ error: event.error }) },
              { type: 'notify failure', params: ({ event }) => ({ error: event.error, own: sendToasts.failed }) },
            ],
          },
          {
            target: 'unconfirmed',
            actions: [
              { type: 'note the error', params: ({ event }) => ({ error: event.error }) },
              { type: 'notify failure', params: ({ event }) => ({ error: event.error, own: sendToasts.failed }) },
            ],
          },
        ],
      },
      after: {
        sendTimeout: { target: 'unconfirmed', actions: { type: 'note the failure', params: sendToasts.failed } },
      },
      on: {
        'echo.seen': {
          guard: { type: 'is a guess', params: ({ event }) => event },
          actions: [{ type: 'note the echo', params: ({ event }) => event }, 'report'],
        },
      },
    },
    /** A refusal says nothing of an earlier try that was lost sight of. */
    refused: { always: [{ guard: 'was lost sight of', target: 'unconfirmed' }, { target: 'failed' }] },
    unconfirmed: {
      entry: ['lose sight of it', 'start looking', { type: 'become', params: { status: 'unconfirmed' } }, 'report'],
      initial: 'pausing',
      states: {
        looking: {
          invoke: {
            id: 'findNewest',
            src: 'findNewest',
            input: ({ context }) => ({
              conversationId: context.outgoing.recipient.conversationId,
              pageId: context.outgoing.pageId,
            }),
            onDone: {
              target: 'looked',
              actions: { type: 'report what was found', params: ({ event }) => ({ messages: event.output }) },
            },
            onError: 'looked',
          },
          after: { lookupTimeout: 'looked' },
        },
        looked: {
          entry: 'count the look',
          always: [{ guard: 'may look again', target: 'pausing' }, { target: '#sendFlow.unfound' }],
        },
        pausing: { after: { untilNextLook: 'looking' } },
      },
      on: {
        'look.requested': { target: '.looking', actions: 'start looking' },
        'send.retried': retrying,
      },
    },
    /** Only the person, an echo or the next catch-up goes on from here; a guess is looked into. */
    unfound: {
      entry: [{ type: 'become', params: { status: 'unfound' } }, 'report'],
      on: {
        'echo.seen': { guard: { type: 'is a guess', params: ({ event }) => event }, target: 'unconfirmed' },
        'look.requested': 'unconfirmed.looking',
        'send.retried': retrying,
      },
    },
    offline: {
      entry: [{ type: 'become', params: { status: 'offline' } }, 'report'],
      on: { 'browser.online': 'waiting', 'send.retried': 'choosingPage' },
    },
    waiting: {
      entry: [{ type: 'become', params: { status: 'waiting' } }, 'report'],
      on: { 'send.retried': 'choosingPage' },
    },
    failed: {
      entry: [{ type: 'become', params: { status: 'failed' } }, 'report'],
      on: { 'send.retried': 'choosingPage' },
    },
    sent: {
      type: 'final',
      entry: ['report that it was sent', { type: 'notify', params: sendToasts.sent }],
    },
  },
})

export type SendFlowRef = ActorRefFrom<typeof sendFlowMachine>
