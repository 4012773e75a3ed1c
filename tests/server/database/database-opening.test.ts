import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs, { mkdtempSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { lockDirectory } from '../../../server/database/directory-lock.ts'
import { readMigrations } from '../../../server/database/migrations.ts'
import { openDatabase } from '../../../server/database/open-database.ts'
import { StartupError } from '../../../server/startup-error.ts'
import { childEnvironment } from '../child-environment.ts'
import { createEmbeddedIn, describeOnEachDatabase, withFreshServerDatabase } from '../databases.ts'
import { addPage } from '../people.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'staff-inbox-data-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const lockedError = () =>
  new StartupError(
    `The data directory ${directory} is used by another process, the server or a command; stop that process, or set DATA_DIR to another directory.`,
  )

const lockModule = new URL('../../../server/database/directory-lock.ts', import.meta.url).href

/** Locks the directory in another process and returns that process, or its error message. */
async function lockInProcess(command: string, args: string[] = []) {
  const script = `
    const { lockDirectory } = await import(${JSON.stringify(lockModule)})
    try { lockDirectory(process.env.DIRECTORY); console.log('locked') } catch (error) { console.log(error.message) }
    process.stdin.resume()
  `
  const options = { env: { ...childEnvironment(), DIRECTORY: directory } }
  const child = spawn(command, [...args, '--input-type=module', '-e', script], options)
  const closed = once(child, 'close')
  const [firstLine] = await once(child.stdout, 'data')
  return {
    result: String(firstLine).trim(),
    stop: async (signal: NodeJS.Signals) => {
      child.kill(signal)
      await closed
    },
  }
}

/** `unshare` gives the process a pid namespace and a hostname of its own, as a container has. */
const container = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc', '--uts']
const canContain = spawnSync('unshare', [...container, 'true']).status === 0

describe('The data directory', () => {
  it('keeps its content after a restart, and is locked while it is open', async () => {
    await createEmbeddedIn(directory)
    const first = await openDatabase({ dataDir: directory })
    await addPage(first.db, 'p1')
    await expect(openDatabase({ dataDir: directory })).rejects.toEqual(lockedError())
    await first.close()

    const second = await openDatabase({ dataDir: directory })
    expect(await second.db.selectFrom('pages').select('page_id').execute()).toEqual([{ page_id: 'p1' }])
    await second.close()
  })

  it('rejects a second process until the first is killed', async () => {
    const first = await lockInProcess(process.execPath)
    const second = await lockInProcess(process.execPath)
    expect([first.result, second.result]).toEqual(['locked', lockedError().message])
    expect(() => lockDirectory(directory)).toThrow(lockedError())
    await second.stop('SIGTERM')
    await first.stop('SIGKILL')
    const unlock = lockDirectory(directory)
    unlock()
  })

  it.skipIf(!canContain)('rejects a process in another container, until the first container is killed', async () => {
    const first = await lockInProcess('unshare', [...container, process.execPath])
    const second = await lockInProcess('unshare', [...container, process.execPath])
    expect([first.result, second.result]).toEqual(['locked', lockedError().message])
    await second.stop('SIGKILL')
    await first.stop('SIGKILL')
    const third = await lockInProcess('unshare', [...container, process.execPath])
    expect(third.result).toBe('locked')
    await third.stop('SIGKILL')
  })

  it('is on the disk before a transaction is answered', async () => {
    await createEmbeddedIn(directory)
    const database = await openDatabase({ dataDir: directory })
    const sync = vi.spyOn(fs, 'fsyncSync')
    await addPage(database.db, 'p1')
    const synced = sync.mock.calls.map(([file]) => basename(dirname(readlinkSync(`/proc/self/fd/${file}`))))
    sync.mockRestore()
    await database.close()
    expect(synced).toEqual(['pg_wal'])
  })
})

it('openDatabase reports an unreachable server in one sentence without its URL', async () => {
  await expect(openDatabase({ databaseUrl: 'postgres://inbox:hush@127.0.0.1:1/inbox' })).rejects.toEqual(
    new StartupError('The database that DATABASE_URL names cannot be reached (ECONNREFUSED).'),
  )
})

describeOnEachDatabase('openDatabase', (open) => {
  it('applies every migration once', async () => {
    const { db } = await open()
    const { rows } = await sql<{ name: string }>`select name from applied_migrations order by name`.execute(db)
    expect(rows.map(({ name }) => name)).toEqual(readMigrations().map(({ name }) => name))
  })

  it('enables row level security on every table and grants PUBLIC no function', async () => {
    const { db } = await open()
    const { rows } = await sql`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity
      union all
      select proname from pg_proc, aclexplode(coalesce(proacl, acldefault('f', proowner)))
      where pronamespace = 'public'::regnamespace and grantee = 0
        and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
    `.execute(db)
    expect(rows).toEqual([])
  })

  it('returns counts and ids as numbers', async () => {
    const { db } = await open()
    const { rows } = await sql<{ n: number }>`select count(*) as n, 5::bigint as five from pages`.execute(db)
    expect(rows).toEqual([{ n: 0, five: 5 }])
  })

  it('delivers notifications in order until the listener stops', async () => {
    const { db, listen } = await open()
    const received: string[] = []
    const allReceived = Promise.withResolvers<void>()
    const stop = await listen(
      'test_channel',
      (payload) => {
        received.push(payload)
        if (payload === 'c') allReceived.resolve()
      },
      () => allReceived.reject(new Error('lost')),
    )
    for (const payload of ['a', 'b', 'c']) await sql`select pg_notify('test_channel', ${payload})`.execute(db)
    await allReceived.promise
    await stop()
    await sql`select pg_notify('test_channel', 'd')`.execute(db)
    expect(received).toEqual(['a', 'b', 'c'])
  })

  it('rolls back a failed transaction before the next one runs', async () => {
    const { db } = await open()
    const failed = db.transaction().execute(async (trx) => {
      await addPage(trx, 'p1')
      throw new Error('no')
    })
    const other = addPage(db, 'p2')
    await expect(failed).rejects.toThrow('no')
    await other
    expect(await db.selectFrom('pages').select('page_id').execute()).toEqual([{ page_id: 'p2' }])
  })

  it('releases the lock of an exclusive task that failed', async () => {
    const { exclusively } = await open()
    await expect(exclusively('first fill', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await exclusively('first fill', async () => 'done')).toBe('done')
  })
})

describe.skipIf(process.env['TEST_DATABASE_URL'] === undefined)('openDatabase on a PostgreSQL server', () => {
  it('migrates once when two processes start at the same time, and delivers notifications between them', async () => {
    await withFreshServerDatabase(async (databaseUrl) => {
      const [one, two] = await Promise.all([openDatabase({ databaseUrl }), openDatabase({ databaseUrl })])
      const received = Promise.withResolvers<string>()
      await two.listen('realtime', received.resolve, () => undefined)
      await addPage(one.db, 'p1')
      await one.db.insertInto('fb_users').values({ id: 'u1', page_id: 'p1', psid: '1' }).execute()
      expect(JSON.parse(await received.promise)).toMatchObject({ table: 'fb_users', type: 'INSERT' })
      await Promise.all([one.close(), two.close()])
    })
  })

  it('runs the first fill in one process while the other waits', async () => {
    await withFreshServerDatabase(async (databaseUrl) => {
      const [one, two] = await Promise.all([openDatabase({ databaseUrl }), openDatabase({ databaseUrl })])
      const steps: string[] = []
      const started = Promise.withResolvers<void>()
      const finish = Promise.withResolvers<void>()
      const first = one.exclusively('first fill', async () => {
        steps.push('one begins')
        started.resolve()
        await finish.promise
        steps.push('one ends')
      })
      await started.promise
      const second = two.exclusively('first fill', async () => void steps.push('two begins'))
      finish.resolve()
      await Promise.all([first, second])
      expect(steps).toEqual(['one begins', 'one ends', 'two begins'])
      await Promise.all([one.close(), two.close()])
    })
  })

  it('fails only the transaction whose connection was lost', async () => {
    await withFreshServerDatabase(async (databaseUrl) => {
      const { db, close } = await openDatabase({ databaseUrl })
      const interrupted = db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
        const pid = rows[0]?.pid
        await sql`select pg_terminate_backend(${pid})`.execute(db)
        const countConnection = async () =>
          (await sql`select from pg_stat_activity where pid = ${pid}`.execute(db)).rows.length
        await expect.poll(countConnection).toBe(0)
        await sql`select 1`.execute(transaction)
      })
      await expect(interrupted).rejects.toThrow()
      expect(await db.selectFrom('pages').select('page_id').execute()).toEqual([])
      await close()
    })
  })

  it('closes the connection of a listener that fails to start', async () => {
    await withFreshServerDatabase(async (databaseUrl) => {
      const database = await openDatabase({ databaseUrl })
      const connections = async () => {
        const { rows } = await sql<{ n: number }>`
          select count(*) as n from pg_stat_activity where datname = current_database()`.execute(database.db)
        return rows[0]?.n
      }
      expect(await connections()).toBe(1)
      const never = () => expect.unreachable('the listener never started')
      await expect(database.listen('', never, never)).rejects.toThrow('zero-length')
      await expect.poll(connections).toBe(1)
      await database.close()
    })
  })

  it('reports a lost listener connection once', async () => {
    await withFreshServerDatabase(async (databaseUrl) => {
      const { db, listen, close } = await openDatabase({ databaseUrl })
      let losses = 0
      const lost = Promise.withResolvers<void>()
      await listen(
        'realtime',
        () => undefined,
        () => {
          losses += 1
          lost.resolve()
        },
      )
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query ilike 'listen%'`.execute(db)
      await lost.promise
      await close()
      expect(losses).toBe(1)
    })
  })
})
