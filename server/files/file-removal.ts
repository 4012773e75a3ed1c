import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { codeOf } from '../database/transaction.ts'
import type { Logger } from '../logger.ts'
import type { FileStore } from './file-store.ts'

const batchSize = 100
/** The pause after a failure of the store. Milliseconds. */
const retryPause = 60_000

/** Returns whether no file that is to be deleted is left. */
export type RemoveFiles = () => Promise<boolean>

/**
 * Deletes the files of deleted messages, and those that staff uploaded and did not send: first the file, then its row,
 * so that another process resumes after a crash. A file that is being downloaded is deleted when its lease ends.
 */
export function createFileRemoval({
  db,
  store,
  clock,
  logger,
}: {
  db: Db
  store: Pick<FileStore, 'delete'>
  clock: Pick<Clock, 'now'>
  logger: Pick<Logger, 'error'>
}): RemoveFiles {
  async function claim() {
    const now = new Date(clock.now())
    return db
      .updateTable('stored_files')
      .set({ leased_until: new Date(clock.now() + retryPause) })
      .where('id', 'in', (due) =>
        due
          .selectFrom('stored_files')
          .select('id')
          .where('message_id', 'is', null)
          .where((is) => is.or([is('leased_until', 'is', null), is('leased_until', '<=', now)]))
          .orderBy('id')
          .limit(batchSize)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['id', 'storage_key'])
      .execute()
  }

  /** Files that staff uploaded and did not send. */
  async function claimExpired() {
    const now = new Date(clock.now())
    return db
      .updateTable('outgoing_files')
      .set({ leased_until: new Date(clock.now() + retryPause) })
      .where('id', 'in', (due) =>
        due
          .selectFrom('outgoing_files')
          .select('id')
          .where('expires_at', '<=', now)
          .where((is) => is.or([is('leased_until', 'is', null), is('leased_until', '<=', now)]))
          .orderBy('expires_at')
          .limit(batchSize)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['id', 'storage_key', 'upload_id'])
      .execute()
  }

  async function removeAll<Id>(
    claimBatch: () => Promise<{ id: Id; storage_key: string; upload_id?: string | null }[]>,
    deleteRow: (id: Id) => Promise<unknown>,
  ): Promise<void> {
    for (;;) {
      const marked = await claimBatch()
      for (const { id, storage_key, upload_id } of marked) {
        try {
          await store.delete(storage_key, upload_id)
        } catch (error) {
          // Retried after the pause.
          logger.error({ file: id, reason: codeOf(error) }, 'deleting a stored file failed')
          continue
        }
        await deleteRow(id)
      }
      if (marked.length < batchSize) return
    }
  }

  return async () => {
    await removeAll(claim, (id) => db.deleteFrom('stored_files').where('id', '=', id).execute())
    await removeAll(claimExpired, (id) => db.deleteFrom('outgoing_files').where('id', '=', id).execute())
    const [left, leftOutgoing] = await Promise.all([
      db.selectFrom('stored_files').select('id').where('message_id', 'is', null).limit(1).execute(),
      db.selectFrom('outgoing_files').select('id').where('expires_at', '<=', new Date(clock.now())).limit(1).execute(),
    ])
    return left.length === 0 && leftOutgoing.length === 0
  }
}
