import { passwordResetOfferAnswer, passwordResetRequestAnswer } from '../../schemas/password-reset.ts'
import type { Http } from '../http.ts'

const mark = '#reset='

type Settings = {
  /** The client without tokens. */
  http: Http
  location: Pick<Location, 'hash' | 'pathname' | 'search'>
  history: Pick<History, 'replaceState' | 'state'>
}

/** A new password by an emailed link. Loaded on demand. The token of the link stays here. Each call rejects with Failure. */
export function createPasswordReset({ http, location, history }: Settings) {
  let token: string | null = null

  return {
    /**
     * Whether the server emails links, and whether the page was opened by one. The token is removed from the address,
     * so that it stays neither in the history nor in a copied address.
     */
    lookUp: async (signal: AbortSignal): Promise<{ isOffered: boolean; hasLink: boolean }> => {
      if (location.hash.startsWith(mark)) {
        token = location.hash.slice(mark.length)
        history.replaceState(history.state, '', `${location.pathname}${location.search}`)
      }
      const { data } = await http.get('/auth/password-reset', { schema: passwordResetOfferAnswer, signal })
      return { isOffered: data.isOffered, hasLink: token !== null }
    },

    requestLink: async ({ email }: { email: string }): Promise<void> => {
      await http.post('/auth/password-reset/request', { body: { email }, schema: passwordResetRequestAnswer })
    },

    /** Sets the new password with the link's token. */
    useLink: async ({ password }: { password: string }): Promise<void> => {
      const body = { token: token ?? '', password }
      await http.post('/auth/password-reset/complete', { body, schema: passwordResetRequestAnswer })
      token = null
    },
  }
}
