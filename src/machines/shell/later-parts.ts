import type { AnyActorLogic } from 'xstate'
import { assign, enqueueActions, fromPromise, sendTo, setup } from 'xstate'
import type { CommentsRequested } from '../../domain/list/comment-news.ts'
import type { Sender } from '../../domain/list/new-messages.ts'
import { offers } from '../../domain/session/features.ts'
import type { MessageChange, StateReport } from '../../domain/shell/changes.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import type { Feature } from '../../schemas/feature.ts'
import type { Message } from '../../schemas/message.ts'
import type { SavedNotificationSettings } from '../../schemas/notification-settings.ts'
import { mustBeProvided } from '../must-be-provided.ts'

/** The events that the session forwards to the parts. */
export type LaterPartsEvent =
  | { type: 'conversation.opened'; id: string }
  | { type: 'conversation.closed' }
  | { type: 'conversation.gone'; id: string }
  | { type: 'reply.typed'; text: string }
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  | { type: 'messages.fetched'; messages: readonly Message[] }
  | { type: 'message.sent'; conversationId: string; message: Message }
  | { type: 'messages.announced'; senders: readonly Sender[] }
  | { type: 'states.changed'; changes: readonly StateReport[] }
  | { type: 'settings.saved'; saved: SavedNotificationSettings }
  | { type: 'refetch.requested' }
  | { type: 'resync.requested' }
  | CommentsRequested
  | { type: 'tab.shown' }
  | { type: 'tab.hidden' }
  | { type: 'browser.online' }

export type LaterPart =
  | 'colleagues'
  | 'replyHelp'
  | 'summaryCheck'
  | 'notifications'
  | 'around'
  | 'clientSuggestions'
  | 'attachedFiles'
  | 'answers'

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
  /** The comments that a notification asked for last. Those asked for before the code that opens them arrived are opened then. */
  request: CommentsRequested | null
}

/** The input of a part. */
export type LaterPartInput = Facts & { userId: string }

/** The features of the API that need the part. */
const featuresOf: Readonly<Record<LaterPart, readonly Feature[]>> = {
  colleagues: ['authors', 'presence', 'notes', 'labels', 'saved-filters', 'outstanding', 'client-changes', 'comments'],
  replyHelp: ['saved-replies', 'faq-matching', 'reactions'],
  summaryCheck: ['summaries'],
  notifications: ['notifications'],
  around: ['search'],
  clientSuggestions: ['client-suggestions'],
  attachedFiles: ['files'],
  answers: ['comments'],
}

/** Starts a child with any logic, because XState types `spawnChild` by the logics in `setup`. */
type SpawnAny = (logic: AnyActorLogic, options: { id: string; systemId: string; input: LaterPartInput }) => void

/** Loads and starts one part, and forwards these events to it. */
const loadingOf = <Forwarded extends LaterPartsEvent['type']>(part: LaterPart, forwarded: readonly Forwarded[]) => ({
  initial: 'notOffered' as const,
  states: {
    notOffered: { always: { guard: { type: 'is offered' as const, params: { part } }, target: 'loading' as const } },
    loading: {
      invoke: {
        id: `load.${part}`,
        src: 'loadPart' as const,
        input: { part },
        onDone: {
          target: 'running' as const,
          actions: {
            type: 'start the part' as const,
            params: ({ event }: { event: { output: AnyActorLogic } }) => ({ part, logic: event.output }),
          },
        },
        // The screen does not show the elements that need this code.
        onError: 'failed' as const,
      },
    },
    failed: { after: { reloadDelay: 'loading' as const } },
    running: {
      on: Object.fromEntries(
        forwarded.map((type) => [type, { actions: { type: 'forward' as const, params: { part } } }]),
      ) as Record<Forwarded, { actions: { type: 'forward'; params: { part: LaterPart } } }>,
    },
  },
})

/**
 * Loads the parts that the first rows do not need, independently of each other. A part is loaded if the API offers one of its
 * features.
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
      featuresOf[part].some((feature) => offers(user, feature)),
  },
  actions: {
    forward: sendTo(
      (_, { part }: { part: LaterPart }) => part,
      ({ event }) => event,
    ),
    'keep the facts': assign((_, facts: Partial<Context>) => facts),
    'start the part': enqueueActions(
      ({ context, enqueue }, { part, logic }: { part: LaterPart; logic: AnyActorLogic }) => {
        const { typed, request, ...facts } = context
        const spawn = enqueue.spawnChild as unknown as SpawnAny
        spawn(logic, { id: part, systemId: part, input: { ...facts, userId: facts.user.id } })
        if (part !== 'colleagues') return
        // Without it, an answer of a colleague to a draft would not be noticed until the draft is edited.
        if (typed !== '') enqueue.sendTo(part, { type: 'reply.typed', text: typed })
        if (request !== null) enqueue.sendTo(part, request)
      },
    ),
  },
}).createMachine({
  id: 'laterParts',
  type: 'parallel',
  context: ({ input }) => ({ ...input, id: null, isHidden: false, typed: '', request: null }),
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
        'comments.requested': { actions: { type: 'keep the facts', params: ({ event: request }) => ({ request }) } },
        'tab.shown': { actions: { type: 'keep the facts', params: { isHidden: false } } },
        'tab.hidden': { actions: { type: 'keep the facts', params: { isHidden: true } } },
        'user.confirmed': { actions: { type: 'keep the facts', params: ({ event: { user } }) => ({ user }) } },
      },
    },
    colleagues: loadingOf('colleagues', [
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
    ]),
    replyHelp: loadingOf('replyHelp', ['message.sent']),
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
