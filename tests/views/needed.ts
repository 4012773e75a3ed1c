const isNeeded = (control: Element) => control.hasAttribute('required') || control.ariaRequired === 'true'

/** The labels in `room` that are marked as needed for the eye, and those of the fields that say so to a screen reader. */
export function neededIn(room: Element | null) {
  const labels = [...(room?.querySelectorAll('label') ?? [])]
  const named = (chosen: HTMLLabelElement[]) => chosen.map(({ textContent }) => textContent)
  return {
    shown: named(labels.filter(({ classList }) => classList.contains('needed'))),
    said: named(labels.filter(({ control }) => control !== null && isNeeded(control))),
  }
}
