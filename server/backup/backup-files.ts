import type { FileStore } from '../files/file-store.ts'
import type { BackupLine } from './backup-file.ts'
import type { SqlSession } from './session.ts'

/** Bytes in one line of the backup. */
const chunkSize = 256 * 1024
/** Milliseconds for writing one file. */
const writeTimeout = 120_000

const has = async (session: SqlSession, name: string): Promise<boolean> => {
  const [[table] = []] = await session.rows(`select to_regclass('public.${name}')::text`)
  return Boolean(table)
}

/** The keys of the files of messages, and of those that staff are about to send; none if the database is too old. */
export async function storedKeys(session: SqlSession): Promise<string[]> {
  if (!(await has(session, 'stored_files'))) return []
  const keys = await session.rows(
    `select storage_key from stored_files where state = 'stored' and message_id is not null order by id`,
  )
  const outgoing = (await has(session, 'outgoing_files'))
    ? await session.rows(`select storage_key from outgoing_files where sha256 is not null order by id`)
    : []
  return [...keys, ...outgoing].map(([key]) => key ?? '')
}

/** A file: a line with its key, then its bytes in lines. Returns false, without a line, if there is no such file. */
export async function* linesOfFile(store: FileStore, key: string): AsyncGenerator<BackupLine, boolean> {
  const content = await store.open(key)
  if (content === null) return false
  yield { file: key }
  for await (const part of content) {
    for (let start = 0; start < part.length; start += chunkSize) {
      yield { bytes: Buffer.from(part.subarray(start, start + chunkSize)).toString('base64') }
    }
  }
  return true
}

/**
 * Stores a file whose line was just read from `lines`, and returns the first line after the file; undefined if there is
 * none.
 */
export async function storeFile(
  store: FileStore,
  key: string,
  lines: AsyncIterator<BackupLine>,
): Promise<BackupLine | undefined> {
  let after: BackupLine | undefined
  async function* content() {
    for (let line = await lines.next(); !line.done; line = await lines.next()) {
      after = line.value
      if (!('bytes' in line.value)) return
      yield Buffer.from(line.value.bytes, 'base64')
      after = undefined
    }
  }
  await store.put(key, content(), AbortSignal.timeout(writeTimeout))
  return after
}

/** The keys that a database knows, for `removeOtherFiles`. */
export async function allKeys(session: SqlSession): Promise<string> {
  if (!(await has(session, 'stored_files'))) return '[]'
  const outgoing = (await has(session, 'outgoing_files')) ? ' union all select storage_key from outgoing_files' : ''
  const [[keys] = []] = await session.rows(
    `select coalesce(json_agg(storage_key), '[]')::text from (select storage_key from stored_files${outgoing}) as known`,
  )
  return keys ?? '[]'
}

/** Marks the files that only the replaced database knew, so that the server deletes them. `keys` is JSON. */
export async function removeOtherFiles(session: SqlSession, keys: string): Promise<void> {
  const kept = (await has(session, 'outgoing_files')) ? 'where key not in (select storage_key from outgoing_files)' : ''
  await session.rows(
    `insert into stored_files (message_id, position, source_hash, storage_key, state, due_at, created_at)
      select null, 0, '', key, 'stored', now(), now() from json_array_elements_text($1::json) as known (key) ${kept}
      on conflict (storage_key) do nothing`,
    [keys],
  )
}
