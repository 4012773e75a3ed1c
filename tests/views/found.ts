/** Returns the value; throws if it is null or undefined. */
export function found<Thing>(thing: Thing | null | undefined, what: string): Thing {
  if (thing === null || thing === undefined) throw new Error(`${what} is not there`)
  return thing
}
