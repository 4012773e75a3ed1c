import type { Transaction } from 'kysely'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

/** Whether an error is a serialization failure or a deadlock. */
export const isRetryable = (error: unknown): boolean => /^40(001|P01)$/.test(codeOf(error))

/** The code of the error if a row names another row that does not exist. */
export const foreignKeyViolation = '23503'

const maxAttempts = 5

/**
 * Runs `work` in a transaction; retries after a deadlock or serialization failure. `work` must have no effects outside the
 * database. Throws the errors of `work`.
 */
export async function inTransaction<T>(db: Db, work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt === maxAttempts || !isRetryable(error)) throw error
    }
  }
}

/**
 * Whether an error is transient and not caused by the data or this program: a lost connection, a deadlock, a full disk, a
 * database that shuts down or is read-only.
 */
export const isOutage = (error: unknown): boolean => /^((08|40|53|55|57|58)...|25006)$|^E(?!RR_)/.test(codeOf(error))

/** The error's code. Unlike the message of a database error, it never contains message texts. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
