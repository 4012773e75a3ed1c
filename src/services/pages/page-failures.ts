import * as z from 'zod/mini'
import { pageFailure } from '../../schemas/page.ts'
import { rows } from '../http.ts'

/** The pages for which something failed, as an answer names them or not; what cannot be read of them is told to the log. */
export const pageFailures = (log: { warn: (text: string) => void }) =>
  z._default(
    rows(pageFailure, (dropped) => log.warn(`${dropped} failures of pages could not be read`)),
    [],
  )
