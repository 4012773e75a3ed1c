import { screen } from '@testing-library/react'
import { found } from './found.ts'
import userEvent from './user-event.ts'

/** Presses the page beside the open dialog. */
export function pressOutside(): Promise<void> {
  const dialog = screen.getByRole('dialog')
  const [beside] = screen
    .getAllByRole('presentation', { hidden: true })
    .filter((element) => !element.contains(dialog) && !dialog.contains(element))
  return userEvent.click(found(beside, 'the page behind the dialog'))
}
