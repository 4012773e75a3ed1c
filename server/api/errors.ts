import type { ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { routePath } from 'hono/route'
import { type Logger, traceOf } from '../logger.ts'
import { refuse } from './answers.ts'

/** Text that no database column takes: a null character, or bytes that are no UTF-8. */
const unstorable = new Set(['22021', '22P05'])

/** Answers what no route foresaw, and tells the log where it came from; the answer gives nothing away. */
export function unexpectedError(logger: Pick<Logger, 'error'>): ErrorHandler {
  return (error, c) => {
    if (error instanceof HTTPException) return refuse(c, error.status, error.message || 'The request is not valid')
    if ('code' in error && unstorable.has(String(error.code))) return refuse(c, 400, 'The request is not valid')
    logger.error({ ...traceOf(error), method: c.req.method, route: routePath(c) }, 'A request failed')
    return refuse(c, 500, 'Internal server error')
  }
}
