import type { FormOutput } from './leaving-forms.ts'

/** Parts of a dialog that lists items and has a form for one of them. */

export type ListEvent<Item> =
  | { type: 'item.added' }
  | { type: 'item.edited'; item: Item }
  | { type: 'deletion.requested'; item: Item }
  | { type: 'deletion.confirmed' }
  | { type: 'deletion.cancelled' }
  /** Ignored during a save or a deletion, so that the person sees the result. */
  | { type: 'dialog.dismissed' }

const keepItem = {
  type: 'keep the item' as const,
  params: <Item>({ event }: { event: { item: Item } }) => ({ item: event.item }),
}

/**
 * The list. Leads to the states 'form' and 'asking', and to `dismissed`. Needs the action 'keep the item', which gets
 * null for a new item.
 */
export const listLeadingTo = <Dismissed extends string>(dismissed: Dismissed) => ({
  on: {
    'item.added': { target: 'form' as const, actions: { type: 'keep the item' as const, params: { item: null } } },
    'item.edited': { target: 'form' as const, actions: keepItem },
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
