import type { AnyActorRef, AnyStateMachine } from 'xstate'
import { Failure, type FailureFacts, SessionLost } from '../../src/domain/failure.ts'

/** Replaces the outside world during a replay. */
export type Outside = {
  machine: (id: string) => AnyStateMachine
  /** The recorded result of an outside function. */
  ask: (name: string) => unknown
  /** The actor that a context refers to. */
  actor: (id: string) => AnyActorRef
}

/** A placeholder text of that length, different for each number. */
const standIn = (number: number, length: number): string => number.toString(36).padStart(length, 'x').slice(-length)

/** Turns reported values back into live values. */
export function revive(value: unknown, outside: Outside): unknown {
  const inner = (item: unknown) => revive(item, outside)
  if (Array.isArray(value)) return value.map(inner)
  if (typeof value !== 'object' || value === null) return value
  const tag = tagOf(value)
  const held: unknown = Object.values(value)[0]
  if (tag === null) return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inner(item)]))
  switch (tag) {
    case '$text':
      return Array.isArray(held) ? held.map(partOf).join('') : ''
    case '$secret':
      // As long as a password has to be, for the guards.
      return 'a secret'
    case '$undefined':
      return undefined
    case '$number':
      return Number(held)
    case '$function':
      return () => outside.ask(String(held))
    case '$actor':
      return outside.actor(String(held))
    case '$machine':
      return outside.machine(String(held))
    case '$set':
      return new Set(Array.isArray(held) ? held.map(inner) : [])
    case '$map':
      return new Map(
        Array.isArray(held) ? held.map((entry): [unknown, unknown] => [inner(entry[0]), inner(entry[1])]) : [],
      )
    case '$error':
      return errorOf(fieldsOf(inner(held)))
    case '$snapshot': {
      const { machine, value: state, status, context } = fieldsOf(held)
      const known = outside.machine(String(machine))
      const resolved = known.resolveState({ value: state as never, context: fieldsOf(inner(context)) })
      return { ...resolved, status }
    }
    default:
      return {}
  }
}

const partOf = (part: unknown): string =>
  Array.isArray(part) ? standIn(Number(part[0]), Number(part[1])) : String(part)

/** The tag of a value that JSON cannot represent; null for a plain value. */
export function tagOf(value: unknown): string | null {
  const [tag, ...rest] = Object.keys(fieldsOf(value))
  return tag?.startsWith('$') && rest.length === 0 ? tag : null
}

export const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

function errorOf({ name, message, ...facts }: Record<string, unknown>): Error {
  if (name === 'Failure') return new Failure(facts as FailureFacts)
  if (name === 'SessionLost') return new SessionLost(String(message))
  return Object.assign(new Error(String(message)), facts, { name })
}
