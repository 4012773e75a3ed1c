import { Failure, SessionLost } from '../failure.ts'
import { migrationTexts } from '../session/dialog-toasts.ts'
import { hasCodeOrMessage } from '../session/provider-refusals.ts'
import { signInTexts as texts } from '../session/toasts.ts'
import { generalSignInText, wordsOf } from './error-texts.ts'

/** The email address is already registered. */
export const isRegisteredAlready = (failure: unknown): boolean =>
  hasCodeOrMessage(failure, ['user_already_exists', 'email_exists'], ['User already registered'])

/** The provider rejects the new password as too weak. The message gives the reason. */
export const isWeakPassword = (failure: unknown): boolean => hasCodeOrMessage(failure, ['weak_password'], [])

/** The text of the dialog of a migration after one of its steps failed (spec section 8, Login). */
export function migrationText(failure: unknown): string {
  if (failure instanceof SessionLost) return failure.message
  if (!(failure instanceof Failure)) return migrationTexts.failed
  if (failure.error === 'Email not confirmed') return texts.emailNotConfirmed
  if (failure.code === 'INACTIVE_ACCOUNT') return texts.inactiveAccount
  return generalSignInText(failure) ?? (wordsOf(failure) || migrationTexts.failed)
}

/** What the user can do after the failed migration, if the failure text does not say so. */
export const migrationAdvice = (failure: unknown): string | null =>
  failure instanceof Failure && failure.code === 'WRONG_PASSWORD' ? migrationTexts.oldPasswordWasWrong : null
