import { type Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import type { AuthUser } from '../../src/schemas/auth.ts'
import {
  codeBody,
  disableAnswer,
  enrolmentAnswer,
  enrolmentBody,
  passAnswer,
  proofsBody,
  recoveryCodesAnswer,
  secondFactorStatusAnswer,
} from '../../src/schemas/second-factor.ts'
import { staffActor } from '../audit/audit.ts'
import type { SignInRefusals } from '../audit/sign-in-refusals.ts'
import type { IdentityProvider } from '../auth/identity-provider.ts'
import { createOwnPasswordCheck } from '../auth/own-password.ts'
import { removeSecondFactor, type SecondFactors } from '../auth/second-factors.ts'
import { findStaffBySession, findStaffBySupabaseId } from '../auth/staff.ts'
import type { ProductTokens } from '../auth/tokens.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/transaction.ts'
import { described, refuse, refuseTooMany, valid } from './answers.ts'
import { authenticate, bearerToken, sourceOf } from './authentication.ts'

const wrongCode = (c: Context) => refuse(c, 422, 'This code is not valid. Please enter the newest one.', 'WRONG_CODE')
const noProvider =
  'Your account uses the old sign-in. Ask an administrator to reset your password, then set up the second factor.'

const unavailable = 'The identity provider cannot be reached, or too many passwords are being checked'
const proofRefusals = {
  409: 'The person has no second factor',
  422: 'The password or the code is wrong (code WRONG_PASSWORD or WRONG_CODE)',
  429: 'Too many wrong passwords or codes',
  503: unavailable,
}

/** Who enrols: with a product session, or during a sign-in with a provider session that needs no code. */
type Enrolling = {
  user: AuthUser
  keep: { providerSessionId: string | null; productSessionId?: string }
}

/** The second factor (TOTP): status, enrolment, the code at sign-in, removal and new recovery codes. Mounted at /api/auth. */
export const createSecondFactorRoutes = ({
  db,
  provider,
  tokens,
  secondFactors,
  refusals,
  clock,
  addressOf,
}: {
  db: Db
  provider: IdentityProvider
  tokens: ProductTokens
  secondFactors: SecondFactors
  refusals: SignInRefusals
  clock: Clock
  /** The client's IP address; attempts are counted per address. */
  addressOf: (c: Context) => string
}) => {
  const checkPassword = createOwnPasswordCheck({ db, provider, clock })

  const staffOfProvider = async (token: string) => {
    const providerUser = await provider.verify(token)
    if (providerUser === null) return null
    const member = await findStaffBySupabaseId(db, providerUser.subject)
    return member?.isActive ? { user: member.user, providerSessionId: providerUser.sessionId } : null
  }

  /** The answer to a code that was not accepted. Leaves an audit entry, as a wrong password does. */
  async function refuseCode(c: Context, email: string, outcome: 'wrong' | 'tooMany') {
    const reason = outcome === 'wrong' ? 'wrong-code' : 'too-many-attempts'
    await refusals.record({ source: sourceOf(c, addressOf), email, reason })
    return outcome === 'wrong' ? wrongCode(c) : refuseTooMany(c)
  }

  /** The person behind a product token, or behind a provider token that needs no code of a factor. */
  const findEnrolling = async (c: Context): Promise<Enrolling | null> => {
    const token = bearerToken(c.req.header('authorization'))
    if (token === null) return null
    const claims = await tokens.verify(token)
    if (claims !== null) {
      const member = await findStaffBySession(db, claims)
      if (member === null || !member.isActive) return null
      const session = await db
        .selectFrom('staff_sessions')
        .select('provider_session_id')
        .where('id', '=', claims.sessionId)
        .executeTakeFirst()
      const providerSessionId = session?.provider_session_id ?? null
      return { user: member.user, keep: { providerSessionId, productSessionId: claims.sessionId } }
    }
    const signingIn = await staffOfProvider(token)
    if (signingIn === null) return null
    const { user, providerSessionId } = signingIn
    const need = await secondFactors.needOf(db, { staffId: user.id, role: user.role, providerSessionId })
    return need === 'code' ? null : { user, keep: { providerSessionId } }
  }

  /** The id of a person at the identity provider. Null: the person has a legacy password only. */
  const subjectOf = async (staffId: string): Promise<string | null> => {
    const staff = await db.selectFrom('staff').select('supabase_id').where('id', '=', staffId).executeTakeFirst()
    return staff?.supabase_id ?? null
  }

  /** The refusal of a password that is wrong or may not be checked now; null for the right one. */
  const refusalOfPassword = async (c: Context, credentials: { email: string; subject: string; password: string }) => {
    const verdict = await checkPassword({ ...credentials, address: addressOf(c) })
    if (verdict === 'tooMany') return refuseTooMany(c)
    return verdict === 'wrong' ? refuse(c, 422, 'This is not your password.', 'WRONG_PASSWORD') : null
  }

  /** The refusal of a change of the own factor, which needs the password and a code; null if both are right. */
  const refusalOfProofs = async (c: Context, user: AuthUser, { password, code }: z.infer<typeof proofsBody>) => {
    const { id: staffId, email, role } = user
    const subject = await subjectOf(staffId)
    if (subject === null || !(await secondFactors.statusOf({ staffId, role })).isOn) {
      return refuse(c, 409, 'Your account has no second factor.')
    }
    const refused = await refusalOfPassword(c, { email, subject, password })
    if (refused !== null) return refused
    const outcome = await secondFactors.check(staffId, code)
    return outcome === 'right' ? null : refuseCode(c, email, outcome)
  }

  return new Hono()
    .get(
      '/second-factor',
      described({
        tag: 'Authentication',
        summary: 'Whether the person has a second factor',
        answer: secondFactorStatusAnswer,
        guard: 'token',
      }),
      authenticate({ db, tokens, addressOf }),
      async (c) => {
        const { id: staffId, role } = c.get('staff')
        return c.json({ success: true, data: await secondFactors.statusOf({ staffId, role }) } satisfies z.infer<
          typeof secondFactorStatusAnswer
        >)
      },
    )
    .post(
      '/second-factor/begin',
      described({
        tag: 'Authentication',
        summary:
          'Create a secret for an authenticator app, with the password; the bearer token is of the product or of the provider',
        answer: enrolmentAnswer,
        done: 'The secret, which is shown only now',
        guard: 'token',
        takesBody: true,
        refusals: {
          409: 'The person has a second factor already, or no account at the identity provider',
          422: 'The password is wrong (code WRONG_PASSWORD)',
          429: 'Too many wrong passwords',
          503: unavailable,
        },
      }),
      valid('json', enrolmentBody),
      async (c) => {
        const enrolling = await findEnrolling(c)
        if (enrolling === null) return refuse(c, 401, 'Authentication required')
        const { id: staffId, email } = enrolling.user
        const subject = await subjectOf(staffId)
        if (subject === null) return refuse(c, 409, noProvider)
        const refused = await refusalOfPassword(c, { email, subject, password: c.req.valid('json').password })
        if (refused !== null) return refused
        const begun = await secondFactors.begin({ staffId, email })
        if (begun === null) return refuse(c, 409, 'Your account has a second factor already.')
        return c.json({ success: true, data: begun } satisfies z.infer<typeof enrolmentAnswer>)
      },
    )
    .post(
      '/second-factor/confirm',
      described({
        tag: 'Authentication',
        summary: "Confirm the secret with a code; ends the person's other sessions",
        answer: recoveryCodesAnswer,
        done: 'The recovery codes, which are shown only now',
        guard: 'token',
        takesBody: true,
        refusals: {
          409: 'No enrolment was begun',
          422: 'The code is wrong (code WRONG_CODE)',
          429: 'Too many wrong codes',
        },
      }),
      valid('json', codeBody),
      async (c) => {
        const enrolling = await findEnrolling(c)
        if (enrolling === null) return refuse(c, 401, 'Authentication required')
        const { user, keep } = enrolling
        const confirmed = await secondFactors.confirm({
          staffId: user.id,
          code: c.req.valid('json').code,
          keep,
          by: staffActor(user, sourceOf(c, addressOf)),
        })
        if (confirmed.outcome === 'tooMany') return refuseTooMany(c)
        if (confirmed.outcome === 'wrong') return wrongCode(c)
        if (confirmed.outcome !== 'right') return refuse(c, 409, 'Please start again: this setup is no longer open.')
        const { recoveryCodes } = confirmed
        return c.json({ success: true, data: { recoveryCodes } } satisfies z.infer<typeof recoveryCodesAnswer>)
      },
    )
    .post(
      '/second-factor/verify',
      described({
        tag: 'Authentication',
        summary: 'Enter a code at sign-in; the bearer token is of the identity provider',
        answer: passAnswer,
        done: "The provider's token can now be exchanged",
        guard: 'token',
        takesBody: true,
        refusals: { 422: 'The code is wrong (code WRONG_CODE)', 429: 'Too many wrong codes' },
      }),
      valid('json', codeBody),
      async (c) => {
        const token = bearerToken(c.req.header('authorization'))
        const signingIn = token === null ? null : await staffOfProvider(token)
        if (signingIn === null || signingIn.providerSessionId === null) return refuse(c, 401, 'Authentication required')
        const { user, providerSessionId } = signingIn
        const outcome = await secondFactors.pass(user.id, c.req.valid('json').code, providerSessionId)
        if (outcome !== 'right') return refuseCode(c, user.email, outcome)
        return c.json({ success: true } satisfies z.infer<typeof passAnswer>)
      },
    )
    .post(
      '/second-factor/disable',
      described({
        tag: 'Authentication',
        summary: 'Remove the second factor, with the password and a code',
        answer: disableAnswer,
        done: 'The second factor is removed',
        guard: 'token',
        takesBody: true,
        refusals: proofRefusals,
      }),
      authenticate({ db, tokens, addressOf }),
      valid('json', proofsBody),
      async (c) => {
        const refused = await refusalOfProofs(c, c.get('staff'), c.req.valid('json'))
        if (refused !== null) return refused
        const staffId = c.get('staff').id
        await inTransaction(db, (trx) => removeSecondFactor(trx, { staffId, by: c.get('actor'), now: clock.now() }))
        return c.json({ success: true } satisfies z.infer<typeof disableAnswer>)
      },
    )
    .post(
      '/second-factor/recovery-codes',
      described({
        tag: 'Authentication',
        summary: 'Issue new recovery codes, with the password and a code; the old ones end',
        answer: recoveryCodesAnswer,
        done: 'The recovery codes, which are shown only now',
        guard: 'token',
        takesBody: true,
        refusals: proofRefusals,
      }),
      authenticate({ db, tokens, addressOf }),
      valid('json', proofsBody),
      async (c) => {
        const refused = await refusalOfProofs(c, c.get('staff'), c.req.valid('json'))
        if (refused !== null) return refused
        const recoveryCodes = await secondFactors.reissue({ staffId: c.get('staff').id, by: c.get('actor') })
        if (recoveryCodes === null) return refuse(c, 409, 'Your account has no second factor.')
        return c.json({ success: true, data: { recoveryCodes } } satisfies z.infer<typeof recoveryCodesAnswer>)
      },
    )
}
