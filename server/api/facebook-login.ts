import { type Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import {
  begunLoginAnswer,
  completedLoginAnswer,
  completeLoginBody,
  connectOfferedPageBody,
} from '../../src/schemas/facebook-login.ts'
import { savedPageAnswer } from '../../src/schemas/page.ts'
import { createAttempts } from '../auth/attempts.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import type { FacebookLogin } from '../network/pages/facebook-login.ts'
import { described, refuse, refuseTooMany, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'
import { handlePageError, networkRefusals } from './page-refusal.ts'
import { toApiPage } from './pages.ts'

const tag = 'Pages'
/** Of one staff member. */
const beginLimit = { max: 20, window: 10 * 60_000 }

/** Facebook Login for Business, to be mounted at /api/facebook. `facebookLogin` is null if the server does not offer it. */
export function createFacebookLoginRoutes({
  db,
  facebookLogin,
  clock,
}: {
  db: Db
  facebookLogin: FacebookLogin | null
  clock: Clock
}) {
  const attempts = createAttempts({ db, clock })
  const notOffered = (c: Context) =>
    refuse(c, 409, 'This server is not set up for Facebook Login. Paste a token instead.')
  const ended = 'The login has expired, was used already or belongs to another session'

  return new Hono<Authenticated>()
    .onError(handlePageError)
    .post(
      '/logins',
      described({
        tag,
        summary: 'Begin a login at the network that offers pages to connect',
        answer: begunLoginAnswer,
        refusals: { 409: 'The server does not offer logins', 429: 'Too many logins were begun' },
      }),
      requirePermission('pages.manage'),
      async (c) => {
        if (facebookLogin === null) return notOffered(c)
        const taken = await attempts.take([{ key: `facebook login ${c.get('staff').id}`, ...beginLimit }])
        if (taken === null) return refuseTooMany(c)
        const data = await facebookLogin.begin({ sessionId: c.get('sessionId'), origin: originOf(c) })
        return c.json({ success: true, data } satisfies z.infer<typeof begunLoginAnswer>)
      },
    )
    .post(
      '/logins/complete',
      described({
        tag,
        takesBody: true,
        summary: 'Exchange the code of a login, once, and list the pages that it offers',
        answer: completedLoginAnswer,
        refusals: { 409: 'The server does not offer logins', 410: ended, ...networkRefusals },
      }),
      requirePermission('pages.manage'),
      valid('json', completeLoginBody),
      async (c) => {
        if (facebookLogin === null) return notOffered(c)
        const pages = await facebookLogin.complete(c.req.valid('json'), c.get('sessionId'))
        return c.json({ success: true, data: { pages } } satisfies z.infer<typeof completedLoginAnswer>)
      },
    )
    .post(
      '/logins/connect',
      described({
        tag,
        takesBody: true,
        summary: 'Connect a page that a login offers',
        answer: savedPageAnswer,
        refusals: { 409: 'The page is connected already', 410: ended, ...networkRefusals },
      }),
      requirePermission('pages.manage'),
      valid('json', connectOfferedPageBody),
      async (c) => {
        if (facebookLogin === null) return notOffered(c)
        const { state, page_id: pageId } = c.req.valid('json')
        const page = await facebookLogin.connect({ state, pageId }, c.get('sessionId'), c.get('actor'))
        return c.json({ success: true, data: toApiPage(page) } satisfies z.infer<typeof savedPageAnswer>)
      },
    )
}

/** Where the pages of the client were opened. Only the sandbox uses it: with the real network PUBLIC_URL names the address. */
function originOf(c: Context): string {
  const given = c.req.header('origin') ?? ''
  return /^https?:\/\//.test(given) && URL.canParse(given) ? new URL(given).origin : new URL(c.req.url).origin
}
