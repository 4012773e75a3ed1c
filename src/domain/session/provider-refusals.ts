import { Failure } from '../failure.ts'

/** Failures of the identity provider's calls, told apart by its codes, and by its messages where it is an old one. */

const speaksOf = (failure: unknown, codes: readonly string[], messages: readonly string[]): boolean =>
  failure instanceof Failure &&
  failure.kind === 'status' &&
  (codes.includes(failure.code ?? '') || messages.includes(failure.error ?? ''))

/** It knows nobody by this e-mail and password. It does not say which of the two is wrong. */
export const isUnknownToProvider = (failure: unknown): boolean =>
  speaksOf(failure, ['invalid_credentials', 'user_not_found'], ['Invalid login credentials'])

/** Somebody signed up with this e-mail before. */
export const isRegisteredAlready = (failure: unknown): boolean =>
  speaksOf(failure, ['user_already_exists', 'email_exists'], ['User already registered'])

/** The new password is not good enough for it; its message says why. */
export const isWeakPassword = (failure: unknown): boolean => speaksOf(failure, ['weak_password'], [])
