import type { Context } from 'hono'
import { PageBusy, PagePaused } from '../network/graph/pace.ts'
import { pageRefusalOf } from '../network/graph/page-refusals.ts'
import { refuse } from './answers.ts'

/** The network's error responses to calls with a page's token, for the OpenAPI document. */
export const networkRefusals = {
  422: 'The network refuses; `error` tells staff what to do, `code` has the number of the network',
  429: 'The network limits the rate of calls, or too many calls wait for this page',
  503: 'The network has a temporary problem',
  504: 'The network did not respond',
} as const

/** Error handler of page routes: responds with a text for staff. Rethrows errors that do not come from a page. */
export function handlePageError(error: Error, c: Context) {
  const refusal = pageRefusalOf(error)
  if (refusal === null) throw error
  if (error instanceof PagePaused) {
    c.header('retry-after', String(Math.max(1, Math.ceil(error.wait / 1000))))
  }
  if (error instanceof PageBusy) c.header('retry-after', String(error.retryAfter))
  return refuse(c, refusal.status, refusal.text, refusal.code)
}
