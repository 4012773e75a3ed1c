import type { ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { routePath } from 'hono/route'
import { PasswordsBusy } from '../auth/passwords.ts'
import { type Logger, traceOf } from '../logger.ts'
import { refuse } from './answers.ts'

/** Text that no database column takes: a null character, or bytes that are no UTF-8. */
const unstorable = new Set(['22021', '22P05'])

/**
 * Answers what any route may throw: a request that is not valid, and a password that was not looked at because too many
 * wait (503 with Retry-After). What no route foresaw goes to the log with where it came from; the answer gives nothing
 * away.
 */
export function unexpectedError(logger: Pick<Logger, 'error'>): ErrorHandler {
  return (error, c) => {
    if (error instanceof HTTPException) return refuse(c, error.status, error.message || 'The request is not valid')
    if ('code' in error && unstorable.has(String(error.code))) return refuse(c, 400, 'The request is not valid')
    if (error instanceof PasswordsBusy) {
      c.header('retry-after', String(error.retryAfter))
      return refuse(c, 503, error.message)
    }
    logger.error({ ...traceOf(error), method: c.req.method, route: routePath(c) }, 'A request failed')
    return refuse(c, 500, 'Internal server error')
  }
}
