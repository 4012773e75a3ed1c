import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '../../../server/database/database.ts'
import { openDatabase } from '../../../server/database/open-database.ts'
import { createHostedProject, defaultPrivileges, type HostedProject, openObjects } from '../database/hosted-project.ts'

const policies = readFileSync('docs/supabase.sql', 'utf8')

const reading = 'a0000000-0000-4000-8000-000000000001'
const dismissed = 'a0000000-0000-4000-8000-000000000002'
const withFactor = 'a0000000-0000-4000-8000-000000000004'
const otherRole = 'a0000000-0000-4000-8000-000000000003'

/** The only grants, for realtime. */
const openForRealtime = [
  'client_changes: select for authenticated',
  'client_labels: select for authenticated',
  'comment_threads: select for authenticated',
  'conversation_events: select for authenticated',
  'fb_users: select for authenticated',
  'labels: select for authenticated',
  'may_read_conversations(): execute for authenticated',
  'messages: select for authenticated',
  'notes: select for authenticated',
  'presence: select for authenticated',
  'saved_filter_versions: select for authenticated',
]

describe.skipIf(process.env['TEST_DATABASE_URL'] === undefined)('docs/supabase.sql', () => {
  let project: HostedProject
  let database: OpenDatabase

  const restartServer = async () => {
    await database.close()
    database = await openDatabase({ databaseUrl: project.url })
  }

  beforeAll(async () => {
    project = await createHostedProject()
    database = await openDatabase({ databaseUrl: project.url })
    for (let run = 0; run < 2; run++) await project.runAsOwner(policies)
    await restartServer()
    const { db } = database
    await db
      .insertInto('staff')
      .values([
        { email: 'reading@example.com', role: 'viewer', supabase_id: reading },
        { email: 'dismissed@example.com', role: 'agent', is_active: false, supabase_id: dismissed },
        { email: 'cleaner@example.com', role: 'cleaner', supabase_id: otherRole },
      ])
      .execute()
    await db.insertInto('pages').values({ page_id: 'p1', page_name: 'P', page_access_token_encrypted: 'x' }).execute()
    await db.insertInto('fb_users').values({ id: 'ana', page_id: 'p1', psid: '1', platform: 'messenger' }).execute()
    await db
      .insertInto('messages')
      .values({ message_id: 'm1', fb_user_id: 'ana', direction: 'incoming', timestamp_fb: new Date() })
      .execute()
  })
  afterAll(async () => {
    await database.close()
    await project.close()
  })

  /** Runs a statement as `authenticated` with the id of a provider user; returns the number of rows. */
  const rowsSeenBy = async (subject: string, statement: string): Promise<number> => {
    await project.admin.query('begin')
    try {
      await project.admin.query("select set_config('request.jwt.claim.sub', $1, true)", [subject])
      await project.admin.query('set local role authenticated')
      return (await project.admin.query(statement)).rows.length
    } finally {
      await project.admin.query('rollback')
    }
  }

  const readers = [
    ['staff who may read conversations', reading, 1],
    ['dismissed staff', dismissed, 0],
    ['staff of another role', otherRole, 0],
    ['an account without staff', 'a0000000-0000-4000-8000-000000000009', 0],
  ] as const

  it('shows nothing to a person with a second factor before the code of this session', async () => {
    const { id: staffId } = await database.db
      .insertInto('staff')
      .values({ email: 'factor@example.com', role: 'agent', supabase_id: withFactor })
      .returning('id')
      .executeTakeFirstOrThrow()
    const rows = async (session: string) => {
      await project.admin.query('begin')
      try {
        await project.admin.query("select set_config('request.jwt.claim.sub', $1, true)", [withFactor])
        const claims = JSON.stringify({ sub: withFactor, session_id: session })
        await project.admin.query("select set_config('request.jwt.claims', $1, true)", [claims])
        await project.admin.query('set local role authenticated')
        return (await project.admin.query('select * from messages')).rows.length
      } finally {
        await project.admin.query('rollback')
      }
    }
    const without = await rows('s1')
    await database.db
      .insertInto('second_factors')
      .values({ staff_id: staffId, secret_encrypted: 'x', confirmed_at: new Date() })
      .execute()
    await database.db
      .insertInto('second_factor_sessions')
      .values({ staff_id: staffId, provider_session_id: 's1', passed_at: new Date() })
      .execute()
    expect([without, await rows('s1'), await rows('s2')]).toEqual([1, 1, 0])
  })

  it.each(readers)('limits messages and identities for %s', async (_reader, subject, rows) => {
    expect([
      await rowsSeenBy(subject, 'select * from messages'),
      await rowsSeenBy(subject, 'select * from fb_users'),
    ]).toEqual([rows, rows])
  })

  it('grants no other access, and no writing', async () => {
    expect(await openObjects(project.admin)).toEqual(openForRealtime)
    await expect(rowsSeenBy(reading, "update messages set message_text = 'x'")).rejects.toThrow('permission denied')
    await expect(rowsSeenBy(reading, 'select * from staff')).rejects.toThrow('permission denied')
  })

  it('publishes the tables of realtime', async () => {
    const { rows } = await project.admin.query(
      "select tablename as name from pg_publication_tables where pubname = 'supabase_realtime' order by 1",
    )
    expect(rows.map(({ name }) => name)).toEqual([
      'client_changes',
      'client_labels',
      'comment_threads',
      'conversation_events',
      'fb_users',
      'labels',
      'messages',
      'notes',
      'presence',
      'saved_filter_versions',
    ])
  })

  it('does not restrict the server', async () => {
    expect((await database.db.selectFrom('messages').select('message_id').execute()).length).toBe(1)
  })

  it('keeps only its own grants after a restart of the server', async () => {
    await project.runAsOwner(`
      ${defaultPrivileges}
      grant all on messages, fb_users to anon, authenticated;
      grant update (message_text) on messages to authenticated;
      grant execute on all functions in schema public to public;
    `)
    await restartServer()
    expect(await openObjects(project.admin)).toEqual(openForRealtime)
    expect(await rowsSeenBy(reading, 'select * from messages')).toBe(1)
  })

  it('keeps no grant on a table with another policy', async () => {
    await project.runAsOwner(`
      create policy staff_read on pages for all to authenticated using (true);
      grant select on pages to authenticated;
      create policy all_read on staff for select to authenticated using (true);
      grant select on staff to authenticated;
    `)
    await restartServer()
    expect(await openObjects(project.admin)).toEqual(openForRealtime)
  })
})
