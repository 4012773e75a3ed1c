import { Failure } from '../failure.ts'

/**
 * Detects the reasons of failed identity provider calls by error code, or by message for old providers without codes.
 */

const hasCodeOrMessage = (failure: unknown, codes: readonly string[], messages: readonly string[]): boolean =>
  failure instanceof Failure &&
  failure.kind === 'status' &&
  (codes.includes(failure.code ?? '') || messages.includes(failure.error ?? ''))

/** The provider does not accept this combination of e-mail and password. It does not say which of the two is wrong. */
export const isUnknownToProvider = (failure: unknown): boolean =>
  hasCodeOrMessage(failure, ['invalid_credentials', 'user_not_found'], ['Invalid login credentials'])

/** The e-mail address is already registered. */
export const isRegisteredAlready = (failure: unknown): boolean =>
  hasCodeOrMessage(failure, ['user_already_exists', 'email_exists'], ['User already registered'])

/** The provider rejects the new password as too weak. The message gives the reason. */
export const isWeakPassword = (failure: unknown): boolean => hasCodeOrMessage(failure, ['weak_password'], [])
