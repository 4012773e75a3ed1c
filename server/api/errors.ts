import type { ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { routePath } from 'hono/route'
import { Busy, CallerGone } from '../busy.ts'
import { type Logger, traceOf } from '../logger.ts'
import { refuse } from './answers.ts'

/** SQLSTATEs of text that PostgreSQL rejects: null characters and invalid UTF-8. */
const invalidTextErrors = new Set(['22021', '22P05'])
/** SQLSTATE of a query that reached the database's time-out. */
const queryCanceled = '57014'

/**
 * Handles errors that any route may throw: 400 for an invalid request, 503 with Retry-After if too many
 * calls of a kind wait, 503 if a query took too long. Other errors are logged with their stack trace; the 500 response reveals nothing about them.
 */
export function unexpectedError(logger: Pick<Logger, 'error' | 'warn'>): ErrorHandler {
  return (error, c) => {
    if (error instanceof HTTPException) return refuse(c, error.status, error.message || 'The request is not valid')
    if ('code' in error && invalidTextErrors.has(String(error.code))) return refuse(c, 400, 'The request is not valid')
    if (error instanceof CallerGone) return refuse(c, 503, 'The caller closed the connection')
    if (error instanceof Busy) {
      c.header('retry-after', String(error.retryAfter))
      return refuse(c, 503, error.message)
    }
    if ('code' in error && error.code === queryCanceled) {
      logger.warn({ method: c.req.method, route: routePath(c) }, 'a query took too long')
      return refuse(c, 503, 'This took too long. Please try again.')
    }
    logger.error({ ...traceOf(error), method: c.req.method, route: routePath(c) }, 'a request failed')
    return refuse(c, 500, 'Internal server error')
  }
}
