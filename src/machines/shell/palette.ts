import type { SnapshotFrom } from 'xstate'
import { type AnyActorRef, assign, fromPromise, raise, sendTo, setup } from 'xstate'
import { limits } from '../../domain/limits.ts'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import type { ListAnswer } from '../../domain/list/list-calls.ts'
import { isSearchable } from '../../domain/list/list-query.ts'
import { listToasts } from '../../domain/list/toasts.ts'
import { offers } from '../../domain/session/features.ts'
import { afterKey } from '../../domain/shell/typed-ahead.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import { recordsIn, tellRecords } from '../list/records.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'
import { createSendAction, type System } from '../system.ts'
import { searchMachine } from './search.ts'

declare module './dialog.ts' {
  interface DialogLogics {
    palette: typeof paletteMachine
  }
}

type Context = {
  term: string
  /** The row ids of the people found for the last searched term. */
  found: readonly string[]
  /** The number of people who match, of whom the answer has the first result page. */
  total: number
  /** The number of the last change in the records when the search was requested. */
  searchedAsOf: number
}

export type PaletteEvent =
  | { type: 'term.typed'; term: string }
  /** A character or Backspace, pressed before the field has the focus. */
  | { type: 'key.typed'; key: string }
  | { type: 'refetch.requested' }
  /** The view runs the command when the dialog has closed. */
  | { type: 'command.chosen'; id: string }
  /** The view opens the conversation, the message or the client. */
  | { type: 'person.chosen' }
  | { type: 'dialog.dismissed' }

/** Tells the machine of the dialog, which outlives the palette. */
const tellDialog = createSendAction<{ id: string }>(({ id }, { self }) => [
  { to: self._parent ?? self, event: { type: 'command.chosen', id } },
])

const isSearchOffered = (system: System): boolean => {
  const session: AnyActorRef | undefined = system.get('session')
  const user: AuthUser | undefined = session?.getSnapshot().context.user
  return user !== undefined && offers(user, 'search')
}

/**
 * The command palette: finds people by the search of conversations, whatever the view and the page filter. The view
 * matches the typed term with the commands, which need no call. The child `search` finds clients, orders and messages.
 */
export const paletteMachine = setup({
  types: { context: {} as Context, events: {} as PaletteEvent, children: {} as { search: 'search' } },
  actors: {
    findPeople: fromPromise<ListAnswer, { term: string }>(mustBeProvided('findPeople')),
    search: searchMachine,
  },
  delays: { searchDebounce: limits.clientSearchDebounce },
  guards: {
    'can be searched': (_, { term }: { term: string }) => term.trim() !== '' && isSearchable(term),
  },
  actions: {
    tellRecords,
    'notify failure': notifyFailure,
    tellDialog,
    'forward to the search': sendTo('search', ({ event }) => event),
    'type the key': raise(({ context }, { key }: { key: string }) => ({
      type: 'term.typed',
      term: afterKey(context.term, key),
    })),
    'keep the term': assign((_, { term }: { term: string }) => ({ term })),
    'forget the people': assign({ found: [], total: 0 }),
    'start the search': assign({ searchedAsOf: ({ system }) => recordsIn(system).sequence }),
    'keep the people': assign((_, { rows, total }: { rows: readonly Conversation[]; total: number }) => ({
      found: rows.map(rowIdOf),
      total,
    })),
  },
}).createMachine({
  id: 'palette',
  context: { term: '', found: [], total: 0, searchedAsOf: 0 },
  invoke: { id: 'search', src: 'search', input: ({ self }) => ({ isOffered: isSearchOffered(self.system) }) },
  initial: 'open',
  states: {
    open: {
      initial: 'idle',
      on: {
        'term.typed': [
          {
            guard: { type: 'can be searched', params: ({ event }) => event },
            target: '.debouncing',
            actions: [{ type: 'keep the term', params: ({ event }) => event }, 'forward to the search'],
          },
          {
            target: '.idle',
            actions: [{ type: 'keep the term', params: ({ event }) => event }, 'forward to the search'],
          },
        ],
        'key.typed': { actions: { type: 'type the key', params: ({ event }) => event } },
        'command.chosen': { target: 'closed', actions: { type: 'tellDialog', params: ({ event }) => event } },
        'person.chosen': 'closed',
        'dialog.dismissed': 'closed',
      },
      states: {
        idle: { entry: 'forget the people' },
        /** The people of the earlier term stay until the answer: the view shows those whose names match. */
        debouncing: { after: { searchDebounce: 'searching' } },
        searching: {
          entry: 'start the search',
          invoke: {
            id: 'findPeople',
            src: 'findPeople',
            input: ({ context }) => ({ term: context.term.trim() }),
            onDone: {
              target: 'found',
              actions: [
                { type: 'keep the people', params: ({ event }) => event.output },
                // The dialog holds the rows until it closes.
                {
                  type: 'tellRecords',
                  params: ({ event }) => ({
                    type: 'conversations.held',
                    from: 'dialog',
                    ids: event.output.rows.map(rowIdOf),
                  }),
                },
                {
                  type: 'tellRecords',
                  params: ({ event, context }) => ({
                    type: 'conversations.lookedUp',
                    rows: event.output.rows,
                    asOf: context.searchedAsOf,
                  }),
                },
              ],
            },
            onError: { target: 'failed', actions: ['forget the people', reportFailure(listToasts.failed)] },
          },
        },
        found: {},
        failed: { on: { 'refetch.requested': 'searching' } },
      },
    },
    closed: { type: 'final' },
  },
})

type Snapshot = SnapshotFrom<typeof paletteMachine>

/** The clients, orders and messages. */
export const selectSearch = (snapshot: Snapshot) => snapshot.children.search
export const selectTerm = (snapshot: Snapshot): string => snapshot.context.term
export const selectFound = (snapshot: Snapshot): readonly string[] => snapshot.context.found
/** The people are those of the current term. */
export const selectAreFound = (snapshot: Snapshot): boolean => snapshot.matches({ open: 'found' })
/** How many people match besides the found ones. */
export const selectFurther = ({ context }: Snapshot): number => Math.max(0, context.total - context.found.length)
export const selectIsSearching = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: 'debouncing' }) || snapshot.matches({ open: 'searching' })
/** The search failed; `refetch.requested` retries. */
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches({ open: 'failed' })
