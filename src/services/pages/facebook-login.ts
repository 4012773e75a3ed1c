import * as z from 'zod/mini'
import {
  type BegunLogin,
  type CompletedLogin,
  type ConnectedPage,
  type LoginReturned,
  loginReturnOf,
} from '../../domain/pages/facebook-login.ts'
import {
  begunLoginAnswer,
  type CompleteLoginBody,
  type ConnectOfferedPageBody,
  type OfferedPage,
  offeredPage,
} from '../../schemas/facebook-login.ts'
import { successAnswer } from '../../schemas/primitives.ts'
import { type Http, rows } from '../http.ts'

/** The page of the network's return (public/facebook-login.js) posts its query to this channel. */
const channelName = 'facebook-login'

type LoginWindow = { close(): void; location: { replace(address: string): void } }

export type LoginBrowser = {
  /** Null if the browser blocks the window. */
  openWindow(): LoginWindow | null
  /** Returns a function that stops the reports. */
  listen(name: string, report: (message: unknown) => void): () => void
}

export const loginBrowser = (window: Window): LoginBrowser => ({
  openWindow: () => window.open('about:blank', '_blank', 'popup,width=640,height=760'),
  listen: (name, report) => {
    const channel = new BroadcastChannel(name)
    channel.addEventListener('message', ({ data }) => report(data))
    return () => channel.close()
  },
})

/**
 * The calls of Facebook Login for Business (feature 'facebook-login'). All throw a `Failure` that contains no token.
 * Calls that change data are never aborted.
 */
export function createFacebookLogin(http: Http, log: { warn: (text: string) => void }, browser: LoginBrowser) {
  const completed = z.object({
    success: z.literal(true),
    data: z.object({ pages: rows(offeredPage, log, 'pages') }),
  })

  return {
    /**
     * Opens the window of the network. Browsers allow a window only right after a press, so it opens before the call,
     * and goes to the network after it.
     */
    beginLogin: async (signal: AbortSignal): Promise<BegunLogin> => {
      const opened = browser.openWindow()
      try {
        const { data } = await http.post('/facebook/logins', { schema: begunLoginAnswer, signal })
        opened?.location.replace(data.address)
        return { stateToken: data.state, address: data.address, isWindowOpen: opened !== null }
      } catch (error) {
        opened?.close()
        throw error
      }
    },

    /** Reports how the network returned the person, in whichever tab. Returns a function that stops the reports. */
    watchReturn: ({ stateToken }: { stateToken: string }, report: (event: LoginReturned) => void): (() => void) =>
      browser.listen(channelName, (message) => {
        const returned = typeof message === 'string' ? loginReturnOf(message, stateToken) : null
        if (returned !== null) report({ type: 'login.returned', ...returned })
      }),

    /** Returns the pages that the person may connect. */
    completeLogin: async ({ stateToken, codeToken }: CompletedLogin): Promise<readonly OfferedPage[]> => {
      const body: CompleteLoginBody = { state: stateToken, code: codeToken }
      return (await http.post('/facebook/logins/complete', { schema: completed, body })).data.pages
    },

    connectPage: async ({ stateToken, pageId }: ConnectedPage): Promise<void> => {
      const body: ConnectOfferedPageBody = { state: stateToken, page_id: pageId }
      await http.post('/facebook/logins/connect', { schema: successAnswer, body })
    },
  }
}
