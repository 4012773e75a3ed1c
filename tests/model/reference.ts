import { expect } from 'vitest'
import type { AnyEventObject, AnyStateMachine } from 'xstate'
import { type Drive, follow, type Path } from './harness.ts'

/**
 * What a machine has to show after each event, written by hand from the specification: `rules` say what an event
 * changes, `shown` says what follows from that for the screen. An event without a rule changes nothing.
 */
export type Reference<State> = {
  start: State
  rules: Readonly<Record<string, (state: State, event: AnyEventObject) => Partial<State>>>
  shown: (state: State) => unknown
}

/** Follows a path, and compares after each step what `seen` returns with what the reference shows. */
export async function followBeside<Machine extends AnyStateMachine, State>(
  path: Path<Machine>,
  drive: Drive,
  { start, rules, shown }: Reference<State>,
  seen: () => unknown,
): Promise<void> {
  let state = start
  expect(seen()).toEqual(shown(state))
  await follow(path, drive, ({ event }) => {
    state = { ...state, ...rules[event.type]?.(state, event) }
    expect(seen()).toEqual(shown(state))
  })
}
