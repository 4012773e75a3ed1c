import type { EventObject, SnapshotFrom } from 'xstate'
import { and, assign, fromCallback, fromPromise, raise, sendTo, setup, stateIn } from 'xstate'
import type { CommentsChanged } from '../../domain/comments/comment-calls.ts'
import type { CommentNews } from '../../domain/list/comment-news.ts'
import { nameOf } from '../../domain/list/conversation-text.ts'
import { lineOf, newMessagesIn, type Sender } from '../../domain/list/new-messages.ts'
import {
  commentNotices,
  defaultSettings,
  isWanted,
  mentionNotice,
  type Notice,
  newMessageNotices,
  returnedNotice,
  testNotice,
  wantsComments,
} from '../../domain/list/notices.ts'
import { idsOfMessage, isSameConversation, rowIdIn, rowIn } from '../../domain/list/records.ts'
import { noRetries, type Retries, retriesAfter } from '../../domain/retries.ts'
import { offers } from '../../domain/session/features.ts'
import type { MessageChange, StateReport } from '../../domain/shell/changes.ts'
import type { NotificationPermissionState, NotificationReport } from '../../domain/shell/notification-calls.ts'
import { isQuiet } from '../../domain/shell/quiet-hours.ts'
import type { NoteChange } from '../../domain/thread/colleague-calls.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import type { NotificationSettings, SavedNotificationSettings } from '../../schemas/notification-settings.ts'
import { commentsTag } from '../../schemas/web-push.ts'
import { recordsIn } from '../list/records.ts'
import { memberNameIn } from '../list/team.ts'
import { mustBeGiven, mustBeProvided } from '../must-be-provided.ts'
import { ifTemporary, isTemporary } from '../on-failure.ts'
import { tellSession } from '../session-events.ts'
import type { System } from '../system.ts'
import { type PushChanged, pushMachine } from './push.ts'

type Context = Retries & {
  userId: string
  /** The open conversation. */
  id: string | null
  isHidden: boolean
  /** Whether the API offers Web Push. */
  hasPush: boolean
  /** The service worker notifies this browser while its tabs are hidden. */
  isPushed: boolean
  /** Null until the first answer. */
  saved: SavedNotificationSettings | null
  /** When the last snooze ended of each conversation that was notified about, by id. */
  returned: Readonly<Record<string, string>>
  /** The threads of the last notification about many comments that still wait for an answer. */
  gathered: readonly string[]
  now: () => number
}

/** New comments. `isOpen`: this tab is visible and shows the thread. */
export type CommentsAnnounced = {
  type: 'comments.announced'
  news: readonly (CommentNews & { isOpen: boolean })[]
}

export type NotificationsEvent =
  | NotificationReport
  | PushChanged
  | { type: 'conversation.opened'; id: string }
  | { type: 'conversation.closed' }
  | { type: 'tab.shown' }
  | { type: 'tab.hidden' }
  /** The session has announced messages that the open thread does not show. The ids of the senders are conversations. */
  | { type: 'messages.announced'; senders: readonly Sender[] }
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  | { type: 'states.changed'; changes: readonly StateReport[] }
  | { type: 'note.changed'; change: NoteChange }
  | CommentsAnnounced
  | CommentsChanged
  | { type: 'refetch.requested' }
  /** The dialog has saved or received settings. */
  | { type: 'settings.saved'; saved: SavedNotificationSettings }
  | { type: 'permission.requested' }
  | { type: 'sound.tested' }
  | { type: 'notice.tested' }
  /** Raised by the machine itself. */
  | { type: 'notices.due'; notices: readonly Notice[] }

/** In milliseconds. An older end of a snooze is known from an earlier connection. */
const returnAge = 120_000

/** The saved settings, or those of a person who has saved none. Null until the answer of the server. */
const settingsOf = ({ saved }: Context): NotificationSettings | null =>
  saved === null ? null : (saved.settings ?? defaultSettings('UTC'))

const isOfOpen = (system: System, { id }: Context, other: string): boolean =>
  id !== null && isSameConversation(recordsIn(system), id, other)

/** The settings by which something may be raised now; null in quiet hours and while the settings are not known. */
function settingsNow(context: Context): NotificationSettings | null {
  const settings = settingsOf(context)
  return settings === null || isQuiet(settings.quiet, context.now()) ? null : settings
}

function noticesOfMessages(system: System, context: Context, senders: readonly Sender[]): Notice[] {
  const settings = settingsNow(context)
  if (settings === null) return []
  const records = recordsIn(system)
  const wanted = senders.flatMap((sender) => {
    if (!isWanted(settings, rowIn(records, [sender.id])?.state, context.userId)) return []
    return [{ ...sender, id: rowIdIn(records, [sender.id]) ?? sender.id }]
  })
  return newMessageNotices(wanted, settings.showsText)
}

/** The new messages of the open conversation. */
const sendersOfOpen = (system: System, context: Context, changes: readonly MessageChange[]): readonly Sender[] =>
  newMessagesIn(changes).flatMap((message) => {
    const records = recordsIn(system)
    const [id, row] = [rowIdIn(records, idsOfMessage(message)), rowIn(records, idsOfMessage(message))]
    if (row === null || id === null || !isOfOpen(system, context, id)) return []
    return [{ id, name: nameOf(row), line: lineOf(message) }]
  })

/** The conversations whose snooze ended by time just now, and that were not notified about. */
const endedSnoozes = ({ now, returned }: Context, changes: readonly StateReport[]) =>
  changes.flatMap(({ id, state, changedBy }) => {
    const at = state.returned_at
    const isNew = at !== null && now() - Date.parse(at) < returnAge && returned[id] !== at
    return isNew && changedBy === null ? [{ id, at, state }] : []
  })

/** `isHere`: the person looks at this tab. */
type Here = { isHere: boolean }

function noticesOfSnoozes(system: System, context: Context, { changes, isHere }: Changed & Here): Notice[] {
  const settings = settingsNow(context)
  if (settings === null) return []
  return endedSnoozes(context, changes).flatMap(({ id, state }) => {
    if (!isWanted(settings, state, context.userId) || (isHere && isOfOpen(system, context, id))) return []
    const row = rowIn(recordsIn(system), [id])
    return [returnedNotice(rowIdIn(recordsIn(system), [id]) ?? id, row && nameOf(row))]
  })
}

function noticesOfNote(system: System, context: Context, { change, isHere }: { change: NoteChange } & Here): Notice[] {
  const settings = settingsNow(context)
  if (settings === null || !settings.mentions || change.type === 'DELETE') return []
  const { staff_id, mentions, primary_user_id, text } = change.note
  if (staff_id === context.userId || !mentions.includes(context.userId)) return []
  if (isHere && isOfOpen(system, context, primary_user_id)) return []
  const id = rowIdIn(recordsIn(system), [primary_user_id]) ?? primary_user_id
  return [mentionNotice(id, memberNameIn(system, staff_id), text, settings.showsText)]
}

type AnnouncedHere = Pick<CommentsAnnounced, 'news'> & Here

const commentsElsewhere = ({ news, isHere }: AnnouncedHere) => news.filter(({ isOpen }) => !(isHere && isOpen))

function noticesOfComments(context: Context, announced: AnnouncedHere): Notice[] {
  const settings = settingsNow(context)
  if (settings === null || !wantsComments(settings)) return []
  return commentNotices(commentsElsewhere(announced), settings.showsText)
}

type Changed = { changes: readonly StateReport[] }

type Due = { notices: readonly Notice[] }

const due = (notices: readonly Notice[]) => ({ type: 'notices.due' as const, notices })

const raisingForSnoozes = (isHere: boolean) => [
  {
    type: 'raise for ended snoozes' as const,
    params: ({ event }: { event: Changed }) => ({ changes: event.changes, isHere }),
  },
  {
    type: 'remember the ended snoozes' as const,
    params: ({ event }: { event: Changed }) => ({ changes: event.changes }),
  },
]
const raisingForMention = (isHere: boolean) => ({
  type: 'raise for a mention' as const,
  params: ({ event }: { event: { change: NoteChange } }) => ({ change: event.change, isHere }),
})

const raisingForComments = (isHere: boolean) => {
  const params = ({ event }: { event: CommentsAnnounced }) => ({ news: event.news, isHere })
  return [
    { type: 'raise for comments' as const, params },
    { type: 'remember the gathered threads' as const, params },
  ]
}

/**
 * Sounds and desktop notifications of new messages and comments, mentions and snoozes that have ended (feature 'notifications'). All
 * tabs of a person in a browser hear of them, and the one that leads raises them. Nothing is raised before the settings
 * are known, in quiet hours, and about the conversation that the person looks at.
 */
export const notificationsMachine = setup({
  types: {
    context: {} as Context,
    events: {} as NotificationsEvent,
    input: {} as { user: AuthUser; userId: string; id: string | null; isHidden: boolean; now: () => number },
  },
  actors: {
    loadSettings: fromPromise<SavedNotificationSettings>(mustBeProvided('loadSettings')),
    requestPermission: fromPromise<NotificationPermissionState>(mustBeProvided('requestPermission')),
    /** Sends `NotificationReport`s. */
    push: pushMachine,
    watchBrowser: fromCallback<EventObject, { userId: string }>(mustBeGiven('watchBrowser')),
  },
  delays: { retryDelay: ({ context }) => context.retryDelay },
  guards: {
    'is temporary': isTemporary,
    is: (_, { is, permission }: { is: NotificationPermissionState; permission: NotificationPermissionState }) =>
      is === permission,
    'needs no answer': (_, { thread }: CommentsChanged) => thread?.isWaiting === false,
    'is the last gathered one without an answer': ({ context: { gathered } }, { thread }: CommentsChanged) =>
      thread?.isWaiting === false && gathered.length > 0 && gathered.every((id) => id === thread.id),
    'is visible': ({ context }) => !context.isHidden,
    'wants a sound': ({ context }, { notices }: Due) => notices.length > 0 && settingsOf(context)?.sound === true,
    'wants a desktop notification': ({ context }, { notices }: Due) =>
      notices.length > 0 && settingsOf(context)?.desktop === true && !(context.isPushed && context.isHidden),
    'has push': ({ context }) => context.hasPush,
    'the person looks here': stateIn({ attention: 'here' }),
    'the person looks elsewhere': stateIn({ attention: 'away' }),
  },
  actions: {
    tellSession,
    'keep the settings': assign({
      saved: (_, { saved }: { saved: SavedNotificationSettings }) => saved,
      ...noRetries,
    }),
    'count the failure': assign(({ context }, { error }: { error: unknown }) => retriesAfter(context, error)),
    'keep the conversation': assign({ id: (_, { id }: { id: string | null }) => id }),
    'keep whether push is on': assign({ isPushed: (_, { isOn }: { isOn: boolean }) => isOn }),
    'tell push': sendTo('push', ({ event }) => event),
    'remember that the tab is hidden': assign({ isHidden: true }),
    'remember that the tab is visible': assign({ isHidden: false }),
    // While the tab is visible, the messages of the open conversation are raised as they arrive, or not at all.
    'raise for messages elsewhere': raise(({ context, system }, { senders }: { senders: readonly Sender[] }) => {
      const elsewhere = senders.filter(({ id }) => context.isHidden || !isOfOpen(system, context, id))
      return due(noticesOfMessages(system, context, elsewhere))
    }),
    'raise for messages of the open conversation': raise(
      ({ context, system }, { changes }: { changes: readonly MessageChange[] }) =>
        due(noticesOfMessages(system, context, sendersOfOpen(system, context, changes))),
    ),
    'raise for ended snoozes': raise(({ context, system }, params: Changed & Here) =>
      due(noticesOfSnoozes(system, context, params)),
    ),
    'remember the ended snoozes': assign({
      returned: ({ context }, { changes }: Changed) => {
        const ended = endedSnoozes(context, changes).map(({ id, at }) => [id, at] as const)
        if (ended.length === 0) return context.returned
        const kept = Object.entries(context.returned).filter(([, at]) => context.now() - Date.parse(at) < returnAge)
        return Object.fromEntries([...kept, ...ended])
      },
    }),
    'raise for a mention': raise(({ context, system }, params: { change: NoteChange } & Here) =>
      due(noticesOfNote(system, context, params)),
    ),
    'raise for comments': raise(({ context }, params: AnnouncedHere) => due(noticesOfComments(context, params))),
    'remember the gathered threads': assign({
      gathered: ({ context }, params: AnnouncedHere) =>
        noticesOfComments(context, params).some(({ tag }) => tag === commentsTag(null))
          ? commentsElsewhere(params).map(({ threadId }) => threadId)
          : context.gathered,
    }),
    'play the sound': mustBeGiven('play the sound') as () => void,
    'show the notices': mustBeGiven('show the notices') as (_: unknown, params: Due) => void,
    'close the notice': mustBeGiven('close the notice') as (_: unknown, params: { tag: string }) => void,
    'forget the gathered thread': assign({
      gathered: ({ context }, { thread }: CommentsChanged) => context.gathered.filter((id) => id !== thread?.id),
    }),
  },
}).createMachine({
  id: 'notifications',
  context: ({ input: { userId, id, isHidden, now, user } }) => ({
    userId,
    id,
    isHidden,
    now,
    hasPush: offers(user, 'web-push'),
    isPushed: false,
    saved: null,
    returned: {},
    gathered: [],
    ...noRetries,
  }),
  invoke: { id: 'watchBrowser', src: 'watchBrowser', input: ({ context }) => ({ userId: context.userId }) },
  type: 'parallel',
  on: {
    'conversation.closed': { actions: { type: 'keep the conversation', params: { id: null } } },
    'tab.shown': { actions: 'remember that the tab is visible' },
    'tab.hidden': { actions: 'remember that the tab is hidden' },
    'conversation.opened': {
      actions: [
        { type: 'keep the conversation', params: ({ event }) => event },
        { type: 'close the notice', params: ({ event }) => ({ tag: event.id }) },
      ],
    },
    'notice.clicked': {
      actions: {
        type: 'tellSession',
        params: ({ event }) => ({ type: 'conversation.requested', id: event.conversationId }),
      },
    },
    'notice.commentsClicked': {
      actions: {
        type: 'tellSession',
        params: ({ event }) => ({ type: 'comments.requested', threadId: event.threadId }),
      },
    },
    'comments.changed': [
      {
        guard: { type: 'is the last gathered one without an answer', params: ({ event }) => event },
        actions: [
          { type: 'close the notice', params: ({ event }) => ({ tag: commentsTag(event.thread?.id ?? null) }) },
          { type: 'close the notice', params: { tag: commentsTag(null) } },
          { type: 'forget the gathered thread', params: ({ event }) => event },
        ],
      },
      {
        guard: { type: 'needs no answer', params: ({ event }) => event },
        actions: [
          { type: 'close the notice', params: ({ event }) => ({ tag: commentsTag(event.thread?.id ?? null) }) },
          { type: 'forget the gathered thread', params: ({ event }) => event },
        ],
      },
    ],
  },
  states: {
    /** Whether the browser may show desktop notifications. */
    permission: {
      initial: 'unknown',
      on: {
        'permission.changed': [
          { guard: { type: 'is', params: ({ event }) => ({ ...event, is: 'granted' }) }, target: '.granted' },
          { guard: { type: 'is', params: ({ event }) => ({ ...event, is: 'denied' }) }, target: '.denied' },
          { guard: { type: 'is', params: ({ event }) => ({ ...event, is: 'undecided' }) }, target: '.undecided' },
          { target: '.unsupported' },
        ],
      },
      states: {
        unknown: {},
        undecided: { on: { 'permission.requested': 'asking' } },
        asking: {
          invoke: {
            id: 'requestPermission',
            src: 'requestPermission',
            onDone: [
              {
                guard: { type: 'is', params: ({ event }) => ({ is: 'granted', permission: event.output }) },
                target: 'granted',
              },
              {
                guard: { type: 'is', params: ({ event }) => ({ is: 'denied', permission: event.output }) },
                target: 'denied',
              },
              { target: 'undecided' },
            ],
            onError: 'undecided',
          },
        },
        granted: {
          on: {
            'notices.due': {
              guard: { type: 'wants a desktop notification', params: ({ event }) => event },
              actions: { type: 'show the notices', params: ({ event }) => event },
            },
            'notice.tested': {
              actions: { type: 'show the notices', params: () => ({ notices: [testNotice()] }) },
            },
          },
        },
        denied: {},
        unsupported: {},
      },
    },
    sound: {
      initial: 'ready',
      states: {
        ready: {
          on: {
            'notices.due': {
              guard: { type: 'wants a sound', params: ({ event }) => event },
              actions: 'play the sound',
            },
            'sound.tested': { actions: 'play the sound' },
          },
        },
      },
    },
    /** Whether the person looks at this tab. */
    attention: {
      initial: 'away',
      states: {
        away: { on: { 'window.focused': 'here' } },
        here: { on: { 'window.left': 'away' } },
      },
    },
    /** Notifications of this browser while the inbox is closed. */
    push: {
      initial: 'notOffered',
      states: {
        notOffered: { always: { guard: 'has push', target: 'offered' } },
        offered: {
          invoke: {
            id: 'push',
            src: 'push',
            systemId: 'push',
            input: ({ context: { userId, isHidden }, self }) => ({ userId, isHidden, parent: self }),
          },
          on: {
            'push.changed': { actions: { type: 'keep whether push is on', params: ({ event }) => event } },
            'permission.changed': { actions: 'tell push' },
            'tab.shown': { actions: ['remember that the tab is visible', 'tell push'] },
            'tab.hidden': { actions: ['remember that the tab is hidden', 'tell push'] },
          },
        },
      },
    },
    /** One tab of a person in a browser raises notifications. Only that tab needs the settings. */
    tab: {
      initial: 'following',
      states: {
        following: {
          on: {
            'lead.gained': 'leading',
            'settings.saved': { actions: { type: 'keep the settings', params: ({ event }) => event } },
          },
        },
        leading: {
          initial: 'loading',
          on: {
            'lead.lost': 'following',
            'refetch.requested': '.loading',
            'settings.saved': {
              target: '.loaded',
              actions: { type: 'keep the settings', params: ({ event }) => event },
            },
            'messages.announced': { actions: { type: 'raise for messages elsewhere', params: ({ event }) => event } },
            'messages.changed': {
              guard: and(['is visible', 'the person looks elsewhere']),
              actions: { type: 'raise for messages of the open conversation', params: ({ event }) => event },
            },
            'states.changed': [
              { guard: 'the person looks here', actions: raisingForSnoozes(true) },
              { actions: raisingForSnoozes(false) },
            ],
            'note.changed': [
              { guard: 'the person looks here', actions: raisingForMention(true) },
              { actions: raisingForMention(false) },
            ],
            'comments.announced': [
              { guard: 'the person looks here', actions: raisingForComments(true) },
              { actions: raisingForComments(false) },
            ],
          },
          states: {
            loading: {
              invoke: {
                id: 'loadSettings',
                src: 'loadSettings',
                onDone: {
                  target: 'loaded',
                  actions: { type: 'keep the settings', params: ({ event }) => ({ saved: event.output }) },
                },
                onError: [
                  {
                    guard: ifTemporary,
                    target: 'waiting',
                    actions: { type: 'count the failure', params: ({ event }) => ({ error: event.error }) },
                  },
                  { target: 'refused' },
                ],
              },
            },
            loaded: {},
            waiting: { after: { retryDelay: 'loading' } },
            refused: {},
          },
        },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof notificationsMachine>

/** Whether the browser may show desktop notifications, or is asking the person. */
export function selectPermission(snapshot: Snapshot): NotificationPermissionState | 'unknown' | 'asking' {
  return snapshot.value.permission
}
