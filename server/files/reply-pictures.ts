import { sql, type Transaction } from 'kysely'
import { fileLimits } from '../../src/domain/send/file-limits.ts'
import type { OutgoingFile } from '../../src/schemas/outgoing-file.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { FileStore } from './file-store.ts'
import type { OutgoingFiles } from './outgoing-files.ts'
import { forgetFiles, type UploadProblem } from './reserved-files.ts'

/** Of all saved replies, in bytes. */
export const maxPictureBytes = 1_000_000_000

/** A time that never comes: pictures are deleted with their saved reply. The previous release deletes by this time. */
const never = new Date('9999-12-31T00:00:00Z')

/** 'gone': not an upload of this person that can be used. 'noPicture': too large, or of another kind. 'full': no room. */
export type PictureProblem = 'gone' | 'noPicture' | 'full'

class PictureMissing extends Error {
  override readonly name = 'PictureMissing'
}

export type ReplyPictures = ReturnType<typeof createReplyPictures>

/** The pictures of saved replies (feature 'reply-pictures'). They are rows of `outgoing_files` with a `reply_id`. */
export function createReplyPictures({
  db,
  store,
  files,
  clock,
}: {
  db: Db
  store: Pick<FileStore, 'open'>
  files: Pick<OutgoingFiles, 'show' | 'receive' | 'findFor'>
  clock: Pick<Clock, 'now'>
}) {
  async function* contentOf(storageKey: string): AsyncGenerator<Uint8Array> {
    const content = await store.open(storageKey)
    if (content === null) throw new PictureMissing()
    yield* content
  }

  return {
    /** The pictures of saved replies in their order, by the id of the reply; of all replies without `replyId`. */
    async of(trx: Db, replyId?: string): Promise<ReadonlyMap<string, OutgoingFile[]>> {
      const rows = await trx
        .selectFrom('outgoing_files')
        .selectAll()
        .where('reply_id', 'is not', null)
        .$if(replyId !== undefined, (query) => query.where('reply_id', '=', replyId ?? ''))
        .orderBy('reply_position')
        .execute()
      const found = new Map<string, OutgoingFile[]>()
      for (const row of rows) {
        const picture = files.show(row)
        if (row.reply_id === null || picture === null) continue
        found.set(row.reply_id, [...(found.get(row.reply_id) ?? []), picture])
      }
      return found
    },

    /**
     * Gives a saved reply these pictures in this order: its own, and uploads of this person. The others are deleted.
     * Returns why that is not possible; null if it was done. Lock the saved replies before (`lockNames`).
     */
    async keep(
      trx: Transaction<Tables>,
      { replyId, staffId, ids }: { replyId: string; staffId: string; ids: readonly string[] },
    ): Promise<PictureProblem | null> {
      const rows = await trx
        .selectFrom('outgoing_files')
        .selectAll()
        .where((is) => is.or([is('reply_id', '=', replyId), is('id', 'in', ids.length === 0 ? [''] : [...ids])]))
        .orderBy('id')
        .forUpdate()
        .execute()
      // A new statement, so that it sees a send that had locked one of the rows.
      const sent = await trx
        .selectFrom('sends')
        .select('file_id')
        .where('file_id', 'in', ['', ...rows.map(({ id }) => id)])
        .execute()
      const isSent = new Set(sent.map(({ file_id }) => file_id))
      for (const id of ids) {
        const row = rows.find((one) => one.id === id)
        const isUpload = row?.staff_id === staffId && row.expires_at.getTime() > clock.now() && !isSent.has(id)
        if (row === undefined || row.sha256 === null || (row.reply_id !== replyId && !isUpload)) return 'gone'
        if (row.kind !== 'image' || Number(row.bytes) > fileLimits.image) return 'noPicture'
      }
      const dropped = rows.filter((row) => row.reply_id === replyId && !ids.includes(row.id)).map(({ id }) => id)
      await forgetFiles(trx, dropped)
      if (ids.length === 0) return null
      await sql`
        update outgoing_files
        set staff_id = null, reply_id = ${replyId}, expires_at = ${never},
          reply_position = array_position(${[...ids]}::text[], id) - 1
        where id = any(${[...ids]}::text[])`.execute(trx)
      const { bytes } = await trx
        .selectFrom('outgoing_files')
        .select((select) => select.fn.coalesce(select.fn.sum<number>('bytes'), sql<number>`0`).as('bytes'))
        .where('reply_id', 'is not', null)
        .executeTakeFirstOrThrow()
      return Number(bytes) > maxPictureBytes ? 'full' : null
    },

    /**
     * Copies a picture to an upload of this person, under the id that the browser chose, so that a repeated call copies it
     * once. The upload does not change when the saved reply does.
     */
    async copy(
      staffId: string,
      { replyId, pictureId, id, signal }: { replyId: string; pictureId: string; id: string; signal: AbortSignal },
    ): Promise<OutgoingFile | UploadProblem | 'pictureGone'> {
      const copied = await files.findFor(staffId, id)
      if (copied !== null) return copied
      const picture = await db
        .selectFrom('outgoing_files')
        .select(['storage_key', 'name', 'content_type'])
        .where('id', '=', pictureId)
        .where('reply_id', '=', replyId)
        .executeTakeFirst()
      if (picture === undefined) return 'pictureGone'
      try {
        return await files.receive(staffId, {
          id,
          name: picture.name,
          declaredType: picture.content_type ?? '',
          content: contentOf(picture.storage_key),
          signal,
        })
      } catch (error) {
        if (error instanceof PictureMissing) return 'pictureGone'
        throw error
      }
    },
  }
}
