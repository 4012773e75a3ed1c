import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, sendTo, setup } from 'xstate'
import { savedFilterToasts } from '../../domain/list/saved-filter-toasts.ts'
import type { FilterValues } from '../../domain/list/saved-filters.ts'
import { newKey } from '../../domain/new-key.ts'
import type { SavedFilter, SavedFilters } from '../../schemas/saved-filter.ts'
import {
  afterDismissal,
  askingToDelete,
  formListGuards,
  keepItem,
  type ListEvent,
  toForm,
} from '../lists-with-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'
import { notify } from '../system.ts'
import { savedFilterFormMachine } from './saved-filter-form.ts'
import { savedFiltersIn, tellFilters } from './saved-filters.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    savedFilterManager: typeof savedFilterManagerMachine
  }
}

/** `values`: the combination to save in this dialog; null for the list of filters. */
type Input = { values: FilterValues | null }

type Context = Input & {
  /** The filter to rename or delete; null for a new one. */
  item: SavedFilter | null
}

/** The dialog in which a person names, renames and deletes filters. The machine `savedFilters` owns the list. */
export const savedFilterManagerMachine = setup({
  types: {
    context: {} as Context,
    events: {} as Exclude<ListEvent<SavedFilter>, { type: 'item.added' }>,
    input: {} as Input,
    children: {} as { savedFilterForm: 'savedFilterForm' },
  },
  actors: {
    savedFilterForm: savedFilterFormMachine,
    deleteFilter: fromPromise<SavedFilters, { id: string }>(mustBeProvided('deleteFilter')),
  },
  guards: { ...formListGuards, 'has values to save': ({ context }) => context.values !== null },
  actions: {
    notify,
    tellFilters,
    'notify failure': notifyFailure,
    'keep the item': assign((_, { item }: { item: SavedFilter | null }) => ({ item })),
    'request close of the form': sendTo('savedFilterForm', { type: 'dialog.dismissed' }),
  },
}).createMachine({
  id: 'savedFilterManager',
  context: ({ input }) => ({ ...input, item: null }),
  initial: 'list',
  states: {
    list: {
      always: { guard: 'has values to save', target: 'form' },
      on: {
        'item.edited': toForm['item.edited'],
        'deletion.requested': { target: 'asking', actions: keepItem },
        'dialog.dismissed': 'dismissed',
      },
    },
    form: {
      invoke: {
        id: 'savedFilterForm',
        src: 'savedFilterForm',
        input: ({ context: { item, values }, self }) => {
          const shown = item ?? values
          if (shown === null) throw new Error('the form needs a filter or the values of a new one')
          const id = item?.id ?? newKey()
          const { view, page_id, label_id, assigned_to, unread_only } = shown
          return {
            item,
            id,
            values: { view, page_id, label_id, assigned_to, unread_only },
            others: savedFiltersIn(self.system).filter((filter) => filter.id !== id),
          }
        },
        onDone: [{ guard: 'has values to save', target: 'dismissed' }, afterDismissal('dismissed'), { target: 'list' }],
      },
      on: { 'dialog.dismissed': { actions: 'request close of the form' } },
    },
    asking: { on: askingToDelete('deleting') },
    deleting: {
      invoke: {
        id: 'deleteFilter',
        src: 'deleteFilter',
        input: ({ context }) => ({ id: context.item?.id ?? '' }),
        onDone: {
          target: 'list',
          actions: [
            { type: 'tellFilters', params: ({ event }) => ({ saved: event.output }) },
            { type: 'notify', params: savedFilterToasts.deleted },
          ],
        },
        onError: { target: 'list', actions: reportFailure(savedFilterToasts.deleteFailed) },
      },
    },
    dismissed: { type: 'final' },
  },
})

export type SavedFilterManagerActor = ActorRefFrom<typeof savedFilterManagerMachine>

type Snapshot = SnapshotFrom<typeof savedFilterManagerMachine>

/** The open form; undefined while the list is shown. */
export const selectForm = (snapshot: Snapshot) => snapshot.children.savedFilterForm
/** The filter that the person renamed or was asked to delete last. */
export const selectItem = (snapshot: Snapshot): SavedFilter | null => snapshot.context.item
/** The filter whose deletion the person is asked to confirm; null if the question is not shown. */
export const selectAskedAbout = (snapshot: Snapshot): SavedFilter | null =>
  snapshot.matches('asking') || snapshot.matches('deleting') ? snapshot.context.item : null
export const selectIsDeleting = (snapshot: Snapshot): boolean => snapshot.matches('deleting')
