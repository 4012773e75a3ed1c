/** Returns the accessible description of a disabled button; false if the button is enabled. */
export const blockedReasonOf = (button: HTMLButtonElement): string | null | false =>
  button.disabled && (document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent ?? null)
