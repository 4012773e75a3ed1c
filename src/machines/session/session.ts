import type { SnapshotFrom } from 'xstate'
import { newMessageToasts } from '../../domain/list/news.ts'
import { newKey } from '../../domain/new-key.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import { t } from '../../texts/list.ts'
import { relaying } from './session-relaying.ts'
import { selection } from './session-selection.ts'
import { sessionSetup } from './session-setup.ts'

/**
 * Everything that lives while somebody is signed in. It alone knows its children: they report to it, and it passes on
 * what the others need. Signing out stops it, and with it all of them.
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
    // First: the others read the records.
    {
      src: 'records',
      id: 'records',
      systemId: 'records',
      input: ({ context }) => ({ saved: context.saved?.conversations ?? [] }),
    },
    {
      src: 'conversations',
      id: 'conversations',
      systemId: 'conversations',
      input: ({ context }) => ({ saved: context.saved?.list }),
    },
    { src: 'stats', id: 'stats', systemId: 'stats' },
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
    { src: 'realtime', id: 'realtime', systemId: 'realtime' },
    { src: 'dialog', id: 'dialog', systemId: 'dialog' },
    {
      src: 'autoSync',
      id: 'autoSync',
      systemId: 'autoSync',
      input: ({ context }) => ({ now: context.now }),
    },
    { src: 'recentSync', id: 'recentSync', systemId: 'recentSync' },
    { src: 'conversationSync', id: 'conversationSync', systemId: 'conversationSync' },
    {
      src: 'pictureRenewal',
      id: 'pictureRenewal',
      systemId: 'pictureRenewal',
      input: ({ context }) => ({ now: context.now }),
    },
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
    /** The page of a client, which stands in a tab of its own. */
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
          invoke: {
            src: 'clientPage',
            id: 'clientPage',
            systemId: 'clientPage',
            input: ({ context }) => ({ clientId: context.clientId ?? '' }),
          },
        },
      },
    },
    /** The first news is told at once, what comes soon after it together. */
    announcing: {
      initial: 'idle',
      states: {
        idle: {
          always: [
            { guard: 'has only known senders to announce', target: 'throttled' },
            { guard: 'has senders to announce', target: 'learningNames' },
          ],
        },
        learningNames: { after: { nameLookupTimeout: 'throttled' } },
        throttled: {
          entry: [
            'name the senders',
            {
              type: 'notify all',
              params: ({ context }) => ({
                toasts: newMessageToasts(
                  context.senders.map(({ ids, name }) => ({
                    id: ids.find((id) => id != null) ?? '',
                    name: name ?? t('list.unknownUser'),
                  })),
                ),
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

/** The id of the open conversation as the URL has it; null where none is open. */
export const selectSelected = (snapshot: Snapshot): string | null => snapshot.context.selected

/** The page filter; null is All Pages. */
export const selectPageId = (snapshot: Snapshot): string | null => snapshot.context.pageId

export const selectConversations = (snapshot: Snapshot) => snapshot.children.conversations
export const selectPages = (snapshot: Snapshot) => snapshot.children.pages

/** The client of the page that is open; undefined while none is. */
export const selectClientPage = (snapshot: Snapshot) => snapshot.children.clientPage

/** The open conversation's thread; undefined while none is open. */
export const selectThread = (snapshot: Snapshot) => snapshot.children.thread
