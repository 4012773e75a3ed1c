/** Events that dismiss a dialog with a form. */
export type FormDismissal =
  | { type: 'discard.confirmed' }
  | { type: 'discard.refused' }
  /** The whole dialog was dismissed. Ignored during a save or a deletion, because its result has to be seen. */
  | { type: 'dialog.dismissed' }

/** Events that end a form in a dialog. */
export type FormEnd = FormDismissal | { type: 'form.cancelled' }

/** What a form says to the dialog that it stands in. */
export type FormOutput = { isDismissed: boolean }

const leave = (isDismissed: boolean) => ({
  target: 'leaving' as const,
  actions: { type: 'store the next target' as const, params: { isDismissed } },
})

/** Transitions from a form back to its list, or out of the dialog. Needs the action 'store the next target'. */
export const leavingForm = { 'form.cancelled': leave(false), 'dialog.dismissed': leave(true) }

/**
 * The question whether typed text may be discarded, asked only if there is some. `left` is the state after it. Needs the
 * guard 'has no typed text' and the state 'editing'.
 */
export const askingToDiscard = <Left extends string>(left: Left) => ({
  always: { guard: 'has no typed text' as const, target: left },
  on: {
    'discard.confirmed': left,
    'discard.refused': 'editing' as const,
    'dialog.dismissed': 'editing' as const,
  },
})
