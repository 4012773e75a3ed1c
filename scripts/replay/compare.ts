import { fieldsOf, tagOf } from './revive.ts'

/**
 * The differences between a reported and a live value, each with its path. Masked texts match if their lengths match and
 * equal masks stand for equal texts.
 */
export function differences(reported: unknown, live: unknown): string[] {
  const found: string[] = []
  const textOf = new Map<string, string>()
  const maskOf = new Map<string, string>()

  const differ = (path: string, one: unknown, other: unknown) => {
    found.push(`${path || 'all of it'}: ${abbreviate(one)} in the report, ${abbreviate(other)} now`)
  }
  const sameText = (parts: unknown, text: unknown): boolean => {
    if (typeof text !== 'string' || !Array.isArray(parts)) return false
    const length = parts.reduce(
      (sum: number, part) => sum + (Array.isArray(part) ? Number(part[1]) : String(part).length),
      0,
    )
    if (length !== text.length) return false
    const mask = JSON.stringify(parts)
    if ((textOf.get(mask) ?? text) !== text || (maskOf.get(text) ?? mask) !== mask) return false
    textOf.set(mask, text)
    maskOf.set(text, mask)
    return true
  }
  /** Compares a tagged value with the live value. False if their types differ. */
  const tagged: Record<string, (held: unknown, other: unknown, path: string) => boolean> = {
    $text: sameText,
    $secret: (_, other) => typeof other === 'string',
    $undefined: (_, other) => other === undefined,
    $number: (held, other) => Object.is(Number(held), other),
    $function: (_, other) => typeof other === 'function',
    $actor: hasId,
    $machine: hasId,
    $circle: () => true,
    $other: () => true,
    $set: (held, other, path) => other instanceof Set && compare(path, held, [...other]),
    $map: (held, other, path) => other instanceof Map && compare(path, held, [...other]),
    $error: (held, other, path) =>
      other instanceof Error && compare(path, held, { ...other, name: other.name, message: other.message }),
  }

  function compare(path: string, one: unknown, other: unknown): true {
    const tag = tagOf(one)
    const check =
      tag === null ? untagged(one, other, path) : tagged[tag]?.(Object.values(fieldsOf(one))[0], other, path)
    if (check !== true) differ(path, one, other)
    return true
  }

  function untagged(one: unknown, other: unknown, path: string): boolean {
    if (Array.isArray(one)) {
      if (!Array.isArray(other) || one.length !== other.length) return false
      return one.every((item, index) => compare(`${path}[${index}]`, item, other[index]))
    }
    if (typeof one !== 'object' || one === null) return Object.is(one, other)
    if (typeof other !== 'object' || other === null || Array.isArray(other)) return false
    const [ones, others] = [fieldsOf(one), fieldsOf(other)]
    const names = new Set([...Object.keys(ones), ...Object.keys(others).filter((name) => others[name] !== undefined)])
    return [...names].every((name) => compare(path === '' ? name : `${path}.${name}`, ones[name], others[name]))
  }

  compare('', reported, live)
  return found
}

const hasId = (held: unknown, other: unknown): boolean =>
  typeof other === 'object' && other !== null && 'id' in other && other.id === held

function abbreviate(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value, withoutActors) ?? typeof value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

const withoutActors = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'sessionId' in value ? 'an actor' : value
