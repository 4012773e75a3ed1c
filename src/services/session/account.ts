import { SessionLost } from '../../domain/failure.ts'
import type { ChangeOfPassword } from '../../domain/session/session-calls.ts'
import { signInTexts } from '../../domain/session/toasts.ts'
import { changePasswordAnswer } from '../../schemas/auth.ts'
import {
  disableAnswer,
  type Enrolment,
  enrolmentAnswer,
  type FactorProofs,
  passAnswer,
  recoveryCodesAnswer,
  type SecondFactorStatus,
  secondFactorStatusAnswer,
} from '../../schemas/second-factor.ts'
import type { Http } from '../http.ts'
import { bearer } from './auth.ts'
import type { Provider } from './supabase.ts'

type Settings = {
  /** The client with tokens; during a sign-in the one without. */
  http: Http
  provider: Pick<Provider, 'accessToken'>
}

/**
 * The password and the second factor of the person, in a session or in the middle of a sign-in. Loaded on demand. Each
 * call rejects with Failure or SessionLost. Nothing typed is kept.
 */
export function createAccount({ http, provider }: Settings) {
  const providerToken = async (): Promise<string> => {
    const token = await provider.accessToken()
    if (token === null) throw new SessionLost(signInTexts.loginFailed)
    return token
  }
  /** The provider's token proves who the person is, also before a session of the product has started. */
  const proof = async () => bearer(await providerToken())

  return {
    /** POST /auth/change-password. Ends the person's other sessions. */
    changePassword: async (change: ChangeOfPassword): Promise<void> => {
      const body = { ...change, supabaseToken: await providerToken() }
      await http.post('/auth/change-password', { body, schema: changePasswordAnswer })
    },

    loadSecondFactor: async (signal: AbortSignal): Promise<SecondFactorStatus> =>
      (await http.get('/auth/second-factor', { schema: secondFactorStatusAnswer, signal })).data,

    beginEnrolment: async (body: { password: string }): Promise<Enrolment> =>
      (await http.post('/auth/second-factor/begin', { body, schema: enrolmentAnswer, headers: await proof() })).data,

    /** The recovery codes. Ends the person's other sessions. */
    confirmEnrolment: async ({ code }: { code: string }): Promise<string[]> => {
      const request = { body: { code }, schema: recoveryCodesAnswer, headers: await proof() }
      return (await http.post('/auth/second-factor/confirm', request)).data.recoveryCodes
    },

    /** Enters a code at sign-in. */
    enterCode: async ({ code }: { code: string }): Promise<void> => {
      await http.post('/auth/second-factor/verify', { body: { code }, schema: passAnswer, headers: await proof() })
    },

    disableSecondFactor: async (proofs: FactorProofs): Promise<void> => {
      await http.post('/auth/second-factor/disable', { body: proofs, schema: disableAnswer })
    },

    /** New recovery codes; the old ones end. */
    replaceRecoveryCodes: async (body: FactorProofs): Promise<string[]> =>
      (await http.post('/auth/second-factor/recovery-codes', { body, schema: recoveryCodesAnswer })).data.recoveryCodes,

    /** Rejects if the browser has no clipboard for this page or refuses to use it. */
    copyText: async ({ text }: { text: string }): Promise<void> => navigator.clipboard.writeText(text),
  }
}
