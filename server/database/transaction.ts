import type { Transaction } from 'kysely'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

/** Deadlocks and serialization conflicts: the database gave this transaction up so that another could go on. */
const givenUp = /^40(001|P01)$/
const tries = 5

/**
 * Runs `work` in a transaction, again when the database gave it up for another's sake. `work` touches nothing but the
 * database. Throws what `work` throws.
 */
export async function inTransaction<T>(db: Db, work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt === tries || !givenUp.test(codeOf(error))) throw error
    }
  }
}

/**
 * Whether what went wrong will pass by itself, for neither the data nor this program can be blamed: a lost connection, a
 * deadlock, a full disk, a database that stops or takes no writes.
 */
export const isOutage = (error: unknown): boolean => /^((08|40|53|55|57|58)...|25006)$|^E(?!RR_)/.test(codeOf(error))

/** The database's code for what went wrong. Its message may quote what a person wrote, its code never does. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
