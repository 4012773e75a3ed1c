import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMigrations } from '../../../server/database/migrations.ts'
import { openDatabase } from '../../../server/database/open-database.ts'
import { smallSandbox } from '../../small-sandbox.ts'
import { childEnvironment } from '../child-environment.ts'
import {
  allowedStatements,
  createHostedProject,
  defaultPrivileges,
  type HostedProject,
  openObjects,
  relationsOf,
} from './hosted-project.ts'

const main = fileURLToPath(new URL('../../../server/main.ts', import.meta.url))

describe.skipIf(process.env['TEST_DATABASE_URL'] === undefined)('The database of a hosted project', () => {
  let project: HostedProject

  /** Starts a process and waits until it is ready. */
  const startAndStop = async () => {
    const child = spawn(process.execPath, [main], {
      env: {
        ...childEnvironment(),
        PORT: '0',
        LOG_LEVEL: 'silent',
        ...smallSandbox,
        DATABASE_URL: project.url,
        SECRET_KEY: 'a secret key of thirty-two characters or more',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'close')
    let output = ''
    for await (const chunk of child.stdout) {
      output += chunk
      // A second signal would end the server at once.
      if (output.includes('(viewer)') && !child.killed) child.kill('SIGTERM')
    }
    expect([output, await ended]).toEqual([expect.stringContaining('(viewer)'), [0, null]])
  }

  describe('after the server has started', () => {
    beforeAll(async () => {
      project = await createHostedProject()
      await startAndStop()
    }, 120_000)
    afterAll(() => project.close())

    it('contains staff and the tables of every schema', async () => {
      const names = (await relationsOf(project.admin)).map(({ name }) => name)
      const expected = ['staff', 'messages', 'current_page_totals', 'applied_migrations', 'jobs.job', 'sandbox.pages']
      expect(names).toEqual(expect.arrayContaining(expected))
      const { rows } = await project.admin.query('select count(*)::integer as staff from staff')
      expect(rows).toEqual([{ staff: 6 }])
    })

    it('grants nothing to the API roles, and denies them every statement', async () => {
      expect(await openObjects(project.admin)).toEqual([])
      expect(await allowedStatements(project.admin)).toEqual([])
    })

    it('revokes access to objects that were added later at the next start', async () => {
      await project.runAsOwner('create table added_later (id text primary key)')
      expect(await openObjects(project.admin)).toEqual(['added_later: no row level security'])

      await project.runAsOwner(`
        ${defaultPrivileges}
        create table granted_later (id bigint generated always as identity primary key, name text);
        create view view_later as select name from granted_later;
        create function function_later() returns bigint language sql security definer
          as 'select count(*) from granted_later';
        create table column_later (id text primary key);
        revoke all on column_later from anon, authenticated;
        grant select (id) on column_later to anon;
        grant execute on all functions in schema jobs to public;
        grant all on all tables in schema sandbox to authenticated;
      `)
      expect(await openObjects(project.admin)).toEqual(
        expect.arrayContaining([
          'column_later: select of a column for anon',
          'granted_later: delete for authenticated',
          'granted_later: insert for anon',
          'granted_later: no row level security',
          'granted_later_id_seq: usage for anon',
          'function_later(): execute for anon',
          'jobs.create_queue(text,jsonb): execute for anon',
          'sandbox.pages: update for authenticated',
          'view_later: runs with the rights of its owner',
          'view_later: select for anon',
        ]),
      )
      expect(await allowedStatements(project.admin)).toEqual(
        expect.arrayContaining(['anon: insert into granted_later default values (done)']),
      )

      await startAndStop()
      expect(await openObjects(project.admin)).toEqual([])
      expect(await allowedStatements(project.admin)).toEqual([])
      await project.runAsOwner('create table added_last (id text primary key)')
      expect(await openObjects(project.admin)).toEqual(['added_last: no row level security'])
    }, 120_000)
  })

  it('loses the grants of an earlier version on upgrade', async () => {
    project = await createHostedProject()
    try {
      await project.runAsOwner(
        'create table applied_migrations (name text primary key, applied_at timestamptz not null default now())',
      )
      await project.runAsOwner(
        readMigrations()
          .map(({ script }) => script)
          .join(';'),
      )
      await project.runAsOwner(`
        insert into applied_migrations (name) values ${readMigrations()
          .map(({ name }) => `('${name}')`)
          .join()};
      `)
      expect(await openObjects(project.admin)).toEqual(
        expect.arrayContaining(['staff: insert for anon', 'current_page_totals: select for anon']),
      )
      await (await openDatabase({ databaseUrl: project.url })).close()
      expect(await openObjects(project.admin)).toEqual([])
    } finally {
      await project.close()
    }
  })
})
