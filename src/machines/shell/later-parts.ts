import type { AnyActorLogic } from 'xstate'
import { assign, fromPromise, sendTo, setup } from 'xstate'
import type { CommentsRequested } from '../../domain/list/comment-news.ts'
import type { Sender } from '../../domain/list/new-messages.ts'
import { offers } from '../../domain/session/features.ts'
import type { MessageChange, StateReport, UserChange } from '../../domain/shell/changes.ts'
import type { PrefetchRequested } from '../../domain/thread/prefetch-requested.ts'
import { generalToasts } from '../../domain/toasts.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import type { Feature } from '../../schemas/feature.ts'
import type { Message } from '../../schemas/message.ts'
import type { SavedNotificationSettings } from '../../schemas/notification-settings.ts'
import type { StateChangesEvent } from '../list/state-changes.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { createSendAction, toast } from '../system.ts'

/** The events that the session forwards to the parts. */
export type LaterPartsEvent =
  | { type: 'conversation.opened'; id: string }
  | { type: 'conversation.closed' }
  | { type: 'conversation.gone'; id: string }
  | { type: 'reply.typed'; text: string }
  | PrefetchRequested
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  | { type: 'users.changed'; changes: readonly UserChange[] }
  | { type: 'messages.fetched'; messages: readonly Message[] }
  | { type: 'message.sent'; conversationId: string; message: Message }
  | { type: 'messages.announced'; senders: readonly Sender[] }
  | { type: 'states.changed'; changes: readonly StateReport[] }
  | { type: 'settings.saved'; saved: SavedNotificationSettings }
  | { type: 'refetch.requested' }
  | { type: 'resync.requested' }
  /** All machines have caught up. */
  | { type: 'resync.done' }
  | KeptRequest
  | { type: 'tab.shown' }
  | { type: 'tab.hidden' }
  | { type: 'browser.online' }

/** What a person asks for. A part gets the requests that came before its code. */
type KeptRequest = CommentsRequested | StateChangesEvent

export type LaterPart =
  | 'colleagues'
  | 'replyHelp'
  | 'stateChanges'
  | 'summaryCheck'
  | 'notifications'
  | 'around'
  | 'clientSuggestions'
  | 'attachedFiles'
  | 'answers'
  | 'pictureRenewal'
  | 'messagePrefetch'
  | 'goneConversations'

type Facts = {
  user: AuthUser
  /** The open conversation; null if none is open. */
  id: string | null
  isHidden: boolean
  newKey: () => string
  now: () => number
}

type Context = Facts & {
  /** The text in the composer of the open conversation. */
  typed: string
  /** The requests for parts that do not run yet, oldest first. */
  requests: readonly Kept[]
}

type Kept = { part: LaterPart; request: KeptRequest }

/** The input of a part. */
export type LaterPartInput = Facts & { userId: string }

/** The features of the API that need the part; null if the part needs none. */
const featuresOf: Readonly<Record<LaterPart, readonly Feature[] | null>> = {
  colleagues: ['authors', 'presence', 'notes', 'labels', 'saved-filters', 'outstanding', 'client-changes', 'comments'],
  replyHelp: ['saved-replies', 'faq-matching', 'reactions'],
  stateChanges: ['conversation-states', 'labels'],
  summaryCheck: ['summaries'],
  notifications: ['notifications'],
  around: ['search'],
  clientSuggestions: ['client-suggestions'],
  attachedFiles: ['files'],
  answers: ['comments'],
  pictureRenewal: null,
  messagePrefetch: null,
  goneConversations: null,
}

/** Starts a child with any logic, because XState types `spawn` by the logics in `setup`. */
type SpawnAny = (logic: AnyActorLogic, options: { id: string; systemId: string; input: LaterPartInput }) => void

const requestsOfStates = ['change.requested', 'undo.requested'] as const

/** Comments are opened one at a time, so a later request takes the place of an earlier one. */
function withRequest(requests: readonly Kept[], kept: Kept): Kept[] {
  const isReplaced = ({ request: { type } }: Kept) => type === 'comments.requested' && type === kept.request.type
  return [...requests.filter((earlier) => !isReplaced(earlier)), kept]
}

const keepFor = (part: LaterPart) => ({
  type: 'keep the request' as const,
  params: ({ event }: { event: LaterPartsEvent | { type: 'user.confirmed' } }) => ({
    part,
    request: event as KeptRequest,
  }),
})

/** What came before the code of a part. */
type Before = { part: LaterPart; text: string; requests: readonly KeptRequest[] }

const beforeCodeOf =
  (part: LaterPart) =>
  ({ context }: { context: Context }): Before => ({
    part,
    // Without the text, an answer of a colleague to a draft would not be noticed until the draft is edited.
    text: part === 'colleagues' ? context.typed : '',
    requests: context.requests.flatMap((kept) => (kept.part === part ? [kept.request] : [])),
  })

const keeping = <Type extends KeptRequest['type'], Transition>(kept: readonly Type[], transition: Transition) =>
  Object.fromEntries(kept.map((type) => [type, transition])) as Record<Type, Transition>

/** Sends what came before its code to a part that has started. */
const passOn = createSendAction<Before>(({ part, text, requests }, { system, self }) => {
  const to = system.get(part) ?? self
  const events = text === '' ? requests : [{ type: 'reply.typed', text }, ...requests]
  return events.map((event) => ({ to, event }))
})

/** Tells the person that requests could not be met. */
const tellOfLostRequests = createSendAction<Before>(({ requests }, sender) =>
  requests.length > 0 ? [toast(sender, generalToasts.network)] : [],
)

/**
 * Loads and starts one part, and forwards these events to it. Requests of the types `kept` wait for the code. If the code
 * does not arrive, the person is told, and the next request loads it again.
 */
const loadingOf = <Forwarded extends LaterPartsEvent['type'], Type extends KeptRequest['type'] = never>(
  part: LaterPart,
  forwarded: readonly Forwarded[],
  kept: readonly Type[] = [],
) => ({
  initial: 'notOffered' as const,
  states: {
    notOffered: { always: { guard: { type: 'is offered' as const, params: { part } }, target: 'loading' as const } },
    loading: {
      on: keeping(kept, { actions: keepFor(part) }),
      invoke: {
        id: `load.${part}`,
        src: 'loadPart' as const,
        input: { part },
        onDone: {
          target: 'running' as const,
          actions: [
            {
              type: 'start the part' as const,
              params: ({ event }: { event: { output: AnyActorLogic } }) => ({ part, logic: event.output }),
            },
            { type: 'pass on what came before' as const, params: beforeCodeOf(part) },
            { type: 'forget the requests' as const, params: { part } },
          ],
        },
        // The screen does not show the elements that need this code, so only a lost request is told.
        onError: {
          target: 'failed' as const,
          actions: [
            { type: 'tell of lost requests' as const, params: beforeCodeOf(part) },
            { type: 'forget the requests' as const, params: { part } },
          ],
        },
      },
    },
    failed: {
      on: keeping(kept, { target: 'loading' as const, actions: keepFor(part) }),
      after: { reloadDelay: 'loading' as const },
    },
    running: {
      on: Object.fromEntries(
        forwarded.map((type) => [type, { actions: { type: 'forward' as const, params: { part } } }]),
      ) as Record<Forwarded, { actions: { type: 'forward'; params: { part: LaterPart } } }>,
    },
  },
})

/**
 * Loads the parts that the first rows do not need, independently of each other. A part is loaded if the API offers one of its
 * features, or if it needs none.
 */
export const laterPartsMachine = setup({
  types: {
    context: {} as Context,
    events: {} as LaterPartsEvent | { type: 'user.confirmed'; user: AuthUser },
    input: {} as Pick<Context, 'user' | 'newKey' | 'now'>,
  },
  actors: { loadPart: fromPromise<AnyActorLogic, { part: LaterPart }>(mustBeProvided('loadPart')) },
  delays: { reloadDelay: 30_000 },
  guards: {
    'is offered': ({ context: { user } }, { part }: { part: LaterPart }) =>
      featuresOf[part]?.some((feature) => offers(user, feature)) ?? true,
  },
  actions: {
    forward: sendTo(
      (_, { part }: { part: LaterPart }) => part,
      ({ event }) => event,
    ),
    'keep the facts': assign((_, facts: Partial<Context>) => facts),
    'keep the request': assign({ requests: ({ context }, kept: Kept) => withRequest(context.requests, kept) }),
    'forget the requests': assign({
      requests: ({ context }, { part }: { part: LaterPart }) => context.requests.filter((kept) => kept.part !== part),
    }),
    'pass on what came before': passOn,
    'tell of lost requests': tellOfLostRequests,
    'start the part': assign(
      (
        { context: { typed: _typed, requests: _requests, ...facts }, spawn },
        { part, logic }: { part: LaterPart; logic: AnyActorLogic },
      ) => {
        const spawnAny = spawn as unknown as SpawnAny
        spawnAny(logic, { id: part, systemId: part, input: { ...facts, userId: facts.user.id } })
        return {}
      },
    ),
  },
}).createMachine({
  id: 'laterParts',
  type: 'parallel',
  context: ({ input }) => ({ ...input, id: null, isHidden: false, typed: '', requests: [] }),
  states: {
    /**
     * What a part is told when it starts. A state of its own, because an event that a running part takes reaches no `on` of the
     * root.
     */
    facts: {
      on: {
        'conversation.opened': { actions: { type: 'keep the facts', params: ({ event: { id } }) => ({ id }) } },
        'conversation.closed': { actions: { type: 'keep the facts', params: { id: null, typed: '' } } },
        'reply.typed': { actions: { type: 'keep the facts', params: ({ event: { text: typed } }) => ({ typed }) } },
        'tab.shown': { actions: { type: 'keep the facts', params: { isHidden: false } } },
        'tab.hidden': { actions: { type: 'keep the facts', params: { isHidden: true } } },
        'user.confirmed': { actions: { type: 'keep the facts', params: ({ event: { user } }) => ({ user }) } },
      },
    },
    colleagues: loadingOf(
      'colleagues',
      [
        'conversation.opened',
        'conversation.closed',
        'conversation.gone',
        'reply.typed',
        'messages.changed',
        'messages.fetched',
        'refetch.requested',
        'comments.requested',
        'tab.shown',
        'tab.hidden',
      ],
      ['comments.requested'],
    ),
    replyHelp: loadingOf('replyHelp', ['message.sent']),
    stateChanges: loadingOf('stateChanges', requestsOfStates, requestsOfStates),
    summaryCheck: loadingOf('summaryCheck', ['conversation.opened', 'conversation.closed']),
    around: loadingOf('around', [
      'conversation.opened',
      'conversation.closed',
      'messages.changed',
      'refetch.requested',
      'resync.requested',
    ]),
    // The view sends which conversation is open and has no client.
    clientSuggestions: loadingOf('clientSuggestions', []),
    attachedFiles: loadingOf('attachedFiles', ['conversation.gone']),
    answers: loadingOf('answers', ['browser.online']),
    // The views send which pictures are shown.
    pictureRenewal: loadingOf('pictureRenewal', []),
    messagePrefetch: loadingOf('messagePrefetch', [
      'prefetch.requested',
      'messages.changed',
      'users.changed',
      'conversation.gone',
      'refetch.requested',
      'resync.requested',
    ]),
    goneConversations: loadingOf('goneConversations', ['resync.done']),
    notifications: loadingOf('notifications', [
      'conversation.opened',
      'conversation.closed',
      'messages.changed',
      'messages.announced',
      'states.changed',
      'settings.saved',
      'refetch.requested',
      'tab.shown',
      'tab.hidden',
    ]),
  },
})
