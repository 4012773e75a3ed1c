/** What was looked for; an error of the test where it is not there. */
export function found<Thing>(thing: Thing | null | undefined, what: string): Thing {
  if (thing === null || thing === undefined) throw new Error(`${what} is not there`)
  return thing
}
