import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Clock } from '../../clock.ts'
import { createLogLimit } from '../../log-limit.ts'
import type { Logger } from '../../logger.ts'
import type { Erasures } from '../../people/erasures.ts'
import type { Graph } from '../graph/graph.ts'
import { GraphError } from '../graph/graph-error.ts'
import { userOfSignedRequest } from './signed-request.ts'

const maxBodyBytes = 16 * 1024
/** Per minute: the endpoints are public, so anyone could fill the log. */
const maxLoggedRejections = 10

/**
 * The network's callbacks about data, to be mounted at /webhooks/meta: a person who asks for the deletion of their data
 * (`POST /data-deletion`, with a status page for the confirmation code), and a person who took the app's rights away
 * (`POST /deauthorize`). Both carry a `signed_request`.
 */
export function createDataCallbacks({
  appSecret,
  appToken,
  graph,
  erasures,
  checkTokens,
  isBehindProxy,
  clock,
  logger,
}: {
  appSecret: string
  /** The app's own token. */
  appToken: string
  graph: Pick<Graph, 'pageScopedIds'>
  erasures: Pick<Erasures, 'beginNetworkUser' | 'find'>
  /** Finds the pages whose token is not valid any more. */
  checkTokens: () => void
  /** TLS ends at a proxy that names the scheme in X-Forwarded-Proto. */
  isBehindProxy: boolean
  clock: Clock
  logger: Pick<Logger, 'warn'>
}): Hono {
  const app = new Hono()
  const mayLog = createLogLimit({ max: maxLoggedRejections, window: 60_000, clock })
  const tooLarge = bodyLimit({
    maxSize: maxBodyBytes,
    onError: (c) => c.json({ success: false, error: 'The request is too large' }, 413),
  })

  function userOf(form: Record<string, unknown>): { userId: string; signedRequest: string } | null {
    const signedRequest = form['signed_request']
    const userId = typeof signedRequest === 'string' ? userOfSignedRequest(appSecret, signedRequest) : null
    if (typeof signedRequest === 'string' && userId !== null) return { userId, signedRequest }
    if (mayLog()) logger.warn('a callback about data was rejected: it is not signed with META_APP_SECRET')
    return null
  }

  /** The ids under which pages may know the person: the app's id of the person, and the id that each page has. */
  async function idsOf(userId: string): Promise<string[]> {
    try {
      return [userId, ...(await graph.pageScopedIds(appToken, userId))]
    } catch (error) {
      // The network does not tell the ids of every person, for example of one who never wrote to a page.
      if (error instanceof GraphError && !error.uncertain) return [userId]
      throw error
    }
  }

  const refused = { success: false, error: 'The signed request does not match' }

  app.post('/data-deletion', tooLarge, async (c) => {
    const user = userOf(await c.req.parseBody())
    if (user === null) return c.json(refused, 401)
    let code: string
    try {
      code = await erasures.beginNetworkUser(await idsOf(user.userId), user.signedRequest)
    } catch (error) {
      if (!(error instanceof GraphError)) throw error
      if (mayLog()) logger.warn('a request for the deletion of data was answered 503: the network did not tell the ids')
      c.header('retry-after', '60')
      return c.json({ success: false, error: 'The network does not answer. Try again in a minute.' }, 503)
    }
    const { host, protocol } = new URL(c.req.url)
    const scheme = isBehindProxy ? (c.req.header('x-forwarded-proto') ?? protocol) : protocol
    const origin = `${scheme.startsWith('https') ? 'https' : 'http'}://${host}`
    return c.json({ url: `${origin}/webhooks/meta/data-deletion/${code}`, confirmation_code: code })
  })

  app.post('/deauthorize', tooLarge, async (c) => {
    if (userOf(await c.req.parseBody()) === null) return c.json(refused, 401)
    checkTokens()
    return c.json({ success: true })
  })

  app.get('/data-deletion/:code', async (c) => {
    c.header('cache-control', 'no-store')
    const erasure = await erasures.find(c.req.param('code'))
    if (erasure === null) return c.html(pageWith('No request has this code. Check the address.'), 404)
    return c.html(
      pageWith(
        erasure.state === 'completed'
          ? 'Your data was deleted from the inbox of this business.'
          : 'Your data is being deleted from the inbox of this business. Look again in a few minutes.',
      ),
    )
  })

  return app
}

const pageWith = (sentence: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Deletion of your data</title></head><body><main><h1>Deletion of your data</h1><p>${sentence}</p></main></body></html>`
