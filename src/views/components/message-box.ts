/** Marks the text field of the composer, so that shortcuts and closing dialogs find it in every language. */
export const messageBoxMark = { 'data-message-box': '' }

/** The text field of the composer; null if no conversation is open. */
export const messageBox = (): HTMLElement | null => document.querySelector<HTMLElement>('[data-message-box]')

type WritingMode = 'reply' | 'note'

/** Marks what belongs to a way of writing: the button that chooses it, and the text field of notes. */
export const writingMark = (mode: WritingMode) => ({ 'data-writing-mode': mode })

/** Moves the focus to the text field for replies or for notes, also if the other one is shown. */
export function write(mode: WritingMode): void {
  const box = () =>
    mode === 'reply' ? messageBox() : document.querySelector<HTMLElement>('textarea[data-writing-mode]')
  const shown = box()
  if (shown !== null) {
    shown.focus()
    return
  }
  document.querySelector<HTMLElement>(`button[data-writing-mode="${mode}"]`)?.click()
  // The chosen field is rendered by then.
  requestAnimationFrame(() => box()?.focus())
}
