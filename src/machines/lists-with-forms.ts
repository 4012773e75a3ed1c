import type { FormOutput } from './leaving-forms.ts'

/** Parts of a dialog that lists items and has a form for one of them. */

export type FormListEvent<Item> =
  | { type: 'item.added' }
  | { type: 'item.edited'; item: Item }
  /** Ignored during a save or a deletion, so that the person sees the result. */
  | { type: 'dialog.dismissed' }

export type ListEvent<Item> =
  | FormListEvent<Item>
  | { type: 'deletion.requested'; item: Item }
  | { type: 'deletion.confirmed' }
  | { type: 'deletion.cancelled' }

/** Needs the action 'keep the item'. */
export const keepItem = {
  type: 'keep the item' as const,
  params: <Item>({ event }: { event: { item: Item } }) => ({ item: event.item }),
}

/** The transitions of a list whose items are added and edited. Needs the state 'form' and the action 'keep the item'. */
export const toForm = {
  'item.added': { target: 'form' as const, actions: { type: 'keep the item' as const, params: { item: null } } },
  'item.edited': { target: 'form' as const, actions: keepItem },
}

/**
 * The list. Leads to the states 'form' and 'asking', and to `dismissed`. Needs the action 'keep the item', which gets
 * null for a new item.
 */
export const listLeadingTo = <Dismissed extends string>(dismissed: Dismissed) => ({
  on: {
    ...toForm,
    'deletion.requested': { target: 'asking' as const, actions: keepItem },
    'dialog.dismissed': dismissed,
  },
})

/** The question whether to delete an item. `confirmed`: the state that deletes. */
export const askingToDelete = <Confirmed extends string>(confirmed: Confirmed) => ({
  'deletion.confirmed': confirmed,
  'deletion.cancelled': 'list' as const,
  'dialog.dismissed': 'list' as const,
})

const outputOf = <Output>({ event }: { event: { output: Output } }): Output => event.output

/** The form ended because the whole dialog was dismissed. Needs the guard 'was dismissed'. */
export const afterDismissal = <Dismissed extends string>(dismissed: Dismissed) => ({
  guard: { type: 'was dismissed' as const, params: outputOf<FormOutput> },
  target: dismissed,
})

/** The transitions after the form ended. `invalidate`: the action that reads the list again. Needs the guard 'may have saved'. */
export const afterSaving = <Invalidate extends string>(invalidate: Invalidate) => [
  {
    guard: { type: 'may have saved' as const, params: outputOf<{ mayHaveSaved: boolean }> },
    target: 'list' as const,
    actions: invalidate,
  },
  { target: 'list' as const },
]

export const formListGuards = {
  'was dismissed': (_: unknown, { isDismissed }: FormOutput) => isDismissed,
  'may have saved': (_: unknown, { mayHaveSaved }: { mayHaveSaved: boolean }) => mayHaveSaved,
}
