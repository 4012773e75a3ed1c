import { sessionSetup, withKnownPage } from './session-setup.ts'

/** The last selection wins: leaving the open conversation stops its thread and what that had asked for. */
export const selection = sessionSetup.createStateConfig({
  initial: 'none',
  states: {
    none: {
      on: {
        'conversation.selected': {
          target: 'open',
          actions: { type: 'open it', params: ({ event }) => ({ id: event.id }) },
        },
      },
    },
    open: {
      exit: ['answer for the thread', { type: 'tell', params: { dialog: { type: 'conversation.left' } } }],
      invoke: [
        {
          src: 'thread',
          id: 'thread',
          systemId: 'thread',
          input: ({ context }) => ({
            id: context.selected ?? '',
            conversation: context.openRow,
            pageId: context.pageId,
            visible: !context.isHidden,
          }),
        },
        {
          src: 'followRow',
          id: 'followRow',
          input: ({ context }) => ({ id: context.selected ?? '', row: context.openRow }),
        },
      ],
      on: {
        'conversation.selected': {
          guard: { type: 'is another conversation', params: ({ event }) => ({ id: event.id }) },
          target: 'open',
          reenter: true,
          actions: { type: 'open it', params: ({ event }) => ({ id: event.id }) },
        },
        'conversation.deselected': { target: 'none', actions: 'close it' },
        // The messages are those of the page that is filtered by.
        'page.chosen': {
          guard: { type: 'is another page', params: ({ event }) => ({ pageId: event.pageId }) },
          target: 'open',
          reenter: true,
        },
        'query.opened': {
          guard: {
            type: 'is another page',
            params: ({ context, event }) => ({ pageId: withKnownPage(context, event.query).pageId }),
          },
          target: 'open',
          reenter: true,
        },
        'conversation.found': {
          actions: { type: 'keep its row', params: ({ event }) => ({ row: event.conversation }) },
        },
        'row.changed': {
          actions: [
            { type: 'keep its row', params: ({ event }) => ({ row: event.conversation }) },
            {
              type: 'tell',
              params: ({ event }) => ({ thread: { type: 'conversation.updated', conversation: event.conversation } }),
            },
          ],
        },
      },
    },
  },
})
