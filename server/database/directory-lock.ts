import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { StartupError } from '../startup-error.ts'

const holderSchema = z.object({ pid: z.number(), started: z.nullable(z.string()) })
type Holder = z.infer<typeof holderSchema>

const heldHere = new Set<string>()

/**
 * Takes a data directory for this process, creating it if need be, and returns what releases it.
 * The embedded database has no lock of its own, and two processes in one directory corrupt it.
 * A lock whose process has died is taken over. Throws StartupError when a living process holds it.
 */
export function lockDirectory(path: string): () => void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const directory = realpathSync(path)
  const file = join(directory, 'lock')
  if (heldHere.has(directory)) throw held(path, process.pid)

  const mine = JSON.stringify({ pid: process.pid, started: startOf(process.pid) } satisfies Holder)
  for (let attempt = 0; attempt < 10; attempt++) {
    if (written(file, mine)) {
      heldHere.add(directory)
      return () => {
        heldHere.delete(directory)
        rmSync(file, { force: true })
      }
    }
    const found = contentOf(file)
    if (found === null) continue
    const holder = parsed(found)
    if (holder && isAlive(holder)) throw held(path, holder.pid)
    takeAway(file, found)
  }
  throw new StartupError(`The data directory ${path} could not be locked.`)
}

function held(path: string, pid: number): StartupError {
  return new StartupError(
    `The data directory ${path} is held by process ${pid}; stop it, or set DATA_DIR to another directory.`,
  )
}

function written(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Renaming is atomic, so of two processes that found the same dead lock only one moves it away. */
function takeAway(file: string, expected: string): void {
  const aside = `${file}.${randomUUID()}`
  try {
    renameSync(file, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  const moved = contentOf(aside)
  if (moved !== null && moved !== expected) written(file, moved)
  rmSync(aside, { force: true })
}

function parsed(content: string): Holder | null {
  try {
    const result = holderSchema.safeParse(JSON.parse(content))
    return result.success ? result.data : null
  } catch {
    return null
  }
}

/** A pid alone may have gone to another process since, after a reboot above all: the start time tells them apart. */
function isAlive(holder: Holder): boolean {
  if (holder.pid === process.pid) return false
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false
  }
  const started = startOf(holder.pid)
  return holder.started === null || started === null || started === holder.started
}

function startOf(pid: number): string | null {
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
