import { randomBytes } from 'node:crypto'
import { sql, type Transaction, type Updateable } from 'kysely'
import { fileLimits, kindOfType } from '../../src/domain/send/file-limits.ts'
import { attachmentOf } from '../../src/domain/send/sent-file.ts'
import type { Attachment } from '../../src/schemas/message.ts'
import type { FileKind, OutgoingFile } from '../../src/schemas/outgoing-file.ts'
import { cleanText } from '../clean-text.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import type { PictureAddresses } from '../pictures/picture-addresses.ts'
import type { FileStore } from './file-store.ts'
import { createFileReader, type FileFacts } from './read-file.ts'
import {
  completeOf,
  forgetFiles,
  lockUploads,
  outgoingLimits,
  problemInstead,
  reserve,
  type StoredRow,
  type UploadProblem,
  UploadRefused,
} from './reserved-files.ts'
import { hashOfSource, type StoredFile } from './stored-files.ts'
import { createUploadParts } from './upload-parts.ts'

const sourceForm = /^outgoing:([0-9a-f-]{36})(?::(\d+))?$/
const sourceOf = (id: string) => `outgoing:${id}`

/** Whether the source of an address is a file that staff sent. */
export const isOutgoingSource = (source: string): boolean => sourceForm.test(source)

export type OutgoingFiles = ReturnType<typeof createOutgoingFiles>

/** The files that staff upload and send (feature 'files'). */
export function createOutgoingFiles({
  db,
  store,
  addresses,
  storedFiles,
  publicOrigin,
  clock,
}: {
  db: Db
  store: FileStore
  addresses: Pick<PictureAddresses, 'addressOfOwn'>
  /** Finds the files of messages. */
  storedFiles: { find(address: string): Promise<StoredFile | null> }
  /** The origin under which the network reaches this server; null if it cannot. Then no file can be sent. */
  publicOrigin: string | null
  clock: Pick<Clock, 'now'>
}) {
  const addressOf = (id: string) => addresses.addressOfOwn(sourceOf(id))

  type Complete = { id: string; kind: FileKind; name: string | null; contentType: string; bytes: number }

  const shown = ({ id, kind, name, contentType, bytes }: Complete): OutgoingFile => ({
    id,
    kind,
    type: contentType,
    name,
    size: bytes,
    url: addressOf(id),
  })

  const show = (row: StoredRow): OutgoingFile | null => {
    const complete = completeOf(row)
    return complete === null ? null : shown(complete)
  }

  /** Reserves the id, and returns the file if it is stored already. */
  async function begin(staffId: string, id: string, name: string | null): Promise<Complete | { storageKey: string }> {
    const now = clock.now()
    return inTransaction(db, async (trx) => {
      await lockUploads(trx, staffId)
      const known = await trx.selectFrom('outgoing_files').selectAll().where('id', '=', id).executeTakeFirst()
      if (known !== undefined && known.staff_id !== staffId) throw new UploadRefused('taken')
      const complete = known === undefined ? null : completeOf(known)
      if (complete !== null) return complete
      const storageKey = randomBytes(16).toString('hex')
      const expiresAt = new Date(now + outgoingLimits.uploadTimeout)
      await reserve(trx, now, { id, staffId, storageKey, name, expiresAt, uploadId: null, size: null })
      return { storageKey }
    })
  }

  async function storeBytes(storageKey: string, { content, declaredType, signal }: Upload): Promise<FileFacts> {
    const reader = createFileReader(declaredType)
    async function* checked() {
      for await (const chunk of content) {
        if (reader.add(chunk) > fileLimits.other) throw new UploadRefused('tooLarge')
        yield chunk
      }
      // Throws before the store has the whole file.
      reader.facts()
    }
    await store.put(storageKey, checked(), AbortSignal.any([signal, AbortSignal.timeout(outgoingLimits.uploadTimeout)]))
    return reader.facts()
  }

  async function keep(
    storageKey: string,
    id: string,
    name: string | null,
    { contentType, bytes, sha256 }: FileFacts,
  ): Promise<OutgoingFile> {
    const kind = kindOfType(contentType)
    const now = clock.now()
    const completed = await db
      .updateTable('outgoing_files')
      .set({
        kind,
        content_type: contentType,
        bytes,
        sha256,
        expires_at: new Date(now + outgoingLimits.keptFor),
        upload_id: null,
      })
      .where('storage_key', '=', storageKey)
      .where('id', '=', id)
      .where('expires_at', '>', new Date(now))
      .returning('id')
      .executeTakeFirst()
    if (completed === undefined) {
      // Its row may be deleted already, and then nothing else would delete the file.
      await store.delete(storageKey)
      await mark(storageKey, { expires_at: new Date(now) })
      throw new UploadRefused('removed')
    }
    return shown({ id, kind, name, contentType, bytes })
  }

  async function find(id: string): Promise<(Complete & { storageKey: string; sha256: string }) | null> {
    const row = await db.selectFrom('outgoing_files').selectAll().where('id', '=', id).executeTakeFirst()
    const complete = row === undefined ? null : completeOf(row)
    return row === undefined || complete === null
      ? null
      : { ...complete, storageKey: row.storage_key, sha256: row.sha256 ?? '' }
  }

  return {
    /** Whether the network can fetch files from this server. */
    isOffered: publicOrigin !== null,

    /** Large files, which arrive in parts. */
    parts: createUploadParts({ db, store, shown, keep, clock }),

    /** Stores a file under the id that the browser chose; an upload that is repeated stores it once. */
    async receive(staffId: string, upload: Upload): Promise<OutgoingFile | UploadProblem> {
      const name = upload.name === null ? null : cleanText(upload.name)
      return problemInstead(async () => {
        const begun = await begin(staffId, upload.id, name)
        if ('id' in begun) return shown(begun)
        const { storageKey } = begun
        const stored = await storeBytes(storageKey, upload).catch(async (error: unknown) => {
          await mark(storageKey, { expires_at: new Date(clock.now()) })
          throw error
        })
        return keep(storageKey, upload.id, name, stored)
      })
    },

    /** Deletes a file that will not be sent. Does nothing if it is another person's, or is being sent. */
    async discard(staffId: string, id: string): Promise<void> {
      await db
        .updateTable('outgoing_files')
        .set({ expires_at: new Date(clock.now()) })
        .where('id', '=', id)
        .where('staff_id', '=', staffId)
        .where((is) =>
          is.not(
            is.exists(is.selectFrom('sends').select('idempotency_key').whereRef('file_id', '=', 'outgoing_files.id')),
          ),
        )
        .execute()
    },

    /** The file behind an address, before and after it was sent. Null: there is none, or the address has ended. */
    async findBySource(source: string): Promise<StoredFile | null> {
      const [, id, until] = sourceForm.exec(source) ?? []
      if (id === undefined || (until !== undefined && Number(until) <= clock.now())) return null
      const file = await find(id)
      if (file === null) return storedFiles.find(sourceOf(id))
      const { kind, name, storageKey, contentType, bytes, sha256 } = file
      return { kind, name, copy: { storageKey, contentType, bytes, sha256 } }
    },

    /** A file that the person may send; null if it is gone, not complete, or another person's. */
    async findFor(staffId: string, id: string): Promise<OutgoingFile | null> {
      const row = await db
        .selectFrom('outgoing_files')
        .selectAll()
        .where('id', '=', id)
        .where('staff_id', '=', staffId)
        .where('expires_at', '>', new Date(clock.now()))
        .executeTakeFirst()
      return row === undefined ? null : show(row)
    },

    /** The file of a row as the API shows it; null if it is not complete. */
    show,

    /** The address from which the network fetches a file; it ends after `outgoingLimits.networkAddress`. */
    networkAddressOf(id: string): string {
      if (publicOrigin === null) throw new Error('the network cannot fetch files from this server')
      return `${publicOrigin}${addresses.addressOfOwn(`${sourceOf(id)}:${clock.now() + outgoingLimits.networkAddress}`)}`
    },

    /** Keeps a file for a new attempt to send it. False if it is gone. */
    async keep(trx: Transaction<Tables>, id: string): Promise<boolean> {
      const kept = await trx
        .updateTable('outgoing_files')
        .set({ expires_at: new Date(clock.now() + outgoingLimits.keptFor) })
        .where('id', '=', id)
        .where('reply_id', 'is', null)
        .where('expires_at', '>', new Date(clock.now()))
        .returning('id')
        .executeTakeFirst()
      return kept !== undefined
    },

    /** The attachments of the messages that sends deliver, by key. Sends of texts, and files that are gone, have none. */
    async attachmentsOf(trx: Db, keys: readonly string[]): Promise<Map<string, { data: Attachment[] }>> {
      if (keys.length === 0) return new Map()
      const rows = await trx
        .selectFrom('sends')
        .innerJoin('outgoing_files as file', 'file.id', 'sends.file_id')
        .selectAll('file')
        .select('idempotency_key')
        .where('idempotency_key', 'in', [...keys])
        .execute()
      return new Map(
        rows.flatMap((row) => {
          const complete = completeOf(row)
          return complete === null ? [] : [[row.idempotency_key, { data: [attachmentOf(shown(complete))] }]]
        }),
      )
    },

    /**
     * Moves the file of a send to the message that delivered it. Call it after the message is stored, in the same
     * transaction. Idempotent. Without a message the file is deleted.
     */
    async moveToMessage(trx: Transaction<Tables>, key: string, messageId: string): Promise<void> {
      const row = await trx
        .selectFrom('outgoing_files as file')
        .innerJoin('sends', 'sends.file_id', 'file.id')
        .selectAll('file')
        .where('idempotency_key', '=', key)
        .forUpdate('file')
        .executeTakeFirst()
      const complete = row === undefined ? null : completeOf(row)
      if (row === undefined || complete === null) return
      const attachments = JSON.stringify({ data: [attachmentOf(shown(complete))] })
      // An echo or a sync may have stored the message with an address of the network, which expires.
      await sql`
        update messages set attachments = ${attachments}::jsonb
        where message_id = ${messageId} and attachments is distinct from ${attachments}::jsonb`.execute(trx)
      const moved = await sql`
        insert into stored_files (message_id, position, source_hash, storage_key, state, content_type, bytes, sha256,
          due_at, created_at, stored_at)
        select message_id, 0, ${hashOfSource(sourceOf(row.id))}, ${row.storage_key}, 'stored', ${row.content_type},
          ${row.bytes}, ${row.sha256}, ${row.created_at}, ${row.created_at}, ${new Date(clock.now())}
        from messages where message_id = ${messageId}
        returning id`.execute(trx)
      if (moved.rows.length > 0) await trx.deleteFrom('outgoing_files').where('id', '=', row.id).execute()
      else await forgetFiles(trx, [row.id])
    },
  }

  async function mark(storageKey: string, changes: Updateable<Tables['outgoing_files']>): Promise<void> {
    await db.updateTable('outgoing_files').set(changes).where('storage_key', '=', storageKey).execute()
  }
}

type Upload = {
  id: string
  name: string | null
  /** The MIME type that the browser gave. It only distinguishes audio from video in containers that hold both. */
  declaredType: string
  content: AsyncIterable<Uint8Array>
  signal: AbortSignal
}
