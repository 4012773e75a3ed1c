/**
 * An immutable map that is cheap to change even when it is large. Changes are stored in a small layer over a shared
 * base. A large layer is merged into a new base.
 */
export type LayeredMap<Value> = {
  readonly base: ReadonlyMap<string, Value>
  /** The value is undefined for a removed key of the base. */
  readonly layer: ReadonlyMap<string, Value | undefined>
}

const layerLimit = 500

export const emptyLayers: LayeredMap<never> = { base: new Map<string, never>(), layer: new Map<string, never>() }

export const lookUp = <Value>({ base, layer }: LayeredMap<Value>, key: string): Value | undefined =>
  layer.has(key) ? layer.get(key) : base.get(key)

/** The map with these values set. A key whose value is undefined is removed. */
export function withChanges<Value>(
  { base, layer }: LayeredMap<Value>,
  changes: ReadonlyMap<string, Value | undefined>,
): LayeredMap<Value> {
  if (layer.size + changes.size <= layerLimit) {
    const next = new Map(layer)
    for (const [key, value] of changes) next.set(key, value)
    return { base, layer: next }
  }
  const folded = new Map(base)
  for (const changed of [layer, changes])
    for (const [key, value] of changed) {
      if (value === undefined) folded.delete(key)
      else folded.set(key, value)
    }
  return { base: folded, layer: new Map() }
}
