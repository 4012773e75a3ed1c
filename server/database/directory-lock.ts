import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartupError } from '../startup-error.ts'

/** Held here, because the garbage collector would close an unreferenced file and so release its lock. */
const heldLocks = new Set<DatabaseSync>()

const sqliteBusy = 5

/**
 * Locks a data directory for this process and returns a function that unlocks it. Creates the directory if it is missing.
 * The embedded database has no lock of its own, and two processes would corrupt it. The lock is an exclusive SQLite
 * transaction, so the kernel holds it: it ends with the process, and it holds between containers, whose process ids say
 * nothing to each other. Throws StartupError if another process, or this one, holds the lock.
 *
 * Nothing else may open the lock file: closing any handle of a file releases the process's POSIX locks on it.
 */
export function lockDirectory(path: string): () => void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(join(path, 'lock.sqlite'), { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) {
      throw new StartupError(
        `The data directory ${path} is used by another process, the server or a command; stop that process, or set DATA_DIR to another directory.`,
      )
    }
    throw new StartupError(`The data directory ${path} could not be locked; its file system may not support locks.`, {
      cause: error,
    })
  }
  heldLocks.add(lock)
  return () => {
    heldLocks.delete(lock)
    lock.close()
  }
}
