/** What is read with a button that is disabled; false where it can be pressed. */
export const blockedReasonOf = (button: HTMLButtonElement): string | null | false =>
  button.disabled && (document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent ?? null)
