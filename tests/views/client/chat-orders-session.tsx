import type { SessionRef } from '../../../src/views/actors.tsx'

const subscribe = () => ({ unsubscribe: () => undefined })
const nothing = { getSnapshot: () => ({}), subscribe, system: { get: () => undefined } }

/** The session of a person with these permissions, for views that read nothing else of it. Its API offers no parts. */
export const sessionOf = (permissions: readonly string[]): SessionRef => {
  const signedIn = { context: { user: { id: 'u1', permissions } } }
  const system = { get: (name: string) => (name === 'laterParts' ? nothing : undefined) }
  return { getSnapshot: () => signedIn, subscribe, system } as unknown as SessionRef
}
