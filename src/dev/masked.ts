/** Keys whose values are secrets or somebody's words; the inspector is another window and keeps what it is shown. */
const masked = /password|token|secret|authorization|^text$|_text$|Text$|^draft|^apikey$/i
const jsonWebToken = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g

/** A copy of plain data in which passwords, tokens and the texts of messages are dots. Takes anything, throws nothing. */
export function maskedCopy(value: unknown, seen: ReadonlySet<unknown> = new Set()): unknown {
  if (typeof value === 'string') return value.replace(jsonWebToken, '•••')
  if (typeof value === 'function') return undefined
  if (typeof value !== 'object' || value === null) return value
  if (seen.has(value)) return '…'
  const within = new Set([...seen, value])
  if (Array.isArray(value)) return value.map((item) => maskedCopy(item, within))
  if (value instanceof Set) return maskedCopy([...value], within)
  if (value instanceof Map) return maskedCopy(Object.fromEntries(value), within)
  // An actor is shown by its own snapshots.
  if ('sessionId' in value && 'getSnapshot' in value) return `actor ${String(value.sessionId)}`
  if (value instanceof Error) return { name: value.name, message: value.message.replace(jsonWebToken, '•••') }
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      masked.test(key) && typeof inner === 'string' ? '•••' : maskedCopy(inner, within),
    ]),
  )
}
