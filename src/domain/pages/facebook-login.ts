import type { OfferedPage } from '../../schemas/facebook-login.ts'

/** A login that the server began. `address` is the page of the network where the person signs in. */
export type BegunLogin = {
  /** Identifies the login. Reports and the inspector omit fields of this name. */
  stateToken: string
  address: string
  /** False if the browser blocked the window. */
  isWindowOpen: boolean
}

/** How the network returned the person to the inbox. */
export type LoginReturn =
  | { outcome: 'allowed'; codeToken: string }
  /** The person cancelled. */
  | { outcome: 'cancelled' }
  /** The network had an error. */
  | { outcome: 'failed' }

export type LoginReturned = { type: 'login.returned' } & LoginReturn

export type CompletedLogin = { stateToken: string; codeToken: string }
export type ConnectedPage = { stateToken: string; pageId: string }

/** A page that could not be connected, with the reason for staff. */
export type LoginPageFailure = { page: OfferedPage; reason: string }

/** Reads the query of the address that the network returned to; null if it is not about this login. */
export function loginReturnOf(query: string, stateToken: string): LoginReturn | null {
  const parameters = new URLSearchParams(query)
  if (parameters.get('state') !== stateToken) return null
  const code = parameters.get('code')
  if (code !== null && code !== '') return { outcome: 'allowed', codeToken: code }
  return { outcome: parameters.get('error') === 'access_denied' ? 'cancelled' : 'failed' }
}

/** The pages that can be connected. */
export const connectable = (pages: readonly OfferedPage[]): readonly OfferedPage[] =>
  pages.filter((page) => !page.is_connected)
