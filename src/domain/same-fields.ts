const isSame = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b)
    ? a.length === b.length && a.every((item, index) => item === b[index])
    : (a ?? null) === (b ?? null)

/**
 * Whether two entities have equal fields. A missing field equals null. Values, and the items of arrays, are compared
 * with `===`.
 */
export function hasSameFields<Entity extends object>(a: Entity, b: Entity): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof Entity>
  for (const key of keys) if (!isSame(a[key], b[key])) return false
  return true
}

/** Whether two forms hold the same values, which JSON can express. */
export const haveSameValues = <Fields extends object>(one: Fields, other: Fields): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
