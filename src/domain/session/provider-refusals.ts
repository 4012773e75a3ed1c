import { Failure } from '../failure.ts'

/** Whether the identity provider refused a call with one of the codes, or with one of the messages (old providers send no codes). */
export const hasCodeOrMessage = (failure: unknown, codes: readonly string[], messages: readonly string[]): boolean =>
  failure instanceof Failure &&
  failure.kind === 'status' &&
  (codes.includes(failure.code ?? '') || messages.includes(failure.error ?? ''))

/** The provider does not accept this combination of email and password. It does not say which of the two is wrong. */
export const isUnknownToProvider = (failure: unknown): boolean =>
  hasCodeOrMessage(failure, ['invalid_credentials', 'user_not_found'], ['Invalid login credentials'])
