import type { AnyActorRef, EventObject } from 'xstate'
import { assign, enqueueActions, fromCallback, setup } from 'xstate'
import { offers, offersOutstanding } from '../../domain/session/features.ts'
import { mayTry } from '../../domain/session/permissions.ts'
import type { ColleagueReport, ColleagueTable } from '../../domain/thread/colleague-calls.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import type { AnswersEvent } from '../comments/answers.ts'
import { type CommentCountEvent, commentCountMachine } from '../comments/comment-count.ts'
import { type CommentNewsEvent, commentNewsMachine } from '../comments/comment-news.ts'
import { type SavedFiltersEvent, savedFiltersMachine } from '../list/saved-filters.ts'
import { mustBeGiven } from '../must-be-provided.ts'
import { tellSession } from '../session-events.ts'
import type { LaterPartInput, LaterPartsEvent } from '../shell/later-parts.ts'
import type { NotificationsEvent } from '../shell/notifications-setup.ts'
import { createSendAction } from '../system.ts'
import { type CollisionEvent, collisionMachine } from './collision.ts'
import { type NotesEvent, notesMachine } from './notes.ts'
import { type PresenceEvent, presenceMachine } from './presence.ts'

type PartEvents = {
  presence: PresenceEvent
  notes: NotesEvent
  collision: CollisionEvent
  notifications: NotificationsEvent
  savedFilters: SavedFiltersEvent
  commentCount: CommentCountEvent
  commentNews: CommentNewsEvent
  answers: AnswersEvent
}

/** Sends events to the parts that run. `notifications` and `answers` load separately, and get events about notes and comments from here. */
const tellParts = createSendAction<Partial<PartEvents>>((events, { system }) =>
  Object.entries(events).flatMap(([id, event]) => {
    const part: AnyActorRef | undefined = system.get(id)
    return part === undefined ? [] : [{ to: part, event }]
  }),
)

type Context = LaterPartInput & { failures: number }

/** The realtime tables that the API offers. */
const tablesFor = (user: AuthUser): readonly ColleagueTable[] => [
  ...(offers(user, 'presence') ? (['presence'] as const) : []),
  ...(offers(user, 'notes') ? (['notes'] as const) : []),
  ...(offers(user, 'labels') ? (['labels', 'client_labels'] as const) : []),
  ...(offers(user, 'saved-filters') ? (['saved_filter_versions'] as const) : []),
  ...(offers(user, 'comments') ? (['comment_threads'] as const) : []),
  ...(watchesClients(user) ? (['client_changes'] as const) : []),
]

/** The open pane of a client and the amounts in the list are fetched again after changes of clients, orders and payments. */
const watchesClients = (user: AuthUser): boolean =>
  ((offers(user, 'csv-import') || offers(user, 'client-changes')) && mayTry(user, 'clients.read')) ||
  offersOutstanding(user)

/**
 * Presence, notes, collisions, saved filters, the number of comments without an answer and news of comments, with the
 * channel that reports their changes and those of labels, clients and comments. A lost channel is opened again. Without
 * the channel the parts are correct, but slower.
 */
export const colleaguesMachine = setup({
  types: {
    context: {} as Context,
    events: {} as LaterPartsEvent | ColleagueReport,
    input: {} as LaterPartInput,
  },
  actors: {
    presence: presenceMachine,
    notes: notesMachine,
    collision: collisionMachine,
    savedFilters: savedFiltersMachine,
    commentCount: commentCountMachine,
    commentNews: commentNewsMachine,
    /** Sends `ColleagueReport`s. */
    watchColleagues: fromCallback<EventObject, { tables: readonly ColleagueTable[] }>(mustBeGiven('watchColleagues')),
  },
  delays: {
    /** Milliseconds: 2 s, doubling to 30 s. */
    rejoinDelay: ({ context }) => Math.min(30_000, 1_000 * 2 ** context.failures),
  },
  guards: {
    'has a channel': ({ context: { user } }) => tablesFor(user).length > 0,
    'was lost': ({ context }) => context.failures > 0,
    'is the own change': ({ context }, { staffId }: { staffId: string }) => staffId === context.userId,
  },
  actions: {
    tellSession,
    'tell the parts': tellParts,
    'start the parts': enqueueActions(({ context: { user, id, isHidden, newKey, now }, enqueue }) => {
      const userId = user.id
      if (offers(user, 'presence'))
        enqueue.spawnChild('presence', {
          id: 'presence',
          systemId: 'presence',
          input: { userId, tab: newKey(), id, isHidden, now },
        })
      if (offers(user, 'notes'))
        enqueue.spawnChild('notes', { id: 'notes', systemId: 'notes', input: { userId, id, newKey } })
      if (offers(user, 'authors'))
        enqueue.spawnChild('collision', { id: 'collision', systemId: 'collision', input: { userId, id } })
      if (offers(user, 'saved-filters'))
        enqueue.spawnChild('savedFilters', { id: 'savedFilters', systemId: 'savedFilters' })
      if (offers(user, 'comments')) {
        enqueue.spawnChild('commentCount', { id: 'commentCount', systemId: 'commentCount' })
        enqueue.spawnChild('commentNews', { id: 'commentNews', systemId: 'commentNews', input: { isHidden } })
      }
    }),
    'count the failure': assign({ failures: ({ context }) => context.failures + 1 }),
    'reset the failure count': assign({ failures: 0 }),
  },
}).createMachine({
  id: 'colleagues',
  context: ({ input }) => ({ ...input, failures: 0 }),
  entry: 'start the parts',
  on: {
    'conversation.opened': {
      actions: {
        type: 'tell the parts',
        params: ({ event }) => ({ presence: event, notes: event, collision: event }),
      },
    },
    'conversation.closed': {
      actions: {
        type: 'tell the parts',
        params: ({ event }) => ({ presence: event, notes: event, collision: event }),
      },
    },
    'conversation.gone': { actions: { type: 'tell the parts', params: ({ event }) => ({ notes: event }) } },
    'reply.typed': {
      actions: { type: 'tell the parts', params: ({ event }) => ({ presence: event, collision: event }) },
    },
    'messages.changed': {
      actions: { type: 'tell the parts', params: ({ event }) => ({ collision: event }) },
    },
    'messages.fetched': { actions: { type: 'tell the parts', params: ({ event }) => ({ collision: event }) } },
    'refetch.requested': {
      actions: {
        type: 'tell the parts',
        params: ({ event }) => ({ notes: event, savedFilters: event, commentCount: event }),
      },
    },
    'comments.requested': { actions: { type: 'tell the parts', params: ({ event }) => ({ commentNews: event }) } },
    'tab.shown': {
      actions: { type: 'tell the parts', params: ({ event }) => ({ presence: event, commentNews: event }) },
    },
    'tab.hidden': {
      actions: { type: 'tell the parts', params: ({ event }) => ({ presence: event, commentNews: event }) },
    },
    'presence.changed': { actions: { type: 'tell the parts', params: ({ event }) => ({ presence: event }) } },
    'label.changed': { actions: { type: 'tellSession', params: { type: 'labels.invalidated' } } },
    'clientLabels.changed': {
      actions: {
        type: 'tellSession',
        params: ({ event: { clientId, labels } }) => ({ type: 'clientLabels.told', clientId, labels }),
      },
    },
    'clientData.changed': { actions: { type: 'tellSession', params: ({ event }) => event } },
    'comments.changed': {
      actions: [
        {
          type: 'tell the parts',
          params: ({ event }) => ({ commentCount: event, answers: event, commentNews: event, notifications: event }),
        },
        { type: 'tellSession', params: ({ event }) => event },
      ],
    },
    'savedFilters.changed': {
      guard: { type: 'is the own change', params: ({ event }) => event },
      actions: { type: 'tell the parts', params: ({ event }) => ({ savedFilters: event }) },
    },
    'note.changed': {
      actions: { type: 'tell the parts', params: ({ event }) => ({ notes: event, notifications: event }) },
    },
  },
  initial: 'alone',
  states: {
    alone: { always: { guard: 'has a channel', target: 'watching' } },
    watching: {
      invoke: {
        id: 'watchColleagues',
        src: 'watchColleagues',
        input: ({ context: { user } }) => ({ tables: tablesFor(user) }),
      },
      on: {
        'channel.joined': [
          {
            guard: 'was lost',
            actions: [
              'reset the failure count',
              {
                type: 'tell the parts',
                params: ({ event }) => ({
                  notes: event,
                  savedFilters: { type: 'savedFilters.changed', version: null },
                  commentCount: { type: 'comments.changed', thread: null },
                }),
              },
              { type: 'tellSession', params: { type: 'labels.invalidated' } },
              { type: 'tellSession', params: { type: 'clientData.changed', clientIds: null } },
              { type: 'tellSession', params: { type: 'comments.changed', thread: null } },
            ],
          },
          { actions: { type: 'tell the parts', params: ({ event }) => ({ notes: event }) } },
        ],
        'channel.lost': { target: 'lost', actions: 'count the failure' },
      },
    },
    lost: { after: { rejoinDelay: 'watching' } },
  },
})
