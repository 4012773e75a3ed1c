import type { SnapshotFrom } from 'xstate'
import { fromPromise, setup } from 'xstate'
import type { FilterToSave } from '../../domain/list/saved-filter-calls.ts'
import { savedFilterToasts } from '../../domain/list/saved-filter-toasts.ts'
import { type FilterValues, filterBlockedReason } from '../../domain/list/saved-filters.ts'
import type { SavedFilter, SavedFilters } from '../../schemas/saved-filter.ts'
import {
  editingItem,
  emptyItemForm,
  endingItemForm,
  type ItemFormContext,
  type ItemFormEvent,
  itemFormActions,
  itemFormGuards,
} from '../item-forms.ts'
import type { FormOutput } from '../leaving-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { showFailure } from '../on-failure.ts'
import { tellFilters } from './saved-filters.ts'

type Input = {
  /** The filter to rename; null for a new one. */
  item: SavedFilter | null
  /** The id under which the filter is saved. */
  id: string
  values: FilterValues
  /** The other filters of the person. */
  others: readonly SavedFilter[]
}

type Fields = { name: string }

/** The form for the name of a filter. A repeated save writes the same filter, so a lost answer needs no warning. */
export const savedFilterFormMachine = setup({
  types: {
    context: {} as Input & ItemFormContext<SavedFilter, Fields>,
    events: {} as ItemFormEvent<Fields>,
    input: {} as Input,
    output: {} as FormOutput,
  },
  actors: { saveFilter: fromPromise<SavedFilters, FilterToSave>(mustBeProvided('saveFilter')) },
  guards: {
    ...itemFormGuards,
    'is complete': ({ context }) => filterBlockedReason(context.fields.name, context.others) === null,
    'has no typed text': ({ context }) => context.fields.name === (context.item?.name ?? ''),
  },
  actions: { ...itemFormActions(() => ''), tellFilters },
}).createMachine({
  id: 'savedFilterForm',
  context: ({ input }) => ({ ...emptyItemForm, ...input, fields: { name: input.item?.name ?? '' } }),
  initial: 'editing',
  states: {
    editing: { on: editingItem },
    ...endingItemForm,
    saving: {
      entry: 'store the attempt',
      invoke: {
        id: 'saveFilter',
        src: 'saveFilter',
        input: ({ context: { id, values, fields } }) => ({ id, body: { ...values, name: fields.name.trim() } }),
        onDone: {
          target: 'saved',
          actions: [
            { type: 'tellFilters', params: ({ event }) => ({ saved: event.output }) },
            {
              type: 'notify',
              params: ({ context }) => (context.item === null ? savedFilterToasts.created : savedFilterToasts.renamed),
            },
          ],
        },
        onError: { target: 'editing', actions: showFailure(savedFilterToasts.saveFailed) },
      },
    },
  },
  output: ({ context: { isDismissed } }) => ({ isDismissed }),
})

type Snapshot = SnapshotFrom<typeof savedFilterFormMachine>

/** The reason why the filter cannot be saved; null if it can. */
export const selectBlockedReason = (snapshot: Snapshot): string | null =>
  filterBlockedReason(snapshot.context.fields.name, snapshot.context.others)
