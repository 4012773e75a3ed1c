import { assign, fromPromise, type SnapshotFrom, setup } from 'xstate'
import { limits } from '../../domain/limits.ts'
import { ownPsid, type Recipient } from '../../domain/send/outgoing.ts'
import type { BestPage, PageIdentity } from '../../domain/send/send-calls.ts'
import type { SendRoute } from '../../domain/send/send-route.ts'
import type { MessageChange } from '../../domain/shell/changes.ts'
import { mustBeProvided } from '../must-be-provided.ts'

type Asked = {
  recipient: Recipient
  /** Null is Auto-select. */
  chosenPageId: string | null
}

type Context = {
  asked: Asked | null
  /** The page that is looked into. */
  page: Pick<SendRoute, 'pageId' | 'reason'> | null
  /** What was found last; it stands until something else is found. */
  route: SendRoute | null
}

export type SendRouteEvent =
  | ({ type: 'route.requested' } & Asked)
  /** The conversation's own page and identity follow its last message. */
  | { type: 'recipient.changed'; recipient: Recipient }
  /** Of this conversation alone. Where the person wrote, the best page may be another. */
  | { type: 'messages.changed'; changes: readonly MessageChange[] }

/**
 * Looks up, before anything is sent, which page and identity a message will go out by (spec section 4, Sending), the way
 * the send itself will. A look-up that fails is not told of: what is used instead is shown.
 */
export const sendRouteMachine = setup({
  types: { context: {} as Context, events: {} as SendRouteEvent },
  actors: {
    findBestPage: fromPromise<BestPage, { userId: string }>(mustBeProvided('findBestPage')),
    findIdentity: fromPromise<PageIdentity, { userId: string; pageId: string }>(mustBeProvided('findIdentity')),
  },
  delays: { messagesDebounce: limits.statsRefreshDebounce },
  guards: {
    'has an incoming message': (_, { changes }: { changes: readonly MessageChange[] }) =>
      changes.some((change) => change.type === 'INSERT' && change.record.direction === 'incoming'),
    'a page was chosen': ({ context }) => context.asked?.chosenPageId != null,
    'has no identity': ({ context }) => context.route !== null && context.route.identity !== 'found',
    'the conversation has a page': ({ context }) => context.asked?.recipient.pages[0] !== undefined,
  },
  actions: {
    keep: assign({ asked: (_, { recipient, chosenPageId }: Asked) => ({ recipient, chosenPageId }) }),
    'keep the recipient': assign({
      asked: ({ context: { asked } }, { recipient }: { recipient: Recipient }) => asked && { ...asked, recipient },
    }),
    forget: assign({ route: null }),
    'use the chosen page': assign({
      page: ({ context }) => ({ pageId: context.asked?.chosenPageId ?? '', reason: 'chosen' as const }),
    }),
    'use the best page': assign({ page: (_, { pageId, reason }: BestPage) => ({ pageId, reason }) }),
    'use the first page': assign({
      page: ({ context }) => ({ pageId: context.asked?.recipient.pages[0]?.id ?? '', reason: 'unasked' as const }),
    }),
    'store the route': assign({
      route: ({ context: { page } }, { platform }: PageIdentity): SendRoute | null =>
        page && { ...page, identity: 'found', platform },
    }),
    'use the fallback identity': assign({
      route: ({ context: { page, asked } }): SendRoute | null =>
        page && {
          ...page,
          identity: asked && ownPsid(asked.recipient, page.pageId) !== null ? 'own' : 'none',
          platform: null,
        },
    }),
  },
}).createMachine({
  id: 'sendRoute',
  context: { asked: null, page: null, route: null },
  initial: 'idle',
  on: {
    'route.requested': {
      target: '.choosingPage',
      actions: ['forget', { type: 'keep', params: ({ event }) => event }],
    },
    'recipient.changed': { actions: { type: 'keep the recipient', params: ({ event }) => event } },
  },
  states: {
    idle: {},
    choosingPage: {
      always: [
        { guard: 'a page was chosen', target: 'findingIdentity', actions: 'use the chosen page' },
        { target: 'findingPage' },
      ],
    },
    findingPage: {
      invoke: {
        id: 'findBestPage',
        src: 'findBestPage',
        input: ({ context }) => ({ userId: context.asked?.recipient.conversationId ?? '' }),
        onDone: {
          target: 'findingIdentity',
          actions: { type: 'use the best page', params: ({ event }) => event.output },
        },
        onError: [
          { guard: 'the conversation has a page', target: 'findingIdentity', actions: 'use the first page' },
          { target: 'idle' },
        ],
      },
      on: {
        'messages.changed': {
          guard: { type: 'has an incoming message', params: ({ event }) => event },
          target: 'debouncing',
        },
      },
    },
    findingIdentity: {
      invoke: {
        id: 'findIdentity',
        src: 'findIdentity',
        input: ({ context }) => ({
          userId: context.asked?.recipient.conversationId ?? '',
          pageId: context.page?.pageId ?? '',
        }),
        onDone: { target: 'known', actions: { type: 'store the route', params: ({ event }) => event.output } },
        onError: { target: 'known', actions: 'use the fallback identity' },
      },
      on: {
        'messages.changed': {
          guard: { type: 'has an incoming message', params: ({ event }) => event },
          target: 'debouncing',
        },
      },
    },
    known: {
      on: {
        'recipient.changed': {
          guard: 'has no identity',
          actions: [{ type: 'keep the recipient', params: ({ event }) => event }, 'use the fallback identity'],
        },
        'messages.changed': {
          guard: { type: 'has an incoming message', params: ({ event }) => event },
          target: 'debouncing',
        },
      },
    },
    debouncing: { after: { messagesDebounce: 'choosingPage' } },
  },
})

type Snapshot = SnapshotFrom<typeof sendRouteMachine>

/** Null while it is looked up for the first time, or where there is no page at all. */
export const selectRoute = (snapshot: Snapshot): SendRoute | null => snapshot.context.route
