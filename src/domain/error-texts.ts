import { Failure, SessionLost } from './failure.ts'

export const texts = {
  network: 'Network error. Please check your connection.',
  sessionExpired: 'Session expired. Please log in again.',
  tooManyRequests: 'Too many requests. Please try again later.',
  server: 'Server error. Please try again later.',
  emailNotConfirmed: 'Please check your email to confirm your account before logging in.',
  providerRefused: 'Invalid email or password. Please try again.',
  inactiveAccount: 'Your account is inactive. Please contact an administrator.',
  useNewLogin:
    "Please use the new login system. If you haven't received a confirmation email, try resetting your password.",
  loginServer: 'Internal server error. Please try again later.',
  loginRefused: 'Invalid email or password',
  loginFailed: 'Invalid credentials',
  noRefreshToken: 'No refresh token available',
  badTokenAnswer: 'Invalid token response',
  migrationNeeded: 'Please set a new password to continue',
  noMigration: 'No migration in progress',
  migrationFailed: 'Migration failed',
  oldPasswordWasWrong: 'The old password was not right. Cancel, and sign in with it once more.',
  newPasswordIsAnother: 'You have chosen a new password before. Please enter that one.',
  storageFailed: 'This browser does not keep your sign-in. It lasts until this tab is closed.',
} as const

const list = (value: unknown): string | null => {
  if (typeof value === 'string' && value !== '') return value
  if (!Array.isArray(value)) return null
  const names = value.filter((name) => typeof name === 'string')
  return names.length > 0 ? names.join(', ') : null
}

function forbidden(details: Readonly<Record<string, unknown>>): string {
  const required = list(details['requiredPermission'])
  if (required) return `Access denied. Missing permission: ${required}`
  const missing = list(details['missingPermissions'])
  if (missing && details['requiresAny'] === true)
    return `Access denied. You need at least one of these permissions: ${missing}`
  if (missing && details['requireAll'] === true) return `Access denied. Missing required permissions: ${missing}`
  if (missing) return `Access denied. Missing permissions: ${missing}`
  const allRequired = list(details['requiredPermissions'])
  if (allRequired) return `Access denied. Required permissions: ${allRequired}`
  return 'Access denied. You do not have permission to perform this action.'
}

/**
 * The one toast for a failed call (spec section 8): the generic text where there is one, else the body's `error`, else
 * the call's own text. Null where nobody is to be told here: the call was aborted, or a 401, which the sign-in answers.
 */
export function toastFor(failure: unknown, ownText: string): string | null {
  if (!(failure instanceof Failure)) return ownText
  switch (failure.kind) {
    case 'aborted':
      return null
    case 'noAnswer':
    case 'timeout':
      return texts.network
    case 'badAnswer':
      return failure.error || ownText
    case 'status':
      return textForStatus(failure, ownText)
  }
}

/**
 * The same for a call whose text of section 8 ends in a reason ('Failed to add page: {error}'): `prefix` and the body's
 * `error` where that would be shown, else the generic or the call's own text.
 */
export function toastWithReason(failure: unknown, prefix: string, ownText: string): string | null {
  const text = toastFor(failure, ownText)
  return failure instanceof Failure && failure.error && text === failure.error ? `${prefix}: ${text}` : text
}

function textForStatus(failure: Failure, ownText: string): string | null {
  switch (failure.status) {
    case 401:
      return null
    case 403:
      return forbidden(failure.details ?? {})
    case 404:
      return `API endpoint not found: ${failure.method} ${failure.path}`
    case 429:
      return texts.tooManyRequests
    case 500:
      return texts.server
    default:
      return failure.error || ownText
  }
}

/**
 * What the login form says when the identity provider did not sign the person in (spec sections 5 and 8). Trouble that
 * is not the person's (no answer, too many requests, a server in trouble) is not blamed on the password.
 */
export function providerSignInText(failure: unknown): string {
  if (!(failure instanceof Failure)) return texts.providerRefused
  if (failure.error === 'Email not confirmed') return texts.emailNotConfirmed
  return generalSignInText(failure) ?? texts.providerRefused
}

/**
 * What the login form says when the product itself did not sign the person in: it did not take the provider's token, or
 * not the password of the legacy login (spec section 8, Login).
 */
export function loginText(failure: unknown): string {
  if (failure instanceof SessionLost) return failure.message
  if (!(failure instanceof Failure)) return texts.loginFailed
  if (failure.code === 'INACTIVE_ACCOUNT') return texts.inactiveAccount
  if (failure.code === 'USE_NEW_LOGIN') return texts.useNewLogin
  if (failure.kind === 'badAnswer') return texts.badTokenAnswer
  return generalSignInText(failure) ?? (failure.error || texts.loginRefused)
}

/** Whether what the login form says is about what was typed there, and not about trouble or a step to be taken. */
export const blamesWhatWasTyped = (text: string): boolean =>
  ![texts.network, texts.tooManyRequests, texts.loginServer, texts.migrationNeeded].some((trouble) => trouble === text)

/** What the dialog for a new password says when one of its steps failed (spec section 8, Login). */
export function migrationText(failure: unknown): string {
  if (failure instanceof SessionLost) return failure.message
  if (!(failure instanceof Failure)) return texts.migrationFailed
  if (failure.error === 'Email not confirmed') return texts.emailNotConfirmed
  if (failure.code === 'INACTIVE_ACCOUNT') return texts.inactiveAccount
  return generalSignInText(failure) ?? (failure.error || texts.migrationFailed)
}

/** What the person can do about it, where the failure of the migration alone does not say. */
export const migrationAdvice = (failure: unknown): string | null =>
  failure instanceof Failure && failure.code === 'WRONG_PASSWORD' ? texts.oldPasswordWasWrong : null

function generalSignInText(failure: Failure): string | null {
  if (failure.kind === 'noAnswer' || failure.kind === 'timeout') return texts.network
  if (failure.status === 429) return texts.tooManyRequests
  return failure.status !== undefined && failure.status >= 500 ? texts.loginServer : null
}
