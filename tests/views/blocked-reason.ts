/**
 * Returns the accessible description of a disabled button, which its tooltip shows too; false if the button is enabled.
 * Throws if the tooltip says something else.
 */
export function blockedReasonOf(button: HTMLButtonElement): string | null | false {
  if (!button.disabled) return false
  const reason = document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent ?? null
  if ((reason || '') !== button.title) throw new Error(`The tooltip is "${button.title}" and not "${reason}"`)
  return reason
}
