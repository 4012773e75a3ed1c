import type { ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { routePath } from 'hono/route'
import { PasswordsBusy } from '../auth/passwords.ts'
import { type Logger, traceOf } from '../logger.ts'
import { refuse } from './answers.ts'

/** SQLSTATEs of text that PostgreSQL rejects: null characters and invalid UTF-8. */
const invalidTextErrors = new Set(['22021', '22P05'])

/**
 * Handles errors that any route may throw: 400 for an invalid request, 503 with Retry-After if the password queue is
 * full. Other errors are logged with their stack trace; the 500 response reveals nothing about them.
 */
export function unexpectedError(logger: Pick<Logger, 'error'>): ErrorHandler {
  return (error, c) => {
    if (error instanceof HTTPException) return refuse(c, error.status, error.message || 'The request is not valid')
    if ('code' in error && invalidTextErrors.has(String(error.code))) return refuse(c, 400, 'The request is not valid')
    if (error instanceof PasswordsBusy) {
      c.header('retry-after', String(error.retryAfter))
      return refuse(c, 503, error.message)
    }
    logger.error({ ...traceOf(error), method: c.req.method, route: routePath(c) }, 'a request failed')
    return refuse(c, 500, 'Internal server error')
  }
}
