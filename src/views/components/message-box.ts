/** Marks the text field of the composer, so that shortcuts and closing dialogs find it in every language. */
export const messageBoxMark = { 'data-message-box': '' }

/** The text field of the composer; null if no conversation is open. */
export const messageBox = (): HTMLElement | null => document.querySelector<HTMLElement>('[data-message-box]')
