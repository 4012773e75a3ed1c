import { assign, fromPromise, type SnapshotFrom, setup } from 'xstate'
import { limits } from '../../domain/limits.ts'
import { mayBeTemporary } from '../../domain/retries.ts'
import { ownPsid, type Recipient } from '../../domain/send/outgoing.ts'
import type { BestPage, PageIdentity } from '../../domain/send/send-calls.ts'
import type { SendRoute } from '../../domain/send/send-route.ts'
import type { MessageChange } from '../../domain/shell/changes.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import type { System } from '../system.ts'

type Asked = {
  recipient: Recipient
  /** The page that the person chose; null is Auto-select. */
  chosenPageId: string | null
}

type Changes = { changes: readonly MessageChange[] }

type Context = {
  asked: Asked | null
  /** The page whose identity is being looked up. */
  page: Pick<SendRoute, 'pageId' | 'reason'> | null
  /** The last route found. Kept until another route is found. */
  route: SendRoute | null
  /** The person's psid on the page of the route; null unless every required look-up succeeded. */
  psid: string | null
  /** The server answered that it knows no identity; otherwise the failed look-up had no usable answer. */
  hadAnswer: boolean
}

export type SendRouteEvent =
  | ({ type: 'route.requested' } & Asked)
  /** The last message of the conversation changed its page and identity. */
  | { type: 'recipient.changed'; recipient: Recipient }
  /** Changes of this conversation on all its pages. A delete names no conversation, so every delete is included. */
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  /** The route may be stale: messages may have been missed, or a page may be deleted, inactive or refused. */
  | { type: 'route.invalidated' }

const isSameConversation = (a: Recipient, b: Recipient): boolean =>
  a.conversationId === b.conversationId &&
  a.pages.length === b.pages.length &&
  a.pages.every(({ id }, index) => id === b.pages[index]?.id)

const isSameQuestion = (a: Asked | null, b: Asked): boolean =>
  a !== null && a.chosenPageId === b.chosenPageId && isSameConversation(a.recipient, b.recipient)

const mayChangeTheRoute = (route: Pick<SendRoute, 'pageId'> | null, change: MessageChange): boolean => {
  if (change.type === 'DELETE') return true
  return change.type === 'INSERT' && (change.record.direction === 'incoming' || change.record.page_id !== route?.pageId)
}

/** Looks up a stale route again. The old route stays on the screen until then, but no send uses it. */
const rechecking = {
  'messages.changed': {
    guard: { type: 'may change the route' as const, params: ({ event }: { event: Changes }) => event },
    target: 'debouncing' as const,
  },
  'route.invalidated': 'debouncing' as const,
}

/**
 * Looks up the send route before a message is sent (spec section 4, Sending). The route is shown. A send takes its page
 * and psid from here (`addressIn`) unless the route is stale. A failed look-up shows no toast: the screen shows the
 * fallback route, and the send looks up its own route.
 */
export const sendRouteMachine = setup({
  types: { context: {} as Context, events: {} as SendRouteEvent },
  actors: {
    findBestPage: fromPromise<BestPage, { userId: string }>(mustBeProvided('findBestPage')),
    findIdentity: fromPromise<PageIdentity, { userId: string; pageId: string }>(mustBeProvided('findIdentity')),
  },
  delays: { messagesDebounce: limits.statsRefreshDebounce },
  guards: {
    'may change the route': ({ context }, { changes }: Changes) =>
      changes.some((change) => mayChangeTheRoute(context.page, change)),
    'is another request': ({ context }, asked: Asked) => !isSameQuestion(context.asked, asked),
    'has no address': ({ context }, asked: Asked) => context.psid === null || !isSameQuestion(context.asked, asked),
    'is another conversation': ({ context: { asked } }, { recipient }: { recipient: Recipient }) =>
      asked !== null && !isSameConversation(asked.recipient, recipient),
    'a page was chosen': ({ context }) => context.asked?.chosenPageId != null,
    'has no identity': ({ context: { asked, route } }, { recipient }: { recipient: Recipient }) =>
      asked !== null && isSameConversation(asked.recipient, recipient) && route !== null && route.identity !== 'found',
    'the conversation has a page': ({ context }) => context.asked?.recipient.pages[0] !== undefined,
  },
  actions: {
    'keep the request': assign({ asked: (_, { recipient, chosenPageId }: Asked) => ({ recipient, chosenPageId }) }),
    'keep the recipient': assign({
      asked: ({ context: { asked } }, { recipient }: { recipient: Recipient }) => asked && { ...asked, recipient },
    }),
    'forget the route': assign({ route: null, psid: null }),
    'use the chosen page': assign({
      page: ({ context }) => ({ pageId: context.asked?.chosenPageId ?? '', reason: 'chosen' as const }),
    }),
    'use the best page': assign({ page: (_, { pageId, reason }: BestPage) => ({ pageId, reason }) }),
    'use the first page': assign({
      page: ({ context }) => ({ pageId: context.asked?.recipient.pages[0]?.id ?? '', reason: 'fallback' as const }),
    }),
    'store the route': assign({
      route: ({ context: { page } }, { platform }: PageIdentity): SendRoute | null =>
        page && { ...page, identity: 'found', platform },
      psid: ({ context: { page } }, { psid }) => (page?.reason === 'fallback' ? null : psid),
    }),
    'store whether there was an answer': assign({
      hadAnswer: (_, { error }: { error: unknown }) => !mayBeTemporary(error),
    }),
    'use the fallback identity': assign({
      route: ({ context: { page, asked, hadAnswer } }): SendRoute | null =>
        page && {
          ...page,
          identity: asked && ownPsid(asked.recipient, page.pageId) !== null ? 'own' : hadAnswer ? 'none' : 'unchecked',
          platform: null,
        },
      psid: null,
    }),
  },
}).createMachine({
  id: 'sendRoute',
  context: { asked: null, page: null, route: null, psid: null, hadAnswer: false },
  initial: 'idle',
  on: {
    'route.requested': {
      guard: { type: 'is another request', params: ({ event }) => event },
      target: '.choosingPage',
      actions: ['forget the route', { type: 'keep the request', params: ({ event }) => event }],
    },
    'recipient.changed': [
      {
        guard: { type: 'is another conversation', params: ({ event }) => event },
        target: '.choosingPage',
        actions: ['forget the route', { type: 'keep the recipient', params: ({ event }) => event }],
      },
      { actions: { type: 'keep the recipient', params: ({ event }) => event } },
    ],
  },
  states: {
    idle: {
      on: {
        'route.requested': {
          target: 'choosingPage',
          actions: ['forget the route', { type: 'keep the request', params: ({ event }) => event }],
        },
        'recipient.changed': { actions: { type: 'keep the recipient', params: ({ event }) => event } },
      },
    },
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
      on: rechecking,
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
        onError: {
          target: 'known',
          actions: [
            { type: 'store whether there was an answer', params: ({ event }) => event },
            'use the fallback identity',
          ],
        },
      },
      on: rechecking,
    },
    known: {
      on: {
        ...rechecking,
        'route.requested': {
          guard: { type: 'has no address', params: ({ event }) => event },
          target: 'choosingPage',
          actions: ['forget the route', { type: 'keep the request', params: ({ event }) => event }],
        },
        'recipient.changed': {
          guard: { type: 'has no identity', params: ({ event }) => event },
          actions: [{ type: 'keep the recipient', params: ({ event }) => event }, 'use the fallback identity'],
        },
      },
    },
    debouncing: { after: { messagesDebounce: 'choosingPage' } },
  },
})

type Snapshot = SnapshotFrom<typeof sendRouteMachine>

/** Null during the first look-up, or if there is no page. */
export const selectRoute = (snapshot: Snapshot): SendRoute | null => snapshot.context.route

/** The sending page, and the psid of the identity on that page. */
export type Address = { pageId: string; psid: string }

/**
 * The address of a message to the conversation from the chosen page (null is Auto-select), for use in the actions of
 * machines. Null if the looked-up route is for another conversation or page, or if the route is stale.
 */
export function addressIn(system: System, conversationId: string, chosenPageId: string | null): Address | null {
  const snapshot: Snapshot | undefined = system.get('sendRoute')?.getSnapshot()
  if (snapshot === undefined || !snapshot.matches('known')) return null
  const { asked, route, psid } = snapshot.context
  if (asked?.recipient.conversationId !== conversationId || asked.chosenPageId !== chosenPageId) return null
  return route === null || psid === null ? null : { pageId: route.pageId, psid }
}
