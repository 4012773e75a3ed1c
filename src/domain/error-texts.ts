import { Failure } from './failure.ts'

export const texts = {
  network: 'Network error. Please check your connection.',
  sessionExpired: 'Session expired. Please log in again.',
  tooManyRequests: 'Too many requests. Please try again later.',
  server: 'Server error. Please try again later.',
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
      return ownText
    case 'status':
      return textForStatus(failure, ownText)
  }
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
