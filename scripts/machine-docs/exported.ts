import type { AnyStateMachine } from 'xstate'

/**
 * The machine's configuration as JSON for Stately: states, transitions and the names of actions, guards, actors and delays.
 * Code (params, context, inline functions) is left out.
 */
export const exportedJson = (machine: AnyStateMachine): string =>
  `${JSON.stringify(machine.config, (_, value: unknown) => plain(value), 2)}\n`

/** Replaces functions such as `raise(…)` and `not(…)` by their names. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'function' ? named(item) : item))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (typeof inner !== 'function') return [[key, inner]]
    return key === 'actions' || key === 'guard' ? [[key, named(inner)]] : []
  })
  return Object.fromEntries(entries)
}

const named = (code: { name: string }) => ({ type: code.name || 'inline' })
