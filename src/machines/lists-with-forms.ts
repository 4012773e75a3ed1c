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

/** The form ended because the whole dialog was dismissed. Needs the guard 'was dismissed'. */
export const afterDismissal = <Dismissed extends string>(dismissed: Dismissed) => ({
  guard: {
    type: 'was dismissed' as const,
    params: ({ event }: { event: { output: FormOutput } }): FormOutput => event.output,
  },
  target: dismissed,
})
