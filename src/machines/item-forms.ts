import { assign } from 'xstate'
import { mayBeTemporary } from '../domain/retries.ts'
import type { ToastText } from '../domain/toast.ts'
import { askingToDiscard, type FormEnd, type FormOutput, leavingForm } from './leaving-forms.ts'
import { failureText, notifyFailure } from './notify-failure.ts'
import { afterFailedCreation } from './on-failure.ts'
import { notify } from './system.ts'

/**
 * The form of a new or edited item, as parts of a machine's `setup` and states. The machine adds the guards 'is complete'
 * and 'has no typed text', and the call in the state 'saving'. Typed text survives every failure and is discarded only
 * after the person confirms.
 */

export type ItemFormContext<Item, Fields> = {
  /** The edited item; null for a new one. */
  item: Item | null
  fields: Fields
  /** The person dismissed the whole dialog, not only the form. */
  isDismissed: boolean
  mayHaveSaved: boolean
  /** The error of the last failed attempt. */
  error: string | null
}

export type ItemFormEvent<Fields> =
  | { type: 'fields.typed'; change: Partial<Fields> }
  | { type: 'form.submitted' }
  | FormEnd

/** `mayHaveSaved`: the list may be stale. */
export type ItemFormOutput = FormOutput & { mayHaveSaved: boolean }

export const emptyItemForm = { isDismissed: false, mayHaveSaved: false, error: null }

type AnyContext = ItemFormContext<unknown, object>

/** Assigns to the part of the context that all forms have. XState types an action by its machine. */
const assignToForm = <Params>(change: (context: AnyContext, params: Params) => Partial<AnyContext>) =>
  assign(({ context }: { context: AnyContext }, params: Params) => change(context, params)) as unknown as (
    args: { context: AnyContext },
    params: Params,
  ) => void

/** `unknownResult`: the text after a creation without an answer, when the item may exist. */
export const itemFormActions = (unknownResult: () => string) => ({
  notify,
  'notify failure': notifyFailure,
  'keep the typed fields': assignToForm(({ fields }, { change }: { change: object }) => ({
    fields: { ...fields, ...change },
  })),
  'store the next target': assignToForm((_, { isDismissed }: FormOutput) => ({ isDismissed })),
  'store the attempt': assignToForm(() => ({ isDismissed: false, mayHaveSaved: true, error: null })),
  'show the failure': assignToForm((_, params: { error: unknown; own: ToastText }) => ({ error: failureText(params) })),
  'show that the result is unknown': assignToForm(() => ({ error: unknownResult() })),
})

export const itemFormGuards = {
  'is new': ({ context }: { context: AnyContext }) => context.item === null,
  'may have been created': ({ context }: { context: AnyContext }, { error }: { error: unknown }) =>
    context.item === null && mayBeTemporary(error),
}

/** The transitions of the state 'editing'. */
export const editingItem = {
  'fields.typed': {
    actions: {
      type: 'keep the typed fields' as const,
      params: ({ event }: { event: { change: object } }) => event,
    },
  },
  'form.submitted': { guard: 'is complete' as const, target: 'saving' as const },
  ...leavingForm,
}

/** The states other than 'editing' and 'saving'. */
export const endingItemForm = {
  leaving: askingToDiscard('left'),
  saved: { type: 'final' },
  left: { type: 'final' },
} as const

/** The transitions of the call in 'saving'. */
export const afterItemSave = ({
  created,
  updated,
  saveFailed,
}: Record<'created' | 'updated' | 'saveFailed', ToastText>) => ({
  onDone: [
    { guard: 'is new' as const, target: 'saved' as const, actions: { type: 'notify' as const, params: created } },
    { target: 'saved' as const, actions: { type: 'notify' as const, params: updated } },
  ],
  onError: afterFailedCreation('editing', saveFailed),
})

export type ItemFormSnapshot<Fields> = {
  context: ItemFormContext<unknown, Fields>
  matches: (state: 'saving' | 'leaving') => boolean
}

export const selectFields = <Fields>(snapshot: ItemFormSnapshot<Fields>): Fields => snapshot.context.fields
export const selectIsNew = (snapshot: ItemFormSnapshot<unknown>): boolean => snapshot.context.item === null
export const selectError = (snapshot: ItemFormSnapshot<unknown>): string | null => snapshot.context.error
export const selectIsSaving = (snapshot: ItemFormSnapshot<unknown>): boolean => snapshot.matches('saving')
/** The form asks whether to discard the typed text. */
export const selectAsksToDiscard = (snapshot: ItemFormSnapshot<unknown>): boolean => snapshot.matches('leaving')
