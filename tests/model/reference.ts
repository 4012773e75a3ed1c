import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine } from 'xstate'
import { type Drive, follow, type Path } from './harness.ts'

/**
 * What a machine has to accept and to show, written by hand from the specification. `accepts` lists the types of the
 * events that are possible in a state, `rules` say what an event changes, `shown` says what follows from that for the
 * screen. An event without a rule changes nothing.
 */
export type Reference<State> = {
  start: State
  accepts: (state: State) => readonly string[]
  rules: Readonly<Record<string, (state: State, event: AnyEventObject) => Partial<State>>>
  shown: (state: State) => unknown
}

/** These event types if the condition holds. */
export const when = (condition: boolean, ...types: readonly string[]) => (condition ? types : [])

/** The event types with which a call ends. */
export const ends = (actor: string): readonly string[] => [`xstate.done.actor.${actor}`, `xstate.error.actor.${actor}`]

/**
 * Follows a path, and compares after each step what `seen` returns with what the reference shows. In each state the
 * machine must accept what the reference accepts: the paths contain only what the machine accepts, so no path takes a
 * transition that is missing. A step that the reference does not accept fails too.
 */
export async function followBeside<Machine extends AnyStateMachine, State>(
  path: Path<Machine>,
  drive: Drive,
  { start, accepts, rules, shown }: Reference<State>,
  seen: () => unknown,
): Promise<void> {
  let state = start
  const after = (event: AnyEventObject): State => ({ ...state, ...rules[event.type]?.(state, event) })
  const isRefusedWrongly = (event: AnyEventObject, snapshot: AnyMachineSnapshot) =>
    !snapshot.can(event) && !isDeepStrictEqual(after(event), state)
  const refused = (snapshot: AnyMachineSnapshot): string[] =>
    accepts(state).filter((type) => {
      const tried = path.tries(type, snapshot)
      const isPossible = tried.length === 0 || tried.some((event) => snapshot.can(event))
      return !isPossible || tried.some((event) => isRefusedWrongly(event, snapshot))
    })
  const check = (snapshot: AnyMachineSnapshot) => {
    expect(seen()).toEqual(shown(state))
    if (snapshot.status === 'active') expect(refused(snapshot), 'events that the machine must accept here').toEqual([])
  }
  check(path.start)
  await follow(path, drive, ({ event, expected }) => {
    expect(accepts(state), 'events that the reference accepts here').toContain(event.type)
    state = after(event)
    check(expected)
  })
}
