import type { SessionRef } from '../../../src/views/actors.tsx'

const subscribe = () => ({ unsubscribe: () => undefined })

/** The session of a person with these permissions, for views that read nothing else of it. */
export const sessionOf = (permissions: readonly string[]): SessionRef => {
  const signedIn = { context: { user: { id: 'u1', permissions } } }
  return { getSnapshot: () => signedIn, subscribe, system: { get: () => undefined } } as unknown as SessionRef
}
