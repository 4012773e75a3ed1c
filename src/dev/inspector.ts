import { createBrowserInspector, type StatelyInspectionEvent } from '@statelyai/inspect'
import type { AnyActorRef } from 'xstate'
import { shownInReports } from '../dialog-registry.ts'
import type { Recorder } from '../recorder/recorder.ts'
import { createRedactor } from '../recorder/redact.ts'

/**
 * Masks events and snapshots before the inspector window receives them, with the rules of problem reports: user texts
 * and secrets are masked, names of states are not. The result is plain data, because the window accepts nothing else.
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
 * Opens the Stately inspector in its own window. It shows the actors that are running now and all later ones. Call it
 * from a user action, or the browser blocks the window. Returns false if the window was blocked.
 */
export function openInspector({ system }: AnyActorRef, recorder: Recorder): boolean {
  const inspector = createBrowserInspector({ serialize: createMask() })
  if (inspector.adapter.targetWindow === null) return false
  const running = recorder.recordings().filter(({ last }) => last.status === 'active')
  // A parent must be registered before its children.
  for (const { ref, last } of running.toSorted((one, other) => depthOf(one.ref) - depthOf(other.ref)))
    inspector.actor(ref, last)
  system.inspect(inspector.inspect)
  return true
}

export const depthOf = (ref: AnyActorRef): number => (ref._parent ? 1 + depthOf(ref._parent) : 0)
