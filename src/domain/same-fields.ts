/** Whether two entities have equal fields. A missing field equals null. Values are compared with `===`. */
export function hasSameFields<Entity extends object>(a: Entity, b: Entity): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof Entity>
  for (const key of keys) if ((a[key] ?? null) !== (b[key] ?? null)) return false
  return true
}
