import { type Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import {
  passwordResetBody,
  passwordResetOfferAnswer,
  passwordResetRequestAnswer,
  passwordResetRequestBody,
} from '../../src/schemas/password-reset.ts'
import { createAttempts } from '../auth/attempts.ts'
import type { PasswordReset } from '../auth/password-reset.ts'
import { PasswordsBusy } from '../auth/passwords.ts'
import { networkOf } from '../client-address.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { described, refuse, refuseTooMany, refuseWeakPassword, valid } from './answers.ts'
import { sourceOf } from './authentication.ts'

const window = 60 * 60_000

/**
 * A new password by an emailed link. Mounted at /api/auth. `reset` is undefined if the server sends no emails or the
 * identity provider is a hosted one, which has its own links.
 */
export const createPasswordResetRoutes = ({
  db,
  reset,
  clock,
  addressOf,
}: {
  db: Db
  reset: PasswordReset | undefined
  clock: Clock
  /** The client's IP address; attempts are counted per address. */
  addressOf: (c: Context) => string
}) => {
  const attempts = createAttempts({ db, clock })
  const notOffered = (c: Context) => refuse(c, 409, 'This server sends no emails. Please ask an administrator.')

  return new Hono()
    .get(
      '/password-reset',
      described({
        tag: 'Authentication',
        summary: 'Whether the server can email a link for a new password',
        answer: passwordResetOfferAnswer,
        guard: 'none',
      }),
      (c) =>
        c.json({ success: true, data: { isOffered: reset !== undefined } } satisfies z.infer<
          typeof passwordResetOfferAnswer
        >),
    )
    .post(
      '/password-reset/request',
      described({
        tag: 'Authentication',
        summary: 'Email a link for a new password; the answer is the same for every email',
        answer: passwordResetRequestAnswer,
        done: 'If the email belongs to an account, the link is on its way',
        guard: 'none',
        takesBody: true,
        refusals: { 409: 'The server sends no emails', 429: 'Too many requests from this address or for this email' },
      }),
      valid('json', passwordResetRequestBody),
      async (c) => {
        if (reset === undefined) return notOffered(c)
        const email = c.req.valid('json').email.trim()
        const limits = [
          { key: `password reset address ${networkOf(addressOf(c))}`, max: 20, window },
          { key: `password reset e-mail ${email.toLowerCase()}`, max: 5, window },
        ]
        if ((await attempts.take(limits)) === null) return refuseTooMany(c)
        await reset.request(email)
        return c.json({ success: true } satisfies z.infer<typeof passwordResetRequestAnswer>)
      },
    )
    .post(
      '/password-reset/complete',
      described({
        tag: 'Authentication',
        summary: 'Set a new password with the token of an emailed link; ends all sessions of the person',
        answer: passwordResetRequestAnswer,
        done: 'The new password is set',
        guard: 'none',
        takesBody: true,
        refusals: {
          409: 'The server sends no emails',
          410: 'The link was used, replaced by a newer one, or is older than one hour',
          422: 'The password breaks a rule (code WEAK_PASSWORD)',
          429: 'Too many calls from this address',
          503: 'Too many passwords are being checked; retry after the time in Retry-After',
        },
      }),
      valid('json', passwordResetBody),
      async (c) => {
        if (reset === undefined) return notOffered(c)
        const key = `password reset completion ${networkOf(addressOf(c))}`
        const attempt = await attempts.take([{ key, max: 30, window }])
        if (attempt === null) return refuseTooMany(c)
        const outcome = await reset
          .complete(c.req.valid('json'), sourceOf(c, addressOf))
          .catch(async (error: unknown) => {
            if (error instanceof PasswordsBusy) await attempt.giveBack()
            throw error
          })
        if (outcome === 'badLink') {
          return refuse(c, 410, 'This link is no longer valid. Please ask for a new one.', 'LINK_ENDED')
        }
        if (outcome === 'weakPassword') return refuseWeakPassword(c)
        return c.json({ success: true } satisfies z.infer<typeof passwordResetRequestAnswer>)
      },
    )
}
