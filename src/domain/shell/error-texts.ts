import { Failure, isRefusal, SessionLost } from '../failure.ts'
import { sessionToasts, signInTexts as texts } from '../session/toasts.ts'
import { safeText } from '../shown-text.ts'
import type { ToastText } from '../toast.ts'
import { generalToasts } from '../toasts.ts'

/** The names that a detail of a refusal holds; empty where it holds none. */
const list = (value: unknown): string => {
  const names = Array.isArray(value) ? value : [value]
  return safeText(names.filter((name) => typeof name === 'string').join(', '))
}

/** What the server says of it; empty where it says nothing. */
const wordsOf = ({ error }: Failure): string => safeText(error ?? '')

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
      return generalToasts.network.text
    case 'badAnswer':
    case 'status':
      return textForStatus(failure, ownText)
  }
}

/**
 * The same for a call whose text of section 8 ends in a reason ('Failed to add page: {error}'): `refused` with the
 * body's `error` where that would be shown, else the generic or the call's own text.
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
 * What the login form says, and what it is about: who or what was typed there, the session that this browser had kept, or
 * something else, which is trouble or a step to be taken.
 */
export type FormFailure = { readonly text: string; readonly about: 'typed' | 'kept' | 'other' }

const typed = (text: string): FormFailure => ({ text, about: 'typed' })
const other = (text: string): FormFailure => ({ text, about: 'other' })

/**
 * What the login form says when the identity provider did not sign the person in (spec sections 5 and 8). Trouble that
 * is not the person's (no answer, too many requests, a server in trouble) is not blamed on the password.
 */
export function providerSignInFailure(failure: unknown): FormFailure {
  if (!(failure instanceof Failure)) return typed(texts.providerRefused)
  if (failure.error === 'Email not confirmed') return typed(texts.emailNotConfirmed)
  return generalSignInFailure(failure) ?? typed(texts.providerRefused)
}

/**
 * What the login form says when the product itself did not sign the person in: it did not take the provider's token, or
 * not the password of the legacy login (spec section 8, Login).
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
 * What the login form says when it could not be found out whether somebody is to migrate. Only the API's own refusal
 * leaves it at what the provider said: what is no answer of the API (another status than its own, a page of HTML) is
 * told as the failed call it is (spec section 8).
 */
export function migrationCheckFailure(failure: unknown): FormFailure {
  if (!(failure instanceof Failure)) return typed(texts.providerRefused)
  if (failure.status === 404) return other(generalToasts.noEndpoint(failure.method, failure.path).text)
  const isInWords = failure.error !== undefined || failure.code !== undefined
  return generalSignInFailure(failure) ?? (isInWords ? typed(texts.providerRefused) : other(texts.loginServer))
}

/** That the person is to set a new password first. */
export const migrationNeeded = (): FormFailure => other(texts.migrationNeeded)

/** A failure as one of a session that this browser had kept: nothing was typed. */
export const ofKeptSession = ({ text }: FormFailure): FormFailure => ({ text, about: 'kept' })

/**
 * What the login form says when the server refused the session that this browser had kept (spec section 8). Null after a
 * 401: the session is over, as sessions come to be, and nobody was at work yet.
 */
export function restoringFailure(failure: unknown): FormFailure | null {
  const text = restoringText(failure)
  return text === null ? null : { text, about: 'kept' }
}

function restoringText(failure: unknown): string | null {
  if (failure instanceof SessionLost) return failure.message
  if (failure instanceof Failure && failure.code === 'INACTIVE_ACCOUNT') return texts.inactiveAccount
  if (failure instanceof Failure && failure.code === 'USE_NEW_LOGIN') return texts.useNewLogin
  return toastFor(failure, sessionToasts.expired.text)
}

/** What the dialog for a new password says when one of its steps failed (spec section 8, Login). */
export function migrationText(failure: unknown): string {
  if (failure instanceof SessionLost) return failure.message
  if (!(failure instanceof Failure)) return texts.migrationFailed
  if (failure.error === 'Email not confirmed') return texts.emailNotConfirmed
  if (failure.code === 'INACTIVE_ACCOUNT') return texts.inactiveAccount
  return generalSignInText(failure) ?? (wordsOf(failure) || texts.migrationFailed)
}

/** What the person can do about it, where the failure of the migration alone does not say. */
export const migrationAdvice = (failure: unknown): string | null =>
  failure instanceof Failure && failure.code === 'WRONG_PASSWORD' ? texts.oldPasswordWasWrong : null

function generalSignInFailure(failure: Failure): FormFailure | null {
  const text = generalSignInText(failure)
  return text === null ? null : other(text)
}

function generalSignInText(failure: Failure): string | null {
  if (failure.kind === 'noAnswer' || failure.kind === 'timeout') return generalToasts.network.text
  if (failure.status === 429) return generalToasts.tooManyRequests.text
  return failure.status !== undefined && failure.status >= 500 ? texts.loginServer : null
}
