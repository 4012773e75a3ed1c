import { type ActorRefFrom, type AnyActorRef, assign, fromPromise, not, sendTo, setup } from 'xstate'
import { Failure } from '../domain/failure.ts'
import { limits } from '../domain/limits.ts'
import { type Outgoing, type OutgoingStatus, ownPsid } from '../domain/outgoing.ts'
import { wasRefused } from '../domain/send-outcome.ts'
import { generalToasts, sendToasts } from '../domain/toasts.ts'
import type { Message } from '../schemas/message.ts'
import { mustBeProvided } from './must-be-provided.ts'
import { failureText, notifyFailure } from './notify-failure.ts'
import { notify } from './system.ts'

/** What the server said of a message it took; an API that does not name the message leaves both out. */
export type SendAnswer = { messageId: string | null; createdAt: string | null }

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
  { guard: 'isOnline' as const, target: 'sending' as const, actions: 'forgetFailure' as const },
  { actions: { type: 'notify' as const, params: generalToasts.network } },
]

export const sendFlowMachine = setup({
  types: {
    context: {} as Context,
    input: {} as Input,
    events: {} as SendFlowEvent,
  },
  actors: {
    findBestPage: fromPromise<{ pageId: string }, { userId: string }>(mustBeProvided('findBestPage')),
    findIdentity: fromPromise<{ psid: string }, { userId: string; pageId: string }>(mustBeProvided('findIdentity')),
    sendMessage: fromPromise<SendAnswer, { key: string; pageId: string; psid: string; text: string }>(
      mustBeProvided('sendMessage'),
    ),
    findNewest: fromPromise<readonly Message[], { conversationId: string; pageId: string | null }>(
      mustBeProvided('findNewest'),
    ),
  },
  delays: {
    lookupTimeout: limits.apiTimeout,
    /** After the client's own time limit has passed without a word. */
    sendTimeout: limits.apiTimeout + 5_000,
    untilNextLook: ({ context }) => 2_000 * 2 ** context.looks,
  },
  guards: {
    isOnline: () => true,
    isOffline: not('isOnline'),
    wasLeftUnconfirmed: ({ context }) => context.outgoing.status === 'unconfirmed',
    wasFailed: ({ context }) => context.outgoing.status === 'failed',
    wasWaiting: ({ context }) => context.outgoing.status === 'waiting',
    hasAddress: ({ context }) => context.outgoing.pageId !== null && context.outgoing.psid !== null,
    pageWasChosen: ({ context }) => context.outgoing.chosenPageId !== null,
    conversationHasPage: ({ context }) => context.outgoing.recipient.pages.length > 0,
    psidIsThatPages: ({ context }) => ownPsid(context.outgoing.recipient, context.outgoing.pageId) !== null,
    pageWasRefused: (_, { error }: { error: unknown }) =>
      error instanceof Failure && (error.code === 'NETWORK_190' || error.code === 'PAGE_TOKEN_UNREADABLE'),
    wasLostSightOf: ({ context }) => context.wasLostSightOf,
    wasRefused: (_, { error }: { error: unknown }) => wasRefused(error),
    settles: (_, { settles }: { settles: boolean }) => settles,
    isGuess: (_, { settles }: { settles: boolean }) => !settles,
    mayLookAgain: ({ context }) => context.looks < looksBeforeRest,
  },
  actions: {
    notify,
    notifyFailure,
    report: sendTo(owner, ({ context }): SendFlowReport => ({ type: 'flow.progressed', outgoing: context.outgoing })),
    reportSent: sendTo(
      owner,
      ({ context }): SendFlowReport => ({ type: 'flow.sent', outgoing: context.outgoing, answer: context.answer }),
    ),
    reportLook: sendTo(
      owner,
      (_, { messages }: { messages: readonly Message[] }): SendFlowReport => ({ type: 'flow.looked', messages }),
    ),
    reportPage: sendTo(owner, { type: 'flow.pageRefused' } satisfies SendFlowReport),
    become: assign({
      outgoing: ({ context }, { status }: { status: OutgoingStatus }) => ({
        ...context.outgoing,
        status,
        echoId: null,
      }),
    }),
    loseSight: assign({ wasLostSightOf: true }),
    forgetFailure: assign({ outgoing: ({ context }) => ({ ...context.outgoing, failure: null }) }),
    useChosenPage: assign({
      outgoing: ({ context }) => ({ ...context.outgoing, pageId: context.outgoing.chosenPageId }),
    }),
    usePage: assign({
      outgoing: ({ context }, { pageId }: { pageId: string }) => ({ ...context.outgoing, pageId }),
    }),
    useFirstPage: assign({
      outgoing: ({ context }) => ({ ...context.outgoing, pageId: context.outgoing.recipient.pages[0]?.id ?? null }),
    }),
    usePsid: assign({
      outgoing: ({ context }, { psid }: { psid: string }) => ({ ...context.outgoing, psid }),
    }),
    useOwnPsid: assign({
      outgoing: ({ context }) => ({
        ...context.outgoing,
        psid: ownPsid(context.outgoing.recipient, context.outgoing.pageId),
      }),
    }),
    noteLeaving: assign({
      outgoing: ({ context }) => ({
        ...context.outgoing,
        status: 'pending' as const,
        leftAt: new Date(context.now()).toISOString(),
        echoId: null,
      }),
    }),
    noteError: assign({
      outgoing: ({ context }, { error }: { error: unknown }) => ({
        ...context.outgoing,
        failure: failureText({ error, own: sendToasts.failed }) ?? sendToasts.failed.text,
      }),
    }),
    noteFailure: assign({
      outgoing: ({ context }, { text }: { text: string }) => ({ ...context.outgoing, failure: text }),
    }),
    /** So that the next try looks for a page and a psid again. */
    forgetAddress: assign({ outgoing: ({ context }) => ({ ...context.outgoing, pageId: null, psid: null }) }),
    noteEcho: assign({
      outgoing: ({ context }, { messageId }: { messageId: string }) => ({ ...context.outgoing, echoId: messageId }),
    }),
    noteAnswer: assign({
      answer: (_, { messageId, createdAt }: SendAnswer) => ({ messageId, createdAt }),
    }),
    startLooking: assign({ looks: 0 }),
    countLook: assign({ looks: ({ context }) => context.looks + 1 }),
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
      actions: { type: 'noteAnswer', params: ({ event }) => event },
    },
  },
  states: {
    resuming: {
      always: [
        { guard: 'wasLeftUnconfirmed', target: 'unconfirmed.looking' },
        { guard: 'wasFailed', target: 'failed' },
        { guard: 'wasWaiting', target: 'waiting' },
        { target: 'choosingPage' },
      ],
    },
    choosingPage: {
      entry: ['forgetFailure', { type: 'become', params: { status: 'pending' } }, 'report'],
      always: [
        { guard: 'isOffline', target: 'offline' },
        { guard: 'hasAddress', target: 'sending' },
        { guard: 'pageWasChosen', target: 'findingIdentity', actions: 'useChosenPage' },
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
          actions: { type: 'usePage', params: ({ event }) => ({ pageId: event.output.pageId }) },
        },
        onError: 'fallingBackToFirstPage',
      },
      after: { lookupTimeout: 'fallingBackToFirstPage' },
    },
    fallingBackToFirstPage: {
      always: [
        { guard: 'conversationHasPage', target: 'findingIdentity', actions: 'useFirstPage' },
        {
          target: 'failed',
          actions: [
            { type: 'noteFailure', params: sendToasts.noPage },
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
          actions: { type: 'usePsid', params: ({ event }) => ({ psid: event.output.psid }) },
        },
        onError: 'fallingBackToOwnPsid',
      },
      after: { lookupTimeout: 'fallingBackToOwnPsid' },
    },
    fallingBackToOwnPsid: {
      always: [
        { guard: 'psidIsThatPages', target: 'ready', actions: 'useOwnPsid' },
        {
          target: 'failed',
          actions: [
            'forgetAddress',
            { type: 'noteFailure', params: sendToasts.noIdentity },
            { type: 'notify', params: sendToasts.noIdentity },
          ],
        },
      ],
    },
    ready: {
      always: [{ guard: 'isOffline', target: 'offline', actions: 'forgetAddress' }, { target: 'sending' }],
    },
    sending: {
      entry: ['noteLeaving', 'report'],
      invoke: {
        id: 'sendMessage',
        src: 'sendMessage',
        input: ({ context }) => ({
          key: context.outgoing.key,
          pageId: context.outgoing.pageId ?? '',
          psid: context.outgoing.psid ?? '',
          text: context.outgoing.text,
        }),
        onDone: { target: 'sent', actions: { type: 'noteAnswer', params: ({ event }) => event.output } },
        onError: [
          {
            guard: { type: 'pageWasRefused', params: ({ event }) => ({ error: event.error }) },
            target: 'refused',
            actions: [
              { type: 'noteError', params: ({ event }) => ({ error: event.error }) },
              { type: 'notifyFailure', params: ({ event }) => ({ error: event.error, own: sendToasts.failed }) },
              'reportPage',
            ],
          },
          {
            guard: { type: 'wasRefused', params: ({ event }) => ({ error: event.error }) },
            target: 'refused',
            actions: [
              { type: 'noteError', params: ({ event }) => ({ error: event.error }) },
              { type: 'notifyFailure', params: ({ event }) => ({ error: event.error, own: sendToasts.failed }) },
            ],
          },
          {
            target: 'unconfirmed',
            actions: [
              { type: 'noteError', params: ({ event }) => ({ error: event.error }) },
              { type: 'notifyFailure', params: ({ event }) => ({ error: event.error, own: sendToasts.failed }) },
            ],
          },
        ],
      },
      after: {
        sendTimeout: { target: 'unconfirmed', actions: { type: 'noteFailure', params: sendToasts.failed } },
      },
      on: {
        'echo.seen': {
          guard: { type: 'isGuess', params: ({ event }) => event },
          actions: [{ type: 'noteEcho', params: ({ event }) => event }, 'report'],
        },
      },
    },
    /** A refusal says nothing of an earlier try that was lost sight of. */
    refused: { always: [{ guard: 'wasLostSightOf', target: 'unconfirmed' }, { target: 'failed' }] },
    unconfirmed: {
      entry: ['loseSight', 'startLooking', { type: 'become', params: { status: 'unconfirmed' } }, 'report'],
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
              actions: { type: 'reportLook', params: ({ event }) => ({ messages: event.output }) },
            },
            onError: 'looked',
          },
          after: { lookupTimeout: 'looked' },
        },
        looked: {
          entry: 'countLook',
          always: [{ guard: 'mayLookAgain', target: 'pausing' }, { target: '#sendFlow.unfound' }],
        },
        pausing: { after: { untilNextLook: 'looking' } },
      },
      on: {
        'look.requested': { target: '.looking', actions: 'startLooking' },
        'send.retried': retrying,
      },
    },
    /** Only the person, an echo or the next catch-up goes on from here; a guess is looked into. */
    unfound: {
      entry: [{ type: 'become', params: { status: 'unfound' } }, 'report'],
      on: {
        'echo.seen': { guard: { type: 'isGuess', params: ({ event }) => event }, target: 'unconfirmed' },
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
      entry: ['reportSent', { type: 'notify', params: sendToasts.sent }],
    },
  },
})

export type SendFlowRef = ActorRefFrom<typeof sendFlowMachine>
