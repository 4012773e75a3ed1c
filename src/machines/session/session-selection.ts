import { rowIdIn, rowIn } from '../../domain/list/records.ts'
import type { SavedInbox } from '../../schemas/saved-inbox.ts'
import { recordsIn } from '../list/records.ts'
import { initialDataOf } from '../thread/thread-setup.ts'
import { sessionSetup } from './session-setup.ts'

type Selected = { event: { id: string } }

const opening = [
  { type: 'select the conversation' as const, params: ({ event }: Selected) => ({ id: event.id }) },
  {
    type: 'tell' as const,
    params: ({ event }: Selected) => ({
      records: { type: 'conversations.held' as const, from: 'thread' as const, ids: [event.id] },
      laterParts: { type: 'conversation.opened' as const, id: event.id },
    }),
  },
]

/** The saved thread of a conversation. Used only for the first opened thread, and only without a page filter. */
const savedThreadIn = ({ saved, pageId }: { saved: SavedInbox | null; pageId: string | null }, rowId: string | null) =>
  pageId === null && saved?.thread != null && saved.thread.conversationId === rowId ? saved.thread : null

/** The last selection wins: leaving a conversation stops its thread and aborts the thread's requests. */
export const selection = sessionSetup.createStateConfig({
  initial: 'none',
  states: {
    none: {
      on: {
        'conversation.selected': {
          target: 'open',
          actions: opening,
        },
      },
    },
    open: {
      exit: [
        'acknowledge the resync for the thread',
        'clear the saved inbox',
        { type: 'tell', params: { dialog: { type: 'conversation.left' } } },
      ],
      invoke: {
        src: 'thread',
        id: 'thread',
        systemId: 'thread',
        input: ({ context, self }) => ({
          id: context.selected ?? '',
          ...initialDataOf(rowIn(recordsIn(self.system), [context.selected]), context.pageId),
          user: context.user,
          visible: !context.isHidden,
          saved: savedThreadIn(context, rowIdIn(recordsIn(self.system), [context.selected])),
        }),
      },
      on: {
        'conversation.selected': {
          guard: { type: 'is another conversation', params: ({ event }) => ({ id: event.id }) },
          target: 'open',
          reenter: true,
          actions: opening,
        },
        'conversation.deselected': {
          target: 'none',
          actions: [
            'forget the open conversation',
            {
              type: 'tell',
              params: {
                records: { type: 'conversations.held', from: 'thread', ids: [] },
                laterParts: { type: 'conversation.closed' },
              },
            },
          ],
        },
        'chats.checked': {
          guard: { type: 'affects the thread', params: ({ event }) => event },
          target: 'open',
          reenter: true,
        },
        // The thread shows only messages of the page filter's page.
        'page.chosen': {
          guard: { type: 'is another page', params: ({ event }) => ({ pageId: event.pageId }) },
          target: 'open',
          reenter: true,
        },
        'query.resolved': {
          guard: { type: 'is another page', params: ({ event }) => ({ pageId: event.query.pageId }) },
          target: 'open',
          reenter: true,
        },
      },
    },
  },
})
