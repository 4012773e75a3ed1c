import type { SyntheticEvent } from 'react'

/**
 * Moves the focus from a button or form that its own event removes to the closest focusable ancestor. Otherwise the browser
 * resets the focus, and users of a keyboard or a screen reader start again at the top of the page.
 */
export function focusAround({ currentTarget }: SyntheticEvent<HTMLElement>): void {
  currentTarget.parentElement?.closest<HTMLElement>('[tabindex]')?.focus()
}
