import type { Provider } from '../../../src/services/session/supabase.ts'

/** An identity provider where nobody is signed in, unless `given` says otherwise. `heard`: each sign-out and leaving. */
export function createProvider(given: Partial<Provider> = {}) {
  const heard: string[] = []
  const provider: Provider = {
    client: () => Promise.reject(new Error('not here')),
    hasStoredSession: () => false,
    accessToken: async () => null,
    currentUser: async () => null,
    signIn: async () => {},
    signUp: async () => {},
    signOut: async () => void heard.push('signed out'),
    leave: () => void heard.push('left'),
    ...given,
  }
  return { provider, heard }
}
