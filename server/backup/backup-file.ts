import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import * as z from 'zod/mini'
import { StartupError } from '../startup-error.ts'

const format = 'staff-inbox-backup'
/** 1: without files of customers. */
const version = 2

const headerSchema = z.object({
  format: z.literal(format),
  version: z.number(),
  created: z.string(),
  /** The migrations that the database had, in their order. */
  migrations: z.array(z.string()),
})
const tableSchema = z.object({ table: z.string(), columns: z.array(z.string()) })
const rowSchema = z.array(z.nullable(z.string()))
const sequenceSchema = z.object({ sequence: z.string(), value: z.string() })
const fileSchema = z.object({ file: z.string().check(z.regex(/^[0-9a-f]{32}$/)) })
const bytesSchema = z.object({ bytes: z.string() })
const endSchema = z.object({ lines: z.number(), sha256: z.string() })
const contentSchema = z.union([rowSchema, bytesSchema, tableSchema, sequenceSchema, fileSchema])

export type BackupHeader = z.infer<typeof headerSchema>
/** A table, then its rows; after all tables the sequences, then the files of customers, each followed by its bytes. */
export type BackupLine = z.infer<typeof contentSchema>

export const newHeader = (migrations: string[], now: number): BackupHeader => ({
  format,
  version,
  created: new Date(now).toISOString(),
  migrations,
})

/**
 * Writes a backup: JSON lines, gzipped. The last line holds the number of lines before it and their SHA-256. The file
 * appears under its name once it is complete and on the disk. Returns the number of lines. Throws StartupError if the
 * file exists or cannot be written.
 */
export async function writeBackup(
  file: string,
  header: BackupHeader,
  content: AsyncIterable<BackupLine>,
): Promise<number> {
  const unfinished = `${file}.unfinished`
  const hash = createHash('sha256')
  let lines = 0
  async function* texts() {
    const lineOf = (value: BackupHeader | BackupLine) => {
      const line = `${JSON.stringify(value)}\n`
      hash.update(line)
      lines += 1
      return line
    }
    yield lineOf(header)
    for await (const value of content) yield lineOf(value)
    yield `${JSON.stringify({ lines, sha256: hash.digest('hex') } satisfies z.infer<typeof endSchema>)}\n`
  }
  await (await openNew(file)).close()
  try {
    await pipeline(Readable.from(texts()), createGzip(), createWriteStream(unfinished, { mode: 0o600, flush: true }))
    await rename(unfinished, file)
    await syncDirectory(dirname(file))
  } catch (error) {
    await Promise.all([rm(unfinished, { force: true }), rm(file, { force: true })])
    throw error
  }
  return lines
}

/** Reserves the name, so that no earlier backup is overwritten. */
async function openNew(file: string) {
  try {
    return await open(file, 'wx', 0o600)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST') throw new StartupError(`${file} exists already; name a new file.`)
    throw new StartupError(`${file} cannot be written (${String(code)}).`, { cause: error })
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  await directory.sync()
  await directory.close()
}

/** Reads a whole backup and returns its header. Throws StartupError if it is damaged or of a newer version. */
export async function checkBackup(file: string): Promise<BackupHeader> {
  const hash = createHash('sha256')
  let lines = 0
  let header: BackupHeader | undefined
  let previous: string | undefined
  try {
    for await (const line of textLines(file)) {
      if (previous !== undefined) {
        hash.update(`${previous}\n`)
        lines += 1
        header ??= headerSchema.parse(JSON.parse(previous))
      }
      previous = line
    }
    const end = endSchema.parse(JSON.parse(previous ?? ''))
    if (header === undefined || end.lines !== lines || end.sha256 !== hash.digest('hex')) throw new Error('checksum')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new StartupError(`The file ${file} does not exist.`)
    }
    throw new StartupError(`${file} is not a backup, or it is damaged.`, { cause: error })
  }
  if (header.version > version) throw new StartupError(`${file} was made by a newer release; restore it with that one.`)
  return header
}

/** The lines between the header and the end of a backup that `checkBackup` has accepted. */
export async function* readBackup(file: string): AsyncGenerator<BackupLine> {
  let previous: string | undefined
  let isHeader = true
  for await (const line of textLines(file)) {
    if (previous !== undefined && !isHeader) yield contentSchema.parse(JSON.parse(previous))
    if (previous !== undefined) isHeader = false
    previous = line
  }
}

function textLines(file: string): AsyncIterable<string> {
  const source = createReadStream(file)
  const text = createGunzip()
  source.on('error', (error) => text.destroy(error))
  source.pipe(text)
  return createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY })
}
