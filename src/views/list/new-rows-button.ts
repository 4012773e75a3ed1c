/** Marks the button that takes in the new rows, so that its command finds it in every language. */
export const newRowsMark = { 'data-new-rows': '' }

/** The button that takes in the new rows; null while none wait. */
export const newRowsButton = (): HTMLElement | null => document.querySelector<HTMLElement>('[data-new-rows]')
