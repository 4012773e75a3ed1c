import { t } from '../../texts/session.ts'
import { isEmailAddress } from '../email-address.ts'
import type { Credentials } from './session-calls.ts'

type SignInProblems = { email: string | null; password: string | null }

/** The problem of each field of the sign-in form (spec section 5); null for a valid field. */
export function signInProblems({ email, password }: Credentials): SignInProblems {
  const typed = email.trim()
  return {
    email: typed === '' ? t('session.emailMissing') : isEmailAddress(typed) ? null : t('shared.emailInvalid'),
    password: password === '' ? t('session.passwordMissing') : null,
  }
}

/** Whether the sign-in form can be submitted. */
export const canSignInWith = (credentials: Credentials): boolean =>
  Object.values(signInProblems(credentials)).every((problem) => problem === null)
