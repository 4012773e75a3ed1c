import { createBrowserInspector, type StatelyInspectionEvent } from '@statelyai/inspect'
import { createRedactor } from '../recorder/redact.ts'

/** Masks what another window is shown of events and snapshots, by the rules of reports: no texts of people, no secrets. */
export function createMask() {
  const redactor = createRedactor()
  const masked = <Value>(value: Value): Value => {
    redactor.learn(value)
    return redactor.redact(value) as Value
  }
  return (inspected: StatelyInspectionEvent): StatelyInspectionEvent => {
    const shown = { ...inspected }
    if ('event' in shown) shown.event = { ...masked(shown.event), type: shown.event.type }
    if ('snapshot' in shown) shown.snapshot = { ...shown.snapshot, ...maskedParts(shown.snapshot, masked) }
    return shown
  }
}

/** What of a snapshot holds data. The names of states are no secret. */
function maskedParts(snapshot: object, masked: (value: unknown) => unknown): Record<string, unknown> {
  const parts = ['context', 'output', 'error', 'input'].filter((name) => name in snapshot)
  return Object.fromEntries(
    parts.map((name) => [name, masked(Object.entries(snapshot).find(([key]) => key === name)?.[1])]),
  )
}

/**
 * Opens the Stately inspector in a window of its own and returns what `createActor` takes as `inspect`. Development
 * only: `npm run inspect`.
 */
export const openInspector = () => createBrowserInspector({ serialize: createMask() }).inspect
