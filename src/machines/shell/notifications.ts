import { and, type SnapshotFrom } from 'xstate'
import { testNotice } from '../../domain/list/notices.ts'
import { noRetries } from '../../domain/retries.ts'
import { offers } from '../../domain/session/features.ts'
import type { StateReport } from '../../domain/shell/changes.ts'
import type { NotificationPermissionState } from '../../domain/shell/notification-calls.ts'
import type { NoteChange } from '../../domain/thread/colleague-calls.ts'
import { commentsTag } from '../../schemas/web-push.ts'
import { ifTemporary } from '../on-failure.ts'
import { type CommentsAnnounced, notificationsSetup } from './notifications-setup.ts'

const raisingForSnoozes = (isHere: boolean) => [
  {
    type: 'raise for ended snoozes' as const,
    params: ({ event }: { event: { changes: readonly StateReport[] } }) => ({ changes: event.changes, isHere }),
  },
  {
    type: 'remember the ended snoozes' as const,
    params: ({ event }: { event: { changes: readonly StateReport[] } }) => ({ changes: event.changes }),
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
 * Sounds and desktop notifications of new messages and comments, mentions and snoozes that have ended (feature
 * 'notifications'). All tabs of a person in a browser hear of them, and the one that leads raises them. Nothing is raised
 * before the settings are known, in quiet hours, and about the conversation that the person looks at.
 */
export const notificationsMachine = notificationsSetup.createMachine({
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
