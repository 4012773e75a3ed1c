/** Events that dismiss a dialog with a form. */
export type FormDismissal =
  | { type: 'discard.confirmed' }
  | { type: 'discard.refused' }
  /** The whole dialog was dismissed. Ignored during a save or a deletion, so that the person sees the result. */
  | { type: 'dialog.dismissed' }

/** Events that end a form in a dialog. */
export type FormEnd = FormDismissal | { type: 'form.cancelled' }

/** The output of a form to its dialog. `isDismissed`: the person dismissed the whole dialog. */
export type FormOutput = { isDismissed: boolean }

const leave = (isDismissed: boolean) => ({
  target: 'leaving' as const,
  actions: { type: 'store the next target' as const, params: { isDismissed } },
})

/** Transitions from a form to its list, or out of the dialog. Needs the action 'store the next target'. */
export const leavingForm = { 'form.cancelled': leave(false), 'dialog.dismissed': leave(true) }

/**
 * Asks whether to discard typed text, if there is any. `left` is the state after the form. Needs the guard
 * 'has no typed text' and the state 'editing'.
 */
export const askingToDiscard = <Left extends string>(left: Left) => ({
  always: { guard: 'has no typed text' as const, target: left },
  on: {
    'discard.confirmed': left,
    'discard.refused': 'editing' as const,
    'dialog.dismissed': 'editing' as const,
  },
})
