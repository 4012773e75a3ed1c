import { randomBytes } from 'node:crypto'
import { fileLimits, partCount, sizeOfPart } from '../../src/domain/send/file-limits.ts'
import type { OutgoingFile } from '../../src/schemas/outgoing-file.ts'
import { cleanText } from '../clean-text.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/transaction.ts'
import { type FileStore, PartsGone, type PartUpload } from './file-store.ts'
import { createFileReader, type FileFacts } from './read-file.ts'
import {
  completeOf,
  lockUploads,
  problemInstead,
  reserve,
  type UploadProblem,
  UploadRefused,
} from './reserved-files.ts'

/** Times in milliseconds. */
export const partLimits = {
  /** After the last part that arrived. */
  keptFor: 24 * 60 * 60_000,
  /** Of one part with its storing, and of joining them. */
  timeout: 2 * 60_000,
} as const

/** 'gone': no upload with this id is under way. 'badPart': its number or its size is wrong. 'damaged': the hash is wrong. */
export type PartProblem = UploadProblem | 'gone' | 'badPart' | 'missingParts' | 'damaged'

type Begun = { received: number[]; file: OutgoingFile | null }

type Upload = { id: string; name: string | null; size: number }

/** The row of an upload in parts that is under way. */
type UnderWay = { storage_key: string; upload_id: string; declared_bytes: number }

/**
 * Large files that arrive in parts. Each part is stored before it is acknowledged, so an upload continues with the first
 * missing part after a lost connection or a reload, also from another tab. A part that comes twice is stored once.
 */
export function createUploadParts({
  db,
  store,
  shown,
  keep,
  clock,
}: {
  db: Db
  store: Pick<FileStore, 'beginParts' | 'putPart' | 'joinParts' | 'abortParts' | 'open'>
  shown: (file: NonNullable<ReturnType<typeof completeOf>>) => OutgoingFile
  /** Keeps the facts about a stored file. */
  keep: (storageKey: string, id: string, name: string | null, stored: FileFacts) => Promise<OutgoingFile>
  clock: Pick<Clock, 'now'>
}) {
  const until = () => new Date(clock.now() + partLimits.keptFor)
  const limited = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(partLimits.timeout)])

  async function receivedParts(storageKey: string) {
    return db
      .selectFrom('outgoing_file_parts')
      .select(['number', 'etag'])
      .where('storage_key', '=', storageKey)
      .orderBy('number')
      .execute()
  }

  async function findUpload(staffId: string, id: string): Promise<UnderWay | null> {
    const row = await db
      .selectFrom('outgoing_files')
      .select(['storage_key', 'upload_id', 'declared_bytes'])
      .where('id', '=', id)
      .where('staff_id', '=', staffId)
      .where('expires_at', '>', new Date(clock.now()))
      .executeTakeFirst()
    if (row?.upload_id == null || row.declared_bytes === null) return null
    return { storage_key: row.storage_key, upload_id: row.upload_id, declared_bytes: Number(row.declared_bytes) }
  }

  async function findComplete(staffId: string, id: string): Promise<OutgoingFile | null> {
    const row = await db.selectFrom('outgoing_files').selectAll().where('id', '=', id).executeTakeFirst()
    if (row !== undefined && row.staff_id !== staffId) throw new UploadRefused('taken')
    const complete = row === undefined ? null : completeOf(row)
    return complete === null ? null : shown(complete)
  }

  const uploadOf = ({ storage_key: key, upload_id: uploadId }: UnderWay): PartUpload => ({ key, uploadId })

  /** Null if there is no joined file. Throws UploadRefused for a program. */
  async function readBack(key: string, declaredType: string): Promise<FileFacts | null> {
    const content = await store.open(key)
    if (content === null) return null
    const reader = createFileReader(declaredType)
    for await (const chunk of content) reader.add(chunk)
    return reader.facts()
  }

  async function begin(staffId: string, { id, name, size }: Upload, signal: AbortSignal): Promise<Begun | PartProblem> {
    if (size > fileLimits.other) return 'tooLarge'
    const file = await findComplete(staffId, id)
    if (file !== null) return { received: [], file }
    const known = await findUpload(staffId, id)
    if (known?.declared_bytes === size) {
      const parts = await receivedParts(known.storage_key)
      return { received: parts.map(({ number }) => number), file: null }
    }
    const storageKey = randomBytes(16).toString('hex')
    const uploadId = await store.beginParts(storageKey, limited(signal))
    const upload = { key: storageKey, uploadId }
    try {
      const added = await inTransaction(db, async (trx) => {
        await lockUploads(trx, staffId)
        // Another tab has begun meanwhile.
        const other = await trx
          .selectFrom('outgoing_files')
          .select('upload_id')
          .where('id', '=', id)
          .where('declared_bytes', '=', size)
          .where('expires_at', '>', new Date(clock.now()))
          .executeTakeFirst()
        if (other !== undefined) return false
        await reserve(trx, clock.now(), { id, staffId, storageKey, name, expiresAt: until(), uploadId, size })
        return true
      })
      if (added) return { received: [], file: null }
    } catch (error) {
      await forget(upload)
      throw error
    }
    await forget(upload)
    return begin(staffId, { id, name, size }, signal)
  }

  /** Deletes parts that no row knows. A failure leaves an unfinished upload at the store, which holds no whole file. */
  async function forget(upload: PartUpload): Promise<void> {
    await store.abortParts(upload).catch(() => undefined)
  }

  /** The next upload of the file begins anew. */
  async function forgetUpload({ storage_key }: UnderWay): Promise<'gone'> {
    await db
      .updateTable('outgoing_files')
      .set({ expires_at: new Date(clock.now()) })
      .where('storage_key', '=', storage_key)
      // Null: another tab has completed the file meanwhile.
      .where('upload_id', 'is not', null)
      .execute()
    return 'gone'
  }

  return {
    /** Begins an upload, or tells which parts of it have arrived. */
    begin: (staffId: string, upload: Upload, signal: AbortSignal): Promise<Begun | PartProblem> =>
      problemInstead(() => {
        const name = upload.name === null ? null : cleanText(upload.name)
        return begin(staffId, { ...upload, name }, signal)
      }),

    /** Stores a part; null if it is stored. */
    async receive(
      staffId: string,
      id: string,
      number: number,
      { content, signal }: { content: AsyncIterable<Uint8Array>; signal: AbortSignal },
    ): Promise<PartProblem | null> {
      const row = await findUpload(staffId, id)
      if (row === null) return 'gone'
      if (number > partCount(row.declared_bytes)) return 'badPart'
      const received = await receivedParts(row.storage_key)
      if (received.some((part) => part.number === number)) return null
      const expected = sizeOfPart(number, row.declared_bytes)
      async function* checked() {
        let bytes = 0
        for await (const chunk of content) {
          bytes += chunk.length
          if (bytes > expected) throw new WrongSize()
          yield chunk
        }
        if (bytes !== expected) throw new WrongSize()
      }
      const upload = uploadOf(row)
      let etag: string
      try {
        etag = await store.putPart(upload, number, checked(), limited(signal))
      } catch (error) {
        if (error instanceof WrongSize) return 'badPart'
        if (error instanceof PartsGone) return forgetUpload(row)
        throw error
      }
      const isStored = await inTransaction(db, async (trx) => {
        const renewed = await trx
          .updateTable('outgoing_files')
          .set({ expires_at: until() })
          .where('storage_key', '=', row.storage_key)
          .where('upload_id', 'is not', null)
          .where('expires_at', '>', new Date(clock.now()))
          .returning('id')
          .executeTakeFirst()
        if (renewed === undefined) return false
        await trx
          .insertInto('outgoing_file_parts')
          .values({ storage_key: row.storage_key, number, etag })
          .onConflict((conflict) => conflict.columns(['storage_key', 'number']).doUpdateSet({ etag }))
          .execute()
        return true
      })
      if (isStored) return null
      // Removed or completed while the part arrived; what was stored since would stay.
      await forget(upload)
      return 'gone'
    },

    /** Joins the parts and compares the hash. Repeated, it answers with the same file. */
    complete: (
      staffId: string,
      id: string,
      { sha256, declaredType }: { sha256: string; declaredType: string },
      signal: AbortSignal,
    ): Promise<OutgoingFile | PartProblem> =>
      problemInstead(async () => {
        const file = await findComplete(staffId, id)
        if (file !== null) return file
        const row = await findUpload(staffId, id)
        if (row === null) return 'gone'
        const upload = uploadOf(row)
        const parts = await receivedParts(row.storage_key)
        if (parts.length !== partCount(row.declared_bytes)) return 'missingParts'
        // An earlier call, or one from another tab, has joined the parts. Then the file can be read.
        const failure = await store.joinParts(upload, parts, limited(signal)).then(
          () => null,
          (error: unknown) => ({ error }),
        )
        let stored: FileFacts | null
        try {
          stored = await readBack(upload.key, declaredType)
        } catch (error) {
          if (error instanceof UploadRefused) await forgetUpload(row)
          throw error
        }
        if (stored === null && failure?.error instanceof PartsGone) return forgetUpload(row)
        if (stored === null) throw failure?.error ?? new Error('a joined file cannot be read')
        if (stored.sha256 !== sha256) {
          await forgetUpload(row)
          return 'damaged'
        }
        const { name } = await db
          .selectFrom('outgoing_files')
          .select('name')
          .where('storage_key', '=', row.storage_key)
          .executeTakeFirstOrThrow()
        return keep(row.storage_key, id, name, stored)
      }),
  }
}

class WrongSize extends Error {
  override readonly name = 'WrongSize'
}
