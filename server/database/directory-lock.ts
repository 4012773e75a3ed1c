import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { StartupError } from '../startup-error.ts'

const holderSchema = z.object({ pid: z.number(), started: z.nullable(z.string()) })
type Holder = z.infer<typeof holderSchema>

const heldDirectories = new Set<string>()

/**
 * Locks a data directory for this process and returns a function that unlocks it. Creates the directory if it is missing.
 * The embedded database has no lock of its own, and two processes would corrupt it. The lock of a dead process is
 * replaced. Throws StartupError if a running process holds the lock.
 */
export function lockDirectory(path: string): () => void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const directory = realpathSync(path)
  const file = join(directory, 'lock')
  if (heldDirectories.has(directory)) throw lockedError(path, process.pid)

  const mine = JSON.stringify({ pid: process.pid, started: startTimeOf(process.pid) } satisfies Holder)
  for (let attempt = 0; attempt < 10; attempt++) {
    if (tryCreate(file, mine)) {
      heldDirectories.add(directory)
      return () => {
        heldDirectories.delete(directory)
        rmSync(file, { force: true })
      }
    }
    const found = readIfExists(file)
    if (found === null) continue
    const holder = parseHolder(found)
    if (holder && isAlive(holder)) throw lockedError(path, holder.pid)
    removeStaleLock(file, found)
  }
  throw new StartupError(`The data directory ${path} could not be locked.`)
}

function lockedError(path: string, pid: number): StartupError {
  return new StartupError(
    `The data directory ${path} is held by process ${pid}; stop it, or set DATA_DIR to another directory.`,
  )
}

function tryCreate(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Renaming is atomic, so only one of two processes removes the same stale lock. */
function removeStaleLock(file: string, expected: string): void {
  const aside = `${file}.${randomUUID()}`
  try {
    renameSync(file, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  const moved = readIfExists(aside)
  if (moved !== null && moved !== expected) tryCreate(file, moved)
  rmSync(aside, { force: true })
}

function parseHolder(content: string): Holder | null {
  try {
    const result = holderSchema.safeParse(JSON.parse(content))
    return result.success ? result.data : null
  } catch {
    return null
  }
}

/** Compares the start time too, because a pid may have been reused, for example after a reboot. */
function isAlive(holder: Holder): boolean {
  if (holder.pid === process.pid) return false
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false
  }
  const started = startTimeOf(holder.pid)
  return holder.started === null || started === null || started === holder.started
}

function startTimeOf(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fieldsAfterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const startTicks = fieldsAfterName[19]
    return startTicks === undefined ? null : `${boot}/${startTicks}`
  } catch {
    return null
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
