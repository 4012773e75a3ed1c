import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordAudit, serverActor } from '../../../server/audit/audit.ts'
import { backUp, restoreBackup } from '../../../server/backup/backup.ts'
import { writeBackup } from '../../../server/backup/backup-file.ts'
import { dump } from '../../../server/backup/dump.ts'
import { openBackup, restore } from '../../../server/backup/restore.ts'
import { embeddedSession, serverSession } from '../../../server/backup/session.ts'
import { systemClock } from '../../../server/clock.ts'
import type { Db } from '../../../server/database/database.ts'
import { migrationScript, preparationScript, readMigrations } from '../../../server/database/migrations.ts'
import { openDatabase } from '../../../server/database/open-database.ts'
import { inTransaction } from '../../../server/database/transaction.ts'
import { createFileRemoval, type RemoveFiles } from '../../../server/files/file-removal.ts'
import { openFileStore } from '../../../server/files/open-file-store.ts'
import { sendTimeout } from '../../../server/network/send/stored-sends.ts'
import {
  erasedAmong,
  findErased,
  openErasedPeople,
  rememberErasedClient,
} from '../../../server/people/erased-people.ts'
import { createErasures } from '../../../server/people/erasures.ts'
import { keyringOf } from '../../../server/secrets.ts'
import { StartupError } from '../../../server/startup-error.ts'
import { childEnvironment } from '../child-environment.ts'
import {
  anyKind,
  connectionsEnded,
  createEmbeddedIn,
  createMigratedOnServer,
  createOnServer,
  type DatabaseKind,
  databaseKinds,
} from '../databases.ts'
import { columnsWith } from '../people/catalogue.ts'
import { addIdentity, addMessage, addPage, at } from '../people.ts'

const run = promisify(execFile)
const now = Date.UTC(2026, 1, 3)

let directory: string
let cleanUp: (() => Promise<void>)[]
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'staff-inbox-backup-'))
  cleanUp = []
})
afterEach(async () => {
  for (const clean of cleanUp) await clean()
  rmSync(directory, { recursive: true })
})

type Place = Parameters<typeof restoreBackup>[0]
const kinds = databaseKinds()

let places = 0
/** A place without tables. */
async function newPlace(kind: DatabaseKind, create = createOnServer): Promise<Place> {
  places += 1
  const dataDir = join(directory, `data-${places}`)
  const rest = { secretKeys: undefined, secretKey: undefined, files: { s3: undefined } }
  if (kind === 'embedded') return { databaseUrl: undefined, dataDir, ...rest }
  const { url, drop } = await create()
  cleanUp.push(drop)
  return { databaseUrl: url, dataDir, ...rest }
}

/** A place with the tables, which are empty. */
async function migratedPlace(kind: DatabaseKind): Promise<Place> {
  const place = await newPlace(kind, createMigratedOnServer)
  if (kind === 'embedded') await createEmbeddedIn(place.dataDir)
  return place
}

const open = ({ databaseUrl, dataDir }: Pick<Place, 'databaseUrl' | 'dataDir'>) =>
  openDatabase(databaseUrl === undefined ? { dataDir } : { databaseUrl })

async function inDatabase<T>(place: Place, work: (db: Db) => Promise<T>): Promise<T> {
  const { db, close } = await open(place)
  try {
    return await work(db)
  } finally {
    await close()
    if (place.databaseUrl !== undefined) await connectionsEnded(place.databaseUrl)
  }
}

const erasuresOf = async (db: Db, place: Place, removeFiles: RemoveFiles = async () => true) =>
  createErasures({
    db,
    erasedPeople: await openErasedPeople(db, keyringOf(place), 'PH'),
    removeFiles,
    sendTimeout,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
  })

const difficultTexts = [
  '',
  'null',
  '\\N',
  'line\r\nline\u2028\ttab',
  '"quoted" \\ \'',
  'Niño 👩‍👧 \u202e',
  '{a,b}',
  '\u0001',
]

async function fill(db: Db): Promise<void> {
  await recordAudit(db, { at: now, by: serverActor, action: 'sync.settings-changed' })
  await addPage(db, 'p1')
  await addPage(db, 'p2', { active: false })
  await addIdentity(db, 'u1', { page: 'p1', name: 'Ana "A" Cruz' })
  await addIdentity(db, 'u2', { page: 'p2', platform: 'instagram' })
  for (const [index, text] of difficultTexts.entries()) {
    await addMessage(db, `m${index}`, index % 2 === 0 ? 'u1' : 'u2', index, { message_text: text })
  }
  await addMessage(db, 'file', 'u1', 20, { message_text: null, attachments: JSON.stringify({ data: [] }) })
  await db.deleteFrom('messages').where('message_id', '=', 'm3').execute()
  await db.insertInto('deleted_messages').values({ message_id: 'm3' }).execute()
  await db
    .insertInto('faq_entries')
    .values({ title: 'Prices', keywords: ['how much', 'price, in "pesos"', 'null'], response: 'From 10 to 20 pesos' })
    .execute()
  await db.insertInto('webhook_inbox').values({ body: '{"a":"\\u0000"}', due_at: sql<Date>`'infinity'` }).execute()
  await db
    .insertInto('history_syncs')
    .values({ page_id: 'p1', platform: 'messenger', conversation_limit: 50 })
    .execute()
  const staff = { email: 'ana@example.com', name: null, role: 'agent', permissions: ['messages.send'] }
  await db
    .insertInto('staff')
    .values({ ...staff, supabase_id: null, legacy_password_hash: null })
    .execute()
  const client = { id: '7f1b2f8c-0d2b-4a54-8f0c-1c7f5c1f0001', first_name: 'Ana', last_name: 'Cruz' }
  await db
    .insertInto('clients')
    .values({ ...client, company_name: null, email: null, phone: '+63 2' })
    .execute()
  await db
    .insertInto('orders')
    .values({
      order_number: 'A-1',
      client_id: client.id,
      status: 'pending',
      total_amount: '1234567.10',
      created_at: at(1),
    })
    .execute()
}

/** The rows of all tables as texts, except what a restore writes itself. */
async function contentOf(db: Db) {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname not in ('restores', 'applied_migrations') order by relname`.execute(db)
  const content: Record<string, string[]> = {}
  await db.connection().execute(async (connection) => {
    await sql`set timezone = 'UTC'`.execute(connection)
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`
        select source::text as row from ${sql.table(name)} as source order by 1`.execute(connection)
      content[name] = rows.map(({ row }) => row)
    }
  })
  return content
}

/** Without what a restore changes: syncs that were waiting, and its own entry in the audit log. */
const comparable = (content: Record<string, string[]>) => ({
  ...content,
  history_syncs: [],
  // A restored database has streams of its own at NATS.
  realtime_transport: [],
  audit_entries: content['audit_entries']?.filter((row) => !row.includes('backup.restored')),
})

const storedKey = (digit: string) => digit.repeat(32)
/** Larger than a line of the backup. */
const bytesOf = (digit: string) => Buffer.alloc(700_001, `file ${digit} \0`)

/** A message with a file of a customer, which is in the store. */
async function addFile(db: Db, place: Place, digit: string, person: string): Promise<void> {
  await addMessage(db, `with-${digit}`, person, 40)
  await db
    .insertInto('stored_files')
    .values({
      message_id: `with-${digit}`,
      position: 0,
      source_hash: digit,
      storage_key: storedKey(digit),
      due_at: at(40),
      created_at: at(40),
    })
    .execute()
  await db.updateTable('stored_files').set({ state: 'stored' }).where('storage_key', '=', storedKey(digit)).execute()
  await openFileStore(place).put(storedKey(digit), Readable.from([bytesOf(digit)]), new AbortController().signal)
}

/** The digits of the files that the store has with their bytes. */
async function storedIn(place: Place, digits: string): Promise<string> {
  let found = ''
  for (const digit of digits) {
    const content = await openFileStore(place).open(storedKey(digit))
    if (content === null) continue
    expect(Buffer.from(await new Response(content).arrayBuffer()).equals(bytesOf(digit))).toBe(true)
    found += digit
  }
  return found
}

const removalIn = (db: Db, place: Place) =>
  createFileRemoval({
    db,
    store: openFileStore(place),
    clock: systemClock,
    logger: pino({ level: 'silent' }),
  })

/** Across the kinds where there are two: the same file serves both. */
const copies = kinds.map((from, index) => [from, kinds[(index + 1) % kinds.length] ?? from] as const)

describe.each(copies)('A backup of the database (%s), restored into another (%s)', (from, to) => {
  it('holds every row of every table, and the restored database goes on where the first ended', async () => {
    const [source, target, file] = [await migratedPlace(from), await newPlace(to), join(directory, 'backup')]
    const before = await inDatabase(source, async (db) => {
      await fill(db)
      return contentOf(db)
    })
    await backUp(source, file, now)
    await restoreBackup(target, file, { replace: false, bringBackErased: false })

    await inDatabase(target, async (db) => {
      expect(comparable(await contentOf(db))).toEqual(comparable(before))
      expect(before['audit_entries']).toHaveLength(1)
      expect(before['messages']).toHaveLength(difficultTexts.length)
      expect(await db.selectFrom('history_syncs').select(['state', 'error']).execute()).toEqual([
        { state: 'failed', error: 'The sync was interrupted by a restore.' },
      ])
      // Triggers, sequences and foreign keys work again.
      await addMessage(db, 'new', 'u1', 30)
      const total = await db
        .selectFrom('conversation_pages')
        .select('total_messages')
        .where('page_id', '=', 'p1')
        .execute()
      expect(total).toEqual([{ total_messages: 6 }])
      await expect(addIdentity(db, 'u3', { page: 'unknown' })).rejects.toThrow('foreign key')
    })
  }, 180_000)
})

it('refuses to back up a directory without a database, and does not create one there', async () => {
  const place = await newPlace('embedded')
  await expect(backUp(place, join(directory, 'backup'), now)).rejects.toThrow(
    new StartupError(`${place.dataDir} has no database. Set DATA_DIR to the data directory of the server.`),
  )
  expect(existsSync(place.dataDir)).toBe(false)
})

it('refuses to dump a database without tables', async () => {
  const { databaseUrl } = await newPlace(anyKind())
  const session = await (databaseUrl === undefined ? PGlite.create().then(embeddedSession) : serverSession(databaseUrl))
  await expect(dump(session, { now, store: null })).rejects.toThrow(
    new StartupError('This database is empty. Set DATA_DIR or DATABASE_URL to the database of the server.'),
  )
})

describe('Files of customers in a backup', () => {
  it('are restored, and files that only the replaced database knew are deleted', async () => {
    const [source, target, file] = [
      await migratedPlace(anyKind()),
      await migratedPlace(anyKind()),
      join(directory, 'backup'),
    ]
    await inDatabase(source, async (db) => {
      await fill(db)
      for (const digit of 'abc') await addFile(db, source, digit, 'u1')
      await db.deleteFrom('messages').where('message_id', '=', 'with-b').execute()
      await openFileStore(source).delete(storedKey('c'))
    })
    await inDatabase(target, async (db) => {
      await fill(db)
      await addFile(db, target, 'd', 'u1')
    })
    expect((await backUp(source, file, now)).files).toEqual({ found: 1, missing: 1 })
    await restoreBackup(target, file, { replace: true, bringBackErased: false })
    expect(await storedIn(target, 'abcd')).toBe('ad')
    await inDatabase(target, async (db) => {
      expect(await removalIn(db, target)()).toBe(true)
      const rows = await db.selectFrom('stored_files').select(['storage_key', 'message_id']).orderBy('id').execute()
      expect(rows).toEqual([
        { storage_key: storedKey('a'), message_id: 'with-a' },
        { storage_key: storedKey('c'), message_id: 'with-c' },
      ])
    })
    expect(await storedIn(target, 'abcd')).toBe('a')
  }, 180_000)

  it('are erased again with their person', async () => {
    const [source, file] = [await migratedPlace(anyKind()), join(directory, 'backup')]
    await inDatabase(source, async (db) => {
      await fill(db)
      await addFile(db, source, 'a', 'u1')
      await addFile(db, source, 'b', 'u2')
    })
    await backUp(source, file, Date.now())
    const erase = (id?: string) =>
      inDatabase(source, async (db) => {
        const erasures = await erasuresOf(db, source, removalIn(db, source))
        const begun = id ?? (await erasures.beginPerson('u1', { by: serverActor }))
        await erasures.run(begun ?? '')
        expect(await erasures.find(begun ?? '')).toMatchObject({ state: 'completed' })
      })
    await erase()
    expect(await storedIn(source, 'ab')).toBe('b')
    await restoreBackup(source, file, { replace: true, bringBackErased: false })
    expect(await storedIn(source, 'ab')).toBe('ab')
    const running = await inDatabase(source, (db) =>
      db.selectFrom('erasures').select('id').where('state', '=', 'running').executeTakeFirstOrThrow(),
    )
    await erase(running.id)
    expect(await storedIn(source, 'ab')).toBe('b')
  }, 180_000)

  it('are not in the backup if they are in a bucket', async () => {
    const [source, file] = [await migratedPlace(anyKind()), join(directory, 'backup')]
    await inDatabase(source, async (db) => {
      await fill(db)
      await addFile(db, source, 'a', 'u1')
    })
    const s3 = { endpoint: 'http://127.0.0.1:9', bucket: 'b', region: 'r', accessKeyId: 'a', secretAccessKey: 's' }
    expect((await backUp({ ...source, files: { s3 } }, file, now)).files).toBe(null)
    expect(gunzipSync(readFileSync(file)).toString()).not.toContain('{"bytes":')
  }, 180_000)
})

const runScript = (name: string, { databaseUrl, dataDir }: Place, ...words: string[]) => {
  const env = { ...childEnvironment(), DATA_DIR: dataDir, DATABASE_URL: databaseUrl }
  const script = fileURLToPath(new URL(`../../../scripts/${name}.ts`, import.meta.url))
  return run(process.execPath, [script, ...words], { env }).then(
    ({ stdout }) => stdout,
    ({ stderr }) => Promise.reject(new Error(stderr)),
  )
}

describe.each(kinds)('npm run backup and npm run restore (%s)', (kind) => {
  it('takes one moment of a database that is written to, from another process', async () => {
    // The same file serves both kinds.
    const [source, target, file] = [await migratedPlace(kind), await newPlace(anyKind()), join(directory, 'backup')]
    const { db, close } = await open(source)
    await fill(db)
    let written = 0
    let isWriting = true
    const write = async () => {
      while (isWriting) {
        written += 1
        const person = `w${written}`
        await db.transaction().execute(async (trx) => {
          await trx.insertInto('deleted_messages').values({ message_id: person }).execute()
          await new Promise((resolve) => setTimeout(resolve, 1))
          await addIdentity(trx, person, { page: 'p1' })
        })
      }
    }
    const writing = write()
    await expect.poll(() => written).toBeGreaterThan(5)
    const before = written - 1
    const output = await runScript('backup', source, file)
    const during = written
    await expect.poll(() => written).toBeGreaterThan(during)
    isWriting = false
    await writing
    await close()

    expect(output).toContain(`${file} is complete`)
    expect(during).toBeGreaterThan(before)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(kind === 'server' || readdirSync(source.dataDir).filter((name) => name.startsWith('snapshot-'))).toEqual(
      kind === 'server' || [],
    )
    expect(await runScript('restore', target, file)).toContain('People who were erased after the backup are back')
    await inDatabase(target, async (restored) => {
      const people = await restored.selectFrom('fb_users').select('id').where('id', 'like', 'w%').execute()
      const markers = await restored
        .selectFrom('deleted_messages')
        .select('message_id as id')
        .where('message_id', 'like', 'w%')
        .execute()
      expect(new Set(people.map(({ id }) => id))).toEqual(new Set(markers.map(({ id }) => id)))
      expect(people.length).toBeGreaterThanOrEqual(before)
      expect(people.length).toBeLessThanOrEqual(during)
    })
  }, 180_000)

  it('restores over a database with --replace, but not while a server uses it', async () => {
    const [source, file] = [await migratedPlace(kind), join(directory, 'backup')]
    await inDatabase(source, (db) => addPage(db, 'p1'))
    await backUp(source, file, now)
    const pages = (db: Db) => db.selectFrom('pages').select('page_id').orderBy('page_id').execute()
    await inDatabase(source, async (db) => {
      await addPage(db, 'p2')
      await expect(runScript('restore', source, file, '--replace')).rejects.toThrow(/^(A|The data directory .*) server/)
      expect(await pages(db)).toHaveLength(2)
    })
    await runScript('restore', source, file, '--replace')
    expect(await inDatabase(source, pages)).toEqual([{ page_id: 'p1' }])
  }, 180_000)
})

it('npm run backup refuses a file that exists, and npm run restore a database with content', async () => {
  const [source, file] = [await migratedPlace(anyKind()), join(directory, 'backup')]
  await inDatabase(source, (db) => addPage(db, 'p1'))
  await backUp(source, file, now)
  await expect(runScript('backup', source, file)).rejects.toThrow(`${file} exists already; name a new file.\n`)
  await inDatabase(source, (db) => addPage(db, 'p2'))
  await expect(runScript('restore', source, file)).rejects.toThrow(
    'The database has content already; to replace it by the backup, add --replace.\n',
  )
  expect(await inDatabase(source, (db) => db.selectFrom('pages').selectAll().execute())).toHaveLength(2)
}, 180_000)

describe('A restore', () => {
  it('erases again who was erased after the backup, unless they are asked back', async () => {
    const [source, file] = [await migratedPlace(anyKind()), join(directory, 'backup')]
    const people = (db: Db) => db.selectFrom('fb_users').select('id').orderBy('id').execute()
    /** As the server does at its start. */
    const runErasures = async (db: Db) => {
      const erasures = await erasuresOf(db, source)
      const running = await db.selectFrom('erasures').select('id').where('state', '=', 'running').execute()
      for (const { id } of running) await erasures.run(id)
      return running.length
    }
    const hasErased = async (db: Db) =>
      findErased(db, await openErasedPeople(db, keyringOf(source), 'PH'), { pageId: 'p1', psid: 'psid-u1' })
    const client = { external_id: 'shop-1', email: 'ana@example.com', phone: null }
    const mayBeImported = async (db: Db) =>
      !(await erasedAmong(db, await openErasedPeople(db, keyringOf(source), 'PH'), [client]))(client)
    await inDatabase(source, fill)
    await backUp(source, file, Date.now())
    const erasedAt = await inDatabase(source, async (db) => {
      const id = await (await erasuresOf(db, source)).beginPerson('u1', { by: serverActor })
      await runErasures(db)
      const hashes = await openErasedPeople(db, keyringOf(source), 'PH')
      await inTransaction(db, (trx) => rememberErasedClient(trx, hashes, client, new Date()))
      expect([id, await people(db)]).toEqual([expect.any(String), [{ id: 'u2' }]])
      return (await hasErased(db))?.erasedAt
    })

    expect(await restoreBackup(source, file, { replace: true, bringBackErased: false })).toEqual({
      outcome: 'kept erased',
      people: 1,
    })
    await inDatabase(source, async (db) => {
      expect(await hasErased(db)).toEqual({ erasedAt, isCompleted: false })
      expect(await mayBeImported(db)).toBe(false)
      expect(await runErasures(db)).toBe(1)
      expect(await people(db)).toEqual([{ id: 'u2' }])
      expect(await columnsWith(db, 'Ana "A" Cruz')).toEqual([])
      expect(await hasErased(db)).toEqual({ erasedAt, isCompleted: true })
      const entries = await db
        .selectFrom('audit_entries')
        .select(['action', 'staff_name', 'details'])
        .orderBy('id')
        .execute()
      expect(entries.slice(1)).toEqual([
        {
          action: 'backup.restored',
          staff_name: 'Command line',
          details: { backup: expect.any(String), erased: 'kept erased', people: 1 },
        },
      ])
    })

    expect(await runScript('restore', source, file, '--replace', '--bring-back-erased')).toContain(
      '1 person was erased after the backup, and may be back.',
    )
    await inDatabase(source, async (db) => {
      expect([await runErasures(db), await people(db)]).toEqual([0, [{ id: 'u1' }, { id: 'u2' }]])
      expect(await hasErased(db)).toBeNull()
      expect(await mayBeImported(db)).toBe(true)
    })
  }, 180_000)

  it('says that erased people are back if the replaced database hashed them with another key', async () => {
    const [source, other, file] = [
      await migratedPlace(anyKind()),
      await migratedPlace(anyKind()),
      join(directory, 'backup'),
    ]
    for (const place of [other, source]) {
      await inDatabase(place, async (db) => {
        await fill(db)
        await openErasedPeople(db, keyringOf(place), 'PH')
      })
    }
    await backUp(other, file, Date.now())
    await inDatabase(source, async (db) => {
      await (await erasuresOf(db, source)).beginPerson('u1', { by: serverActor })
    })
    expect(await restoreBackup(source, file, { replace: true, bringBackErased: false })).toEqual({
      outcome: 'back without key',
      people: 1,
    })
  }, 180_000)

  it('changes nothing if a backup cannot be restored whole', async () => {
    const [source, file] = [await migratedPlace(anyKind()), join(directory, 'backup')]
    await inDatabase(source, fill)
    const before = await inDatabase(source, contentOf)
    await backUp(source, file, now)
    const withoutPages = gunzipSync(readFileSync(file))
      .toString()
      .split('\n')
      .filter((line) => !line.startsWith('["p1","Page p1"'))
      .slice(0, -2)
    const sum = createHash('sha256')
      .update(withoutPages.map((line) => `${line}\n`).join(''))
      .digest('hex')
    const end = JSON.stringify({ lines: withoutPages.length, sha256: sum })
    const incomplete = join(directory, 'incomplete')
    writeFileSync(incomplete, gzipSync([...withoutPages, end, ''].join('\n')))
    await expect(restoreBackup(source, incomplete, { replace: true, bringBackErased: false })).rejects.toThrow(
      'foreign key',
    )
    expect(await inDatabase(source, contentOf)).toEqual(before)
  }, 180_000)
})

describe('A backup file', () => {
  const someBackup = async () => {
    const [source, file] = [await migratedPlace(anyKind()), join(directory, 'backup')]
    await inDatabase(source, (db) => addPage(db, 'p1'))
    await backUp(source, file, now)
    return file
  }

  it('is refused when it is damaged, cut off, of a newer release or no backup', async () => {
    const file = await someBackup()
    const target = await migratedPlace(anyKind())
    const text = gunzipSync(readFileSync(file)).toString()
    const damaged = 'is not a backup, or it is damaged.'
    const newer = 'was made by a newer release; restore it with that'
    const cases: [string, Buffer, string][] = [
      ['a changed value', gzipSync(text.replace('Page p1', 'Page p2')), damaged],
      ['a lost line', gzipSync(text.replace(/\n\["p1".*?\n/, '\n')), damaged],
      ['a lost end', gzipSync(text.split('\n').slice(0, -2).join('\n')), damaged],
      ['a cut archive', readFileSync(file).subarray(0, 500), damaged],
      ['an empty file', Buffer.alloc(0), damaged],
      ['another file', gzipSync('hello\nhello\n'), damaged],
      ['a newer format', withHeader(text, { version: 3 }), newer],
      ['a newer migration', withHeader(text, { migrations: ['9999_later'] }), newer],
    ]
    for (const [name, content, message] of cases) {
      const changed = join(directory, name)
      writeFileSync(changed, content)
      await expect(restoreBackup(target, changed, { replace: false, bringBackErased: false }), name).rejects.toThrow(
        message,
      )
    }
    await expect(
      restoreBackup(target, join(directory, 'none'), { replace: false, bringBackErased: false }),
    ).rejects.toThrow('does not exist')
  }, 180_000)

  it('does not appear under its name while it is incomplete', async () => {
    const file = join(directory, 'backup')
    const failing = async function* () {
      yield { table: 'pages', columns: ['page_id'] }
      throw new Error('lost')
    }
    const header = { format: 'staff-inbox-backup' as const, version: 1, created: '', migrations: [] }
    await expect(writeBackup(file, header, failing())).rejects.toThrow('lost')
    expect(readdirSync(directory)).toEqual([])
  })

  it('of an earlier release is migrated, rows included', async () => {
    const earlier = readMigrations().filter(({ name }) => name < '0009')
    const pglite = await PGlite.create({ extensions: { pg_trgm } })
    await pglite.exec([preparationScript, ...earlier.map(migrationScript)].join('\n;'))
    await pglite.exec(`
      insert into pages (page_id, page_name, page_access_token_encrypted) values ('p1', 'One', 'x');
      insert into fb_users (id, page_id, psid) values ('u1', 'p1', '1');
      insert into messages (message_id, fb_user_id, direction, message_text) values ('m1', 'u1', 'incoming', 'Hi');
      insert into sends (idempotency_key, staff_id, page_id, psid, message_text, state)
        values ('auto-reply:m1', 'automatic', 'p1', '1', 'Hello', 'unknown')`)
    const file = join(directory, 'backup')
    const { header, content } = await dump(await embeddedSession(pglite), { now, store: null })
    await writeBackup(file, header, content)
    await restore(await embeddedSession(pglite), await openBackup(file), {
      replace: true,
      bringBackErased: false,
      keyring: () => ({ secrets: [''], hasIds: false }),
      store: openFileStore(await newPlace('embedded')),
    })
    // Migration 0009 fills this column.
    expect((await pglite.query('select unconfirmed_reply from messages')).rows).toEqual([
      { unconfirmed_reply: { text: 'Hello', tries: 1 } },
    ])
    const applied = await pglite.query('select name from applied_migrations order by name')
    expect(applied.rows).toEqual(readMigrations().map(({ name }) => ({ name })))
    await pglite.close()
  }, 180_000)
})

/** The backup with another header and the checksum that belongs to it. */
function withHeader(text: string, values: object): Buffer {
  const [header = '', ...rest] = text.split('\n').slice(0, -2)
  const lines = [JSON.stringify({ ...JSON.parse(header), ...values }), ...rest]
  const sum = createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex')
  return gzipSync([...lines, JSON.stringify({ lines: lines.length, sha256: sum }), ''].join('\n'))
}
