import type { MouseEvent } from 'react'

/**
 * Moves the focus out of a button that its own press removes: to the closest element around the button that takes the focus.
 * Otherwise the browser would drop the focus, and a person with a keyboard or a screen reader would start at the top.
 */
export function focusAround({ currentTarget }: MouseEvent<HTMLElement>): void {
  currentTarget.parentElement?.closest<HTMLElement>('[tabindex]')?.focus()
}
