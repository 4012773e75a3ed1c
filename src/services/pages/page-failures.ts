import * as z from 'zod/mini'
import { pageFailure } from '../../schemas/page.ts'
import { rows } from '../http.ts'

/**
 * The pages for which an operation failed; the answer may omit the list. The number of entries that do not match the
 * schema is logged.
 */
export const pageFailures = (log: { warn: (text: string) => void }) =>
  z._default(rows(pageFailure, log, 'failures of pages'), [])
