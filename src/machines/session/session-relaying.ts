import { offers, offersOutstanding } from '../../domain/session/features.ts'
import { writtenBy } from '../../domain/thread/authors.ts'
import { sessionSetup } from './session-setup.ts'

/** The owners of typed texts remove those for the conversation. The next list lacks its row. */
const forget = (event: { type: 'conversation.gone'; id: string }) => ({
  outbox: event,
  drafts: event,
  laterParts: event,
})

/** Forwards reports and requests to the children that need them. */
export const relaying = sessionSetup.createStateConfig({
  on: {
    'user.confirmed': {
      actions: [
        {
          type: 'show the offered views',
          params: ({ event }) => ({ user: event.user }),
        },
        { type: 'store the confirmed user', params: ({ event }) => ({ user: event.user }) },
        {
          type: 'tell',
          params: ({ event }) => ({
            deviceCache: event,
            realtime: { type: 'user.confirmed', offersStates: offers(event.user, 'conversation-states') },
            thread: event,
            alarms: event,
            team: event,
            labels: event,
            draftSync: event,
            laterParts: event,
          }),
        },
      ],
    },
    'page.chosen': {
      actions: [
        { type: 'use page', params: ({ event }) => ({ pageId: event.pageId }) },
        { type: 'tell', params: ({ event }) => ({ records: event, conversations: event, stats: event }) },
      ],
    },
    'query.opened': {
      actions: { type: 'resolve the page of the query', params: ({ event }) => ({ query: event.query }) },
    },
    'query.resolved': {
      actions: [
        { type: 'use page', params: ({ event }) => ({ pageId: event.query.pageId }) },
        {
          type: 'tell',
          params: ({ event: { query } }) => ({
            records: { type: 'page.chosen', pageId: query.pageId },
            conversations: { type: 'query.opened', query },
            stats: { type: 'page.chosen', pageId: query.pageId },
          }),
        },
      ],
    },
    'change.requested': { actions: { type: 'tell', params: ({ event }) => ({ laterParts: event }) } },
    'undo.requested': { actions: { type: 'tell', params: ({ event }) => ({ laterParts: event }) } },
    'view.chosen': { actions: { type: 'tell', params: ({ event }) => ({ conversations: event }) } },
    'pages.loaded': {
      guard: { type: 'the chosen page is gone', params: ({ event }) => ({ pages: event.pages }) },
      actions: 'show all pages',
    },
    'labels.loaded': { actions: { type: 'tell', params: ({ event }) => ({ conversations: event }) } },
    'labels.invalidated': { actions: { type: 'tell', params: ({ event }) => ({ labels: event }) } },
    'labels.told': { actions: { type: 'tell', params: ({ event }) => ({ labels: event }) } },
    'clientLabels.told': { actions: { type: 'tell', params: ({ event }) => ({ clients: event }) } },
    'clientData.changed': {
      actions: {
        type: 'tell',
        params: ({ context: { user }, event }) => ({
          // After a lost channel the resync fetches the list.
          ...(offersOutstanding(user) && event.clientIds !== null && { conversations: event }),
          clientProfile: event,
          clientOrders: event,
          clientPage: event,
          dialog: event,
        }),
      },
    },
    'comments.changed': { actions: { type: 'tell', params: ({ event }) => ({ dialog: event }) } },
    'comments.requested': { actions: { type: 'tell', params: ({ event }) => ({ laterParts: event }) } },
    'refetch.requested': {
      actions: {
        type: 'tell',
        params: ({ event }) => ({
          conversations: event,
          stats: event,
          pages: event,
          autoSync: event,
          alarms: event,
          team: event,
          labels: event,
          laterParts: event,
          thread: { type: 'resync.requested' },
          clientProfile: event,
          clientOrders: event,
          clientPage: event,
        }),
      },
    },
    'pages.invalidated': {
      actions: {
        type: 'tell',
        params: ({ event }) => ({ pages: event, sendRoute: { type: 'route.invalidated' } }),
      },
    },
    'pages.changed': {
      actions: {
        type: 'tell',
        params: {
          pages: { type: 'pages.invalidated' },
          conversations: { type: 'list.invalidated' },
          thread: { type: 'resync.requested' },
          laterParts: { type: 'resync.requested' },
          stats: { type: 'stats.invalidated' },
        },
      },
    },
    'recentSync.requested': {
      actions: {
        type: 'tell',
        params: ({ context }) => ({ recentSync: { type: 'recentSync.requested', pageId: context.pageId } }),
      },
    },
    'autoSync.received': {
      actions: {
        type: 'tell',
        params: ({ event }) => ({ autoSync: { type: 'status.received', status: event.status } }),
      },
    },
    'autoSync.invalidated': { actions: { type: 'tell', params: { autoSync: { type: 'refetch.requested' } } } },
    // The change is shown at once, without waiting for realtime.
    'client.linked': {
      actions: [
        {
          type: 'tell',
          params: ({ event }) => {
            const changes = [{ type: 'UPDATE', row: { id: event.userId, client_id: event.clientId } }] as const
            return {
              clients: event,
              records: { type: 'users.changed', changes },
              conversations: { type: 'users.changed', changes },
            }
          },
        },
        { type: 'tell', params: { conversations: { type: 'list.invalidated' }, stats: { type: 'stats.invalidated' } } },
      ],
    },
    // As if realtime had reported the changes, without waiting for realtime.
    'chats.changed': {
      actions: [
        { type: 'report the moved chats', params: ({ event }) => event },
        {
          type: 'tell',
          params: ({ event: { unlinkedClient } }) => ({
            ...(unlinkedClient !== null && { clients: { type: 'client.unlinked', clientId: unlinkedClient } }),
            conversations: { type: 'list.invalidated' },
            stats: { type: 'stats.invalidated' },
          }),
        },
      ],
    },
    'person.erased': {
      actions: [
        { type: 'tell', params: ({ event }) => forget({ type: 'conversation.gone', id: event.conversationId }) },
        {
          type: 'tell',
          params: {
            conversations: { type: 'list.invalidated' },
            thread: { type: 'resync.requested' },
            stats: { type: 'stats.invalidated' },
          },
        },
      ],
    },
    'drafts.changed': { actions: { type: 'tell', params: ({ event }) => ({ draftSync: event }) } },
    'drafts.fetched': { actions: { type: 'tell', params: ({ event }) => ({ drafts: event }) } },
    'draft.saving': { actions: { type: 'tell', params: ({ event }) => ({ drafts: event }) } },
    'draft.answered': { actions: { type: 'tell', params: ({ event }) => ({ drafts: event }) } },
    'draft.refused': { actions: { type: 'tell', params: ({ event }) => ({ drafts: event }) } },
    'drafts.merged': { actions: { type: 'tell', params: ({ event }) => ({ draftSync: event }) } },
    'flush.requested': { actions: { type: 'tell', params: ({ event }) => ({ draftSync: event }) } },
    'drafts.flushed': { actions: { type: 'tell', params: ({ event }) => ({ signOut: event }) } },
    'conversation.selected': { actions: { type: 'tell', params: { draftSync: { type: 'drafts.invalidated' } } } },
    'conversation.pressed': {
      actions: {
        type: 'tell',
        params: ({ context: { pageId, selected }, event: { id } }) => ({
          laterParts: { type: 'prefetch.requested', id, pageId, openId: selected },
        }),
      },
    },
    'conversation.gone': { actions: { type: 'tell', params: ({ event }) => forget(event) } },
    'messages.changed': {
      actions: [
        { type: 'collect new message senders', params: ({ event }) => ({ changes: event.changes }) },
        {
          type: 'tell',
          params: ({ event }) => ({
            records: event,
            thread: event,
            outbox: event,
            conversations: event,
            stats: { type: 'unread.changed' },
            laterParts: event,
          }),
        },
      ],
    },
    'users.changed': {
      actions: [
        { type: 'check whether chats of the thread moved', params: ({ event }) => event },
        { type: 'tell', params: ({ event }) => ({ records: event, conversations: event, laterParts: event }) },
        { type: 'refetch the synced thread', params: ({ event }) => event },
      ],
    },
    'conversation.requested': { actions: { type: 'emit the requested conversation', params: ({ event }) => event } },
    'settings.saved': { actions: { type: 'tell', params: ({ event }) => ({ laterParts: event }) } },
    'states.changed': {
      actions: {
        type: 'tell',
        params: ({ event }) => ({
          records: event,
          conversations: { type: 'states.moved', ids: event.changes.map(({ id }) => id) },
          stats: { type: 'stats.invalidated' },
          laterParts: event,
        }),
      },
    },
    'states.expected': {
      actions: {
        type: 'tell',
        params: ({ event }) => ({ records: event, conversations: { type: 'states.moved', ids: event.ids } }),
      },
    },
    'states.settled': {
      actions: {
        type: 'tell',
        params: ({ event }) => ({
          records: event,
          conversations: { type: 'states.moved', ids: event.ids },
          stats: { type: 'stats.invalidated' },
        }),
      },
    },
    'conversations.unread': {
      actions: {
        type: 'tell',
        params: ({ event }) => ({
          records: event,
          conversations: { type: 'list.invalidated' },
          stats: { type: 'unread.changed' },
        }),
      },
    },
    'conversation.read': {
      actions: {
        type: 'tell',
        params: ({ event }) => ({ records: event, conversations: event, stats: { type: 'unread.changed' } }),
      },
    },
    'messages.fetched': { actions: { type: 'tell', params: ({ event }) => ({ outbox: event, laterParts: event }) } },
    'message.sent': {
      actions: {
        type: 'tell',
        params: ({ context: { user }, event }) => ({
          thread: { ...event, message: writtenBy(user, event.message) },
          pages: { type: 'page.accepted', pageId: event.message.page_id },
          conversations: { type: 'list.invalidated' },
          stats: { type: 'stats.invalidated' },
          laterParts: event,
        }),
      },
    },
    'resync.requested': {
      actions: [
        'expect resync answers',
        {
          type: 'tell',
          params: {
            conversations: { type: 'resync.requested' },
            outbox: { type: 'resync.requested' },
            thread: { type: 'resync.requested' },
            laterParts: { type: 'resync.requested' },
            stats: { type: 'stats.invalidated' },
            draftSync: { type: 'drafts.invalidated' },
          },
        },
      ],
    },
    'resync.done': [
      {
        guard: { type: 'is the last resync answer', params: ({ event }) => ({ from: event.from }) },
        actions: [
          { type: 'remove from the awaited answers', params: ({ event }) => ({ from: event.from }) },
          { type: 'tell', params: { realtime: { type: 'resync.done' }, laterParts: { type: 'resync.done' } } },
        ],
      },
      { actions: { type: 'remove from the awaited answers', params: ({ event }) => ({ from: event.from }) } },
    ],
    'inbox.invalidated': {
      actions: {
        type: 'tell',
        params: {
          conversations: { type: 'list.invalidated' },
          thread: { type: 'resync.requested' },
          laterParts: { type: 'resync.requested' },
          outbox: { type: 'resync.requested' },
          stats: { type: 'stats.invalidated' },
        },
      },
    },
    'tab.shown': {
      actions: [
        'remember that the tab is visible',
        {
          type: 'tell',
          params: ({ event }) => ({
            thread: event,
            realtime: event,
            autoSync: event,
            alarms: event,
            laterParts: event,
            draftSync: { type: 'drafts.invalidated' },
          }),
        },
      ],
    },
    'tab.hidden': {
      actions: [
        'remember that the tab is hidden',
        {
          type: 'tell',
          params: ({ event }) => ({
            thread: event,
            realtime: event,
            autoSync: event,
            alarms: event,
            laterParts: event,
            draftSync: event,
          }),
        },
      ],
    },
    'browser.online': {
      actions: {
        type: 'tell',
        params: ({ event }) => ({
          realtime: event,
          outbox: event,
          draftSync: { type: 'drafts.invalidated' },
          laterParts: event,
        }),
      },
    },
    'browser.offline': { actions: { type: 'tell', params: ({ event }) => ({ realtime: event }) } },
    'clock.jumped': {
      actions: { type: 'tell', params: ({ event }) => ({ realtime: event, autoSync: event, alarms: event }) },
    },
  },
})
