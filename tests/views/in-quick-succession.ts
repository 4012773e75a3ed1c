import { vi } from 'vitest'

/**
 * Takes steps as a person does who acts again before the next task of the browser. `act` would also render after each
 * step what React renders in later tasks.
 */
export async function inQuickSuccession(...steps: readonly (() => void)[]): Promise<void> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  for (const step of steps) {
    step()
    // What React renders in a microtask may render more in the next one.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  }
  vi.unstubAllGlobals()
}
