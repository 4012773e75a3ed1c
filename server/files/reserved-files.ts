import { randomUUID } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { FileKind } from '../../src/schemas/outgoing-file.ts'
import type { Db } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'

/** Times in milliseconds. */
export const outgoingLimits = {
  /** Of files that one person has uploaded and not sent. */
  files: 100,
  bytes: 500_000_000,
  /** Of one upload with its storing. */
  uploadTimeout: 10 * 60_000,
  /** After the upload and after each attempt to send. The network accepts no reply later than that. */
  keptFor: 7 * 24 * 60 * 60_000,
  /** How long the network may fetch a file. */
  networkAddress: 60 * 60_000,
} as const

/**
 * 'taken': the id belongs to another person's file, or to a saved reply. 'full': the person has too many files that were
 * not sent. 'removed': the file was discarded, or uploaded again under its id, before it was stored.
 */
export type UploadProblem = 'taken' | 'full' | 'tooLarge' | 'program' | 'empty' | 'removed'

export class UploadRefused extends Error {
  override readonly name = 'UploadRefused'
  readonly problem: UploadProblem

  constructor(problem: UploadProblem) {
    super(`A file was not stored: ${problem}`)
    this.problem = problem
  }
}

/** The result of the work, or the problem if it throws UploadRefused. */
export async function problemInstead<T>(work: () => Promise<T>): Promise<T | UploadProblem> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UploadRefused) return error.problem
    throw error
  }
}

/** One upload of a person begins at a time: two could pass the limits together. */
export const lockUploads = (trx: Transaction<Tables>, staffId: string) =>
  sql`select pg_advisory_xact_lock(hashtext(${`outgoing_files ${staffId}`}))`.execute(trx)

/**
 * Adds the row of a file whose bytes follow, after `lockUploads`. An earlier upload with the id lost its connection, or is
 * about to: what it stores is deleted. `now` in milliseconds. Throws UploadRefused.
 */
export async function reserve(
  trx: Transaction<Tables>,
  now: number,
  file: {
    id: string
    staffId: string
    storageKey: string
    name: string | null
    expiresAt: Date
    uploadId: string | null
    size: number | null
  },
): Promise<void> {
  const known = await trx.selectFrom('outgoing_files').select('staff_id').where('id', '=', file.id).executeTakeFirst()
  if (known !== undefined && known.staff_id !== file.staffId) throw new UploadRefused('taken')
  if (known !== undefined) {
    await trx
      .updateTable('outgoing_files')
      .set({ id: randomUUID(), expires_at: new Date(now + outgoingLimits.uploadTimeout) })
      .where('id', '=', file.id)
      .execute()
  }
  const { count, bytes } = await trx
    .selectFrom('outgoing_files')
    .select((select) => [
      select.fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(coalesce(bytes, declared_bytes)), 0)`.as('bytes'),
    ])
    .where('staff_id', '=', file.staffId)
    .where('expires_at', '>', new Date(now))
    .executeTakeFirstOrThrow()
  if (Number(count) >= outgoingLimits.files || Number(bytes) >= outgoingLimits.bytes) throw new UploadRefused('full')
  await trx
    .insertInto('outgoing_files')
    .values({
      id: file.id,
      staff_id: file.staffId,
      storage_key: file.storageKey,
      name: file.name,
      created_at: new Date(now),
      expires_at: file.expiresAt,
      upload_id: file.uploadId,
      declared_bytes: file.size,
    })
    .execute()
}

/** The files are deleted in the next run of `createFileRemoval`. */
export async function forgetFiles(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update outgoing_files set expires_at = 'epoch', reply_id = null, reply_position = null
    where id = any(${[...ids]}::text[])`.execute(db)
}

export type StoredRow = {
  id: string
  name: string | null
  kind: FileKind | null
  content_type: string | null
  bytes: number | null
  sha256: string | null
}

export const completeOf = ({ id, name, kind, content_type: contentType, bytes, sha256 }: StoredRow) =>
  kind === null || contentType === null || bytes === null || sha256 === null
    ? null
    : { id, name, kind, contentType, bytes: Number(bytes) }
