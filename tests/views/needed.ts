const isNeeded = (control: Element) => control.hasAttribute('required') || control.ariaRequired === 'true'

/**
 * The labels in `room` with the visible required mark, and the labels of the fields that are required for screen
 * readers.
 */
export function neededIn(room: Element | null) {
  const labels = [...(room?.querySelectorAll('label') ?? [])]
  const named = (chosen: HTMLLabelElement[]) => chosen.map(({ textContent }) => textContent)
  return {
    shown: named(labels.filter(({ classList }) => classList.contains('needed'))),
    said: named(labels.filter(({ control }) => control !== null && isNeeded(control))),
  }
}
