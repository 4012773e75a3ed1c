import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { Db } from '../../../server/database/database.ts'
import { describeOnServer } from '../databases.ts'

const policies = readFileSync('docs/supabase.sql', 'utf8')

/** What a hosted project brings: its roles, the function that tells who asks, and the publication. */
const hostedProject = `
  do $$ begin
    if not exists (select from pg_roles where rolname = 'anon') then create role anon; end if;
    if not exists (select from pg_roles where rolname = 'authenticated') then create role authenticated; end if;
  end $$;
  create schema auth;
  grant usage on schema auth, public to anon, authenticated;
  create function auth.uid() returns uuid language sql stable as
    $$ select nullif(current_setting('request.jwt.claim.sub', true), '')::uuid $$;
  grant all on all tables in schema public to anon, authenticated;
  create publication supabase_realtime;
`
const reading = 'a0000000-0000-4000-8000-000000000001'
const dismissed = 'a0000000-0000-4000-8000-000000000002'
const cleaning = 'a0000000-0000-4000-8000-000000000003'

describeOnServer('The policies for a hosted project', (open) => {
  let db: Db

  beforeAll(async () => {
    ;({ db } = await open())
    await sql.raw(hostedProject).execute(db)
    for (let run = 0; run < 2; run++) await sql.raw(policies).execute(db)
    await db
      .insertInto('staff')
      .values([
        { email: 'reading@example.com', role: 'viewer', supabase_id: reading },
        { email: 'dismissed@example.com', role: 'agent', is_active: false, supabase_id: dismissed },
        { email: 'cleaning@example.com', role: 'cleaner', supabase_id: cleaning },
      ])
      .execute()
    await db.insertInto('pages').values({ page_id: 'p1', page_name: 'P', page_access_token_encrypted: 'x' }).execute()
    await db.insertInto('fb_users').values({ id: 'ana', page_id: 'p1', psid: '1', platform: 'messenger' }).execute()
    await db
      .insertInto('messages')
      .values({ message_id: 'm1', fb_user_id: 'ana', direction: 'incoming', timestamp_fb: new Date() })
      .execute()
  })

  const seenBy = (role: 'anon' | 'authenticated', subject: string | undefined, table: string) =>
    db.transaction().execute(async (trx) => {
      await sql`select set_config('request.jwt.claim.sub', ${subject ?? ''}, true)`.execute(trx)
      await sql.raw(`set local role ${role}`).execute(trx)
      return (await sql.raw(`select * from public.${table}`).execute(trx)).rows.length
    })

  it.each([
    ['staff who may read conversations', reading, 1],
    ['dismissed staff', dismissed, 0],
    ['staff of another role', cleaning, 0],
    ['somebody who is no staff', 'a0000000-0000-4000-8000-000000000009', 0],
  ])('show messages and chat users to %s as they should', async (_, subject, rows) => {
    expect([
      await seenBy('authenticated', subject, 'messages'),
      await seenBy('authenticated', subject, 'fb_users'),
    ]).toEqual([rows, rows])
  })

  it('show nothing else to anybody, and nothing at all to who is not signed in', async () => {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
    const readable: string[] = []
    for (const { name } of rows) {
      const outcome = await seenBy('authenticated', reading, name).catch((error: Error) => error.message)
      if (!String(outcome).includes('permission denied')) readable.push(name)
    }
    expect(readable.sort()).toEqual(['fb_users', 'messages'])
    await expect(seenBy('anon', undefined, 'messages')).rejects.toThrow('permission denied')
  })

  it('let nobody write', async () => {
    const writing = db.transaction().execute(async (trx) => {
      await sql`select set_config('request.jwt.claim.sub', ${reading}, true)`.execute(trx)
      await sql.raw('set local role authenticated').execute(trx)
      await trx.updateTable('messages').set({ message_text: 'x' }).execute()
    })
    await expect(writing).rejects.toThrow('permission denied')
  })

  it('publish the two tables', async () => {
    const { rows } = await sql`
      select tablename as name from pg_publication_tables where pubname = 'supabase_realtime' order by 1`.execute(db)
    expect(rows).toEqual([{ name: 'fb_users' }, { name: 'messages' }])
  })

  it('leave the server itself free', async () => {
    expect((await db.selectFrom('messages').select('message_id').execute()).length).toBe(1)
  })
})
