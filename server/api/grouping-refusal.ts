import type { Context } from 'hono'
import { GroupingRefused } from '../database/groups.ts'
import { refuse } from './answers.ts'

/** Answers a refused merge, split, link or unlink: 409 for a conflict, 422 for an unknown row. Throws all other errors. */
export function refuseGrouping(c: Context, error: unknown) {
  if (!(error instanceof GroupingRefused)) throw error
  return refuse(c, error.reason === 'conflict' ? 409 : 422, error.message)
}
