import type { SnapshotFrom } from 'xstate'
import { firstView } from '../../domain/list/list-query.ts'
import { newMessageToasts } from '../../domain/list/new-messages.ts'
import { newKey } from '../../domain/new-key.ts'
import { offers } from '../../domain/session/features.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { recordsIn } from '../list/records.ts'
import { relaying } from './session-relaying.ts'
import { selection } from './session-selection.ts'
import { announcedSenders, idsToLookUp, sessionSetup } from './session-setup.ts'

type Found = { event: { output: { rows: readonly Conversation[]; asOf: number } } }

const takingOver = [
  { type: 'take over the found senders' as const, params: ({ event }: Found) => event.output },
  {
    type: 'tell' as const,
    params: ({ event }: Found) => ({ records: { type: 'conversations.lookedUp' as const, ...event.output } }),
  },
]

/**
 * The parent of all actors of a signed-in person. Only the session knows its children: they report to the session, and
 * the session forwards events to the others. A sign-out stops the session and its children.
 */
export const sessionMachine = sessionSetup.createMachine({
  id: 'session',
  context: ({ input }) => ({
    user: input.user,
    saved: input.saved ?? null,
    isConfirmed: input.isConfirmed ?? true,
    pageId: null,
    selected: null,
    clientId: null,
    awaiting: [],
    isHidden: false,
    senders: [],
    now: input.now ?? Date.now,
    newKey: input.newKey ?? newKey,
  }),
  invoke: [
    // The owners of records and clients start first, because the other children read them.
    {
      src: 'records',
      id: 'records',
      systemId: 'records',
      input: ({ context }) => ({ saved: context.saved?.conversations ?? [] }),
    },
    { src: 'clients', id: 'clients', systemId: 'clients' },
    {
      src: 'conversations',
      id: 'conversations',
      systemId: 'conversations',
      input: ({ context }) => ({
        saved: context.saved?.list,
        view: offers(context.user, 'conversation-states') ? firstView : undefined,
        userId: context.user.id,
        now: context.now,
      }),
    },
    {
      src: 'displayedList',
      id: 'displayedList',
      systemId: 'displayedList',
      input: ({ context }) => ({ now: context.now }),
    },
    { src: 'stats', id: 'stats', systemId: 'stats' },
    {
      src: 'team',
      id: 'team',
      systemId: 'team',
      input: ({ context }) => ({ user: context.user }),
    },
    {
      src: 'labels',
      id: 'labels',
      systemId: 'labels',
      input: ({ context }) => ({ user: context.user }),
    },
    {
      src: 'laterParts',
      id: 'laterParts',
      systemId: 'laterParts',
      input: ({ context: { user, newKey, now } }) => ({ user, newKey, now }),
    },
    { src: 'pages', id: 'pages', systemId: 'pages' },
    {
      src: 'outbox',
      id: 'outbox',
      systemId: 'outbox',
      input: ({ context }) => ({ staffId: context.user.id, newKey: context.newKey, now: context.now }),
    },
    {
      src: 'drafts',
      id: 'drafts',
      systemId: 'drafts',
      input: ({ context }) => ({ staffId: context.user.id, newKey: context.newKey }),
    },
    {
      src: 'draftSync',
      id: 'draftSync',
      systemId: 'draftSync',
      input: ({ context }) => ({ user: context.user }),
    },
    {
      src: 'realtime',
      id: 'realtime',
      systemId: 'realtime',
      input: ({ context }) => ({
        isConfirmed: context.isConfirmed,
        offersStates: offers(context.user, 'conversation-states'),
      }),
    },
    { src: 'dialog', id: 'dialog', systemId: 'dialog' },
    { src: 'signOut', id: 'signOut', systemId: 'signOut', input: ({ context }) => ({ staffId: context.user.id }) },
    {
      src: 'autoSync',
      id: 'autoSync',
      systemId: 'autoSync',
      input: ({ context }) => ({ now: context.now }),
    },
    { src: 'alarms', id: 'alarms', systemId: 'alarms', input: ({ context }) => ({ user: context.user }) },
    { src: 'recentSync', id: 'recentSync', systemId: 'recentSync' },
    { src: 'conversationSync', id: 'conversationSync', systemId: 'conversationSync' },
    { src: 'problemReport', id: 'problemReport', systemId: 'problemReport' },
    {
      src: 'deviceCache',
      id: 'deviceCache',
      systemId: 'deviceCache',
      input: ({ context }) => ({
        user: context.user,
        isConfirmed: context.isConfirmed,
        thread: context.saved?.thread ?? null,
      }),
    },
    { src: 'browser', id: 'browser' },
  ],
  type: 'parallel',
  states: {
    selection,
    /** The client page, which opens in a separate tab. */
    clientPage: {
      initial: 'none',
      on: {
        'client.opened': {
          target: '.open',
          actions: { type: 'open the client', params: ({ event }) => ({ id: event.id }) },
        },
        'client.left': { target: '.none', actions: 'close the client page' },
      },
      states: {
        none: {},
        open: {
          exit: { type: 'tell', params: { records: { type: 'conversations.held', from: 'clientPage', ids: [] } } },
          invoke: {
            src: 'clientPage',
            id: 'clientPage',
            systemId: 'clientPage',
            input: ({ context }) => ({ clientId: context.clientId ?? '' }),
          },
        },
      },
    },
    /** Announces the first new message at once, and messages within the next interval together. */
    announcing: {
      initial: 'idle',
      states: {
        idle: {
          always: [
            { guard: 'has only known senders to announce', target: 'throttled' },
            { guard: 'has senders to announce', target: 'waitingForNames' },
          ],
        },
        /** A sender whose name is not known is looked up: no row is loaded, or the person wrote for the first time. */
        waitingForNames: {
          initial: 'choosing',
          after: { nameLookupTimeout: 'throttled' },
          states: {
            choosing: { always: { guard: 'has few senders to look up', target: 'lookingUp' } },
            lookingUp: {
              invoke: {
                id: 'findSenders',
                src: 'findSenders',
                input: ({ context, self }) => ({
                  ids: idsToLookUp(context),
                  asOf: recordsIn(self.system).sequence,
                }),
                onDone: [
                  {
                    guard: { type: 'names every sender', params: ({ event }) => event.output },
                    target: '#session.announcing.throttled',
                    actions: takingOver,
                  },
                  { target: 'waiting', actions: takingOver },
                ],
                onError: 'waiting',
              },
            },
            waiting: { after: { nameLookupInterval: 'choosing' } },
          },
        },
        throttled: {
          entry: [
            'name the senders',
            {
              type: 'notify all',
              params: ({ context }) => ({ toasts: newMessageToasts(announcedSenders(context)) }),
            },
            {
              type: 'tell',
              params: ({ context }) => ({
                laterParts: { type: 'messages.announced', senders: announcedSenders(context) },
              }),
            },
            'forget the senders',
          ],
          after: { announceInterval: 'idle' },
        },
      },
    },
    relaying,
  },
})

type Snapshot = SnapshotFrom<typeof sessionMachine>

export const selectUser = (snapshot: Snapshot): AuthUser => snapshot.context.user

/** The id of the open conversation in the URL; null if none is open. */
export const selectSelected = (snapshot: Snapshot): string | null => snapshot.context.selected

/** The page filter; null is All Pages. */
export const selectPageId = (snapshot: Snapshot): string | null => snapshot.context.pageId

export const selectConversations = (snapshot: Snapshot) => snapshot.children.conversations
export const selectPages = (snapshot: Snapshot) => snapshot.children.pages

/** The open client page; undefined if none is open. */
export const selectClientPage = (snapshot: Snapshot) => snapshot.children.clientPage

/** The thread of the open conversation; undefined if none is open. */
export const selectThread = (snapshot: Snapshot) => snapshot.children.thread
