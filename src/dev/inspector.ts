import { createBrowserInspector, type StatelyInspectionEvent } from '@statelyai/inspect'
import type { AnyActorRef } from 'xstate'
import { shownInReports } from '../dialog-registry.ts'
import type { Recorder } from '../recorder/recorder.ts'
import { createRedactor } from '../recorder/redact.ts'

/**
 * Masks what another window is shown of events and snapshots, by the rules of reports: no texts of people, no secrets.
 * The names of states are none. What it gives is plain data, for the other window takes nothing else.
 */
export function createMask() {
  const redactor = createRedactor(shownInReports)
  const masked = (value: unknown): unknown => {
    redactor.learn(value)
    return redactor.redact(value)
  }
  return (inspected: StatelyInspectionEvent): StatelyInspectionEvent => {
    const shown: Record<string, unknown> = { ...inspected }
    if ('event' in inspected) shown['event'] = { ...Object(masked(inspected.event)), type: inspected.event.type }
    if ('snapshot' in inspected) {
      const { status, value, context, output, error }: Record<string, unknown> = { ...inspected.snapshot }
      shown['snapshot'] = { status, value, context: masked(context), output: masked(output), error: masked(error) }
    }
    return JSON.parse(JSON.stringify(shown))
  }
}

/**
 * Opens the Stately inspector in a window of its own, on the actors that run by now and on what comes. To be called by a
 * press, or the browser stops the window. False where it was stopped.
 */
export function openInspector({ system }: AnyActorRef, recorder: Recorder): boolean {
  const inspector = createBrowserInspector({ serialize: createMask() })
  if (inspector.adapter.targetWindow === null) return false
  const running = recorder.recordings().filter(({ last }) => last.status === 'active')
  // A child is hung to its parent, which has to be there before it.
  for (const { ref, last } of running.toSorted((one, other) => depthOf(one.ref) - depthOf(other.ref)))
    inspector.actor(ref, last)
  system.inspect(inspector.inspect)
  return true
}

export const depthOf = (ref: AnyActorRef): number => (ref._parent ? 1 + depthOf(ref._parent) : 0)
