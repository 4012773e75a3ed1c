import { Failure, isRefusal, SessionLost } from '../failure.ts'
import { sessionToasts, signInTexts as texts } from '../session/toasts.ts'
import { safeText } from '../shown-text.ts'
import type { ToastText } from '../toast.ts'
import { generalToasts } from '../toasts.ts'

/** The names listed in a detail of a refusal; empty if there are none. */
const list = (value: unknown): string => {
  const names = Array.isArray(value) ? value : [value]
  return safeText(names.filter((name) => typeof name === 'string').join(', '))
}

/** The server's error text; empty if there is none. */
export const wordsOf = ({ error }: Failure): string => safeText(error ?? '')

function forbidden(details: Readonly<Record<string, unknown>>): ToastText {
  const required = list(details['requiredPermission'])
  if (required) return generalToasts.missingPermission(required)
  const missing = list(details['missingPermissions'])
  if (missing && details['requiresAny'] === true) return generalToasts.anyMissing(missing)
  if (missing && details['requireAll'] === true) return generalToasts.allMissing(missing)
  if (missing) return generalToasts.missingPermissions(missing)
  const allRequired = list(details['requiredPermissions'])
  if (allRequired) return generalToasts.requiredPermissions(allRequired)
  return generalToasts.denied
}

/**
 * The single toast for a failed call (spec section 8): the generic text if there is one, otherwise the body's `error`,
 * otherwise the call's own text. Null if no toast is shown: the call was aborted, or the answer was 401, which the
 * sign-in handles.
 */
export function toastFor(failure: unknown, ownText: string): string | null {
  if (!(failure instanceof Failure)) return ownText
  switch (failure.kind) {
    case 'aborted':
      return null
    case 'noAnswer':
    case 'timeout':
      return generalToasts.network.text
    case 'badAnswer':
    case 'status':
      return textForStatus(failure, ownText)
  }
}

/**
 * The same for a call whose text in section 8 ends with a reason ('Failed to add page: {error}'). Uses `refused` with
 * the body's `error` if that would be shown; otherwise the generic text or the call's own text.
 */
export function toastWithReason(
  failure: unknown,
  refused: (reason: string) => ToastText,
  ownText: string,
): string | null {
  const text = toastFor(failure, ownText)
  return failure instanceof Failure && text === wordsOf(failure) ? refused(text).text : text
}

function textForStatus(failure: Failure, ownText: string): string | null {
  switch (failure.status) {
    case 401:
      return null
    case 403:
      return forbidden(failure.details ?? {}).text
    case 404:
      return generalToasts.noEndpoint(failure.method, failure.path).text
    case 429:
      return generalToasts.tooManyRequests.text
    case 500:
      return generalToasts.server.text
    default:
      return wordsOf(failure) || ownText
  }
}

/**
 * The text of the sign-in form and its subject: the typed credentials, the stored session, or something else, such as
 * an outage or a required step.
 */
export type FormFailure = { readonly text: string; readonly about: 'typed' | 'stored' | 'other' }

const typed = (text: string): FormFailure => ({ text, about: 'typed' })
const other = (text: string): FormFailure => ({ text, about: 'other' })

/**
 * The text of the sign-in form after the identity provider did not sign the user in (spec sections 5 and 8). A failure
 * that the user did not cause (no answer, too many requests, a server error) is not reported as a wrong password.
 */
export function providerSignInFailure(failure: unknown): FormFailure {
  if (!(failure instanceof Failure)) return typed(texts.providerRefused)
  if (failure.error === 'Email not confirmed') return typed(texts.emailNotConfirmed)
  return generalSignInFailure(failure) ?? typed(texts.providerRefused)
}

/**
 * The text of the sign-in form after the API did not sign the user in: it refused the provider's token, or the password
 * of the legacy login (spec section 8, Login).
 */
export function loginFailure(failure: unknown): FormFailure {
  if (failure instanceof SessionLost) return typed(failure.message)
  if (!(failure instanceof Failure)) return typed(texts.loginFailed)
  if (failure.code === 'INACTIVE_ACCOUNT') return typed(texts.inactiveAccount)
  if (failure.code === 'USE_NEW_LOGIN') return typed(texts.useNewLogin)
  if (failure.kind === 'badAnswer') return other(texts.badTokenAnswer)
  const text = wordsOf(failure) || texts.loginRefused
  return generalSignInFailure(failure) ?? (isRefusal(failure) ? typed(text) : other(text))
}

/**
 * The text of the sign-in form after the migration check failed. If the API itself refused the check, the form shows
 * the provider's refusal. Any other answer (an unexpected status, an HTML page) is reported as a failed call (spec
 * section 8).
 */
export function migrationCheckFailure(failure: unknown): FormFailure {
  if (!(failure instanceof Failure)) return typed(texts.providerRefused)
  if (failure.status === 404) return other(generalToasts.noEndpoint(failure.method, failure.path).text)
  const isInWords = failure.error !== undefined || failure.code !== undefined
  return generalSignInFailure(failure) ?? (isInWords ? typed(texts.providerRefused) : other(texts.loginServer))
}

/** Asks the user to set a new password first. */
export const migrationNeeded = (): FormFailure => other(texts.migrationNeeded)

/** Marks a failure as one of the stored session: the user typed nothing. */
export const ofStoredSession = ({ text }: FormFailure): FormFailure => ({ text, about: 'stored' })

/**
 * The text of the sign-in form after the server refused the stored session (spec section 8). Null after a 401: the
 * session has simply expired, and the user had not started to work.
 */
export function restoringFailure(failure: unknown): FormFailure | null {
  const text = restoringText(failure)
  return text === null ? null : { text, about: 'stored' }
}

function restoringText(failure: unknown): string | null {
  if (failure instanceof SessionLost) return failure.message
  if (failure instanceof Failure && failure.code === 'INACTIVE_ACCOUNT') return texts.inactiveAccount
  if (failure instanceof Failure && failure.code === 'USE_NEW_LOGIN') return texts.useNewLogin
  return toastFor(failure, sessionToasts.expired.text)
}

function generalSignInFailure(failure: Failure): FormFailure | null {
  const text = generalSignInText(failure)
  return text === null ? null : other(text)
}

/** The text for a failure of a sign-in that the user did not cause; null for any other failure. */
export function generalSignInText(failure: Failure): string | null {
  if (failure.kind === 'noAnswer' || failure.kind === 'timeout') return generalToasts.network.text
  if (failure.status === 429) return generalToasts.tooManyRequests.text
  return failure.status !== undefined && failure.status >= 500 ? texts.loginServer : null
}
