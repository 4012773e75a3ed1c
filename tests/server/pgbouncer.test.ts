import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../server/database/open-database.ts'
import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { signInToApi, tokenPairOf } from '../e2e/api.ts'
import { deliveryOf, type PagePerson, postWebhook, sandboxOf } from '../e2e/network.ts'
import { createServer, type TestServer } from '../e2e/server.ts'
import { smallSandbox } from '../small-sandbox.ts'
import { withFreshServerDatabase } from './databases.ts'
import { addIdentity, addMessage, addPage } from './people.ts'
import { startPgBouncer, whyNoPgBouncer } from './pgbouncer.ts'

const withPooler = (run: (place: { databaseUrl: string; directUrl: string }) => Promise<void>) =>
  withFreshServerDatabase(async (directUrl) => {
    const pooler = await startPgBouncer(directUrl)
    try {
      await run({ databaseUrl: pooler.url, directUrl })
    } finally {
      await pooler.stop()
    }
  })

const suite = `Behind PgBouncer with transaction pooling${whyNoPgBouncer === null ? '' : ` (skipped: ${whyNoPgBouncer})`}`

describe.skipIf(whyNoPgBouncer !== null)(suite, () => {
  it(
    'a process has the time-outs, hears each change, and holds few direct connections',
    () =>
      withPooler(async (place) => {
        const database = await openDatabase(place)
        const { db } = database
        const heard: string[] = []
        await database.listen(
          'realtime',
          (payload) => void heard.push(payload),
          () => undefined,
        )
        await addPage(db, 'p')
        await addIdentity(db, 'u', { page: 'p' })
        await Promise.all(Array.from({ length: 40 }, (_, minute) => addMessage(db, `m${minute}`, 'u', minute)))
        const messages = () => heard.filter((payload) => JSON.parse(payload).table === 'messages').length
        await expect.poll(messages).toBe(40)

        const timeouts = sql<object>`select current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle, pg_sleep(0.01)`
        const settings = await Promise.all(Array.from({ length: 30 }, () => timeouts.execute(db)))
        expect(settings.flatMap(({ rows }) => rows)).toEqual(
          Array(30).fill({ statement: '25s', idle: '30s', pg_sleep: '' }),
        )

        const connections = await database.exclusively('first fill', async () => {
          const { rows } = await sql`select from pg_stat_activity where datname = current_database()`.execute(db)
          return rows.length
        })
        // Five of the pooler, the listener and the lock.
        expect(connections).toBeLessThanOrEqual(7)
        await database.close()
      }),
    60_000,
  )

  it(
    'two servers receive and send messages, and one goes on when the other is killed',
    () =>
      withPooler(async ({ databaseUrl, directUrl }) => {
        const secretKey = 'a secret of at least thirty-two characters'
        const settings = {
          ...smallSandbox,
          SECRET_KEY: secretKey,
          DATABASE_URL: databaseUrl,
          DATABASE_DIRECT_URL: directUrl,
        }
        const create = async () => ({ ...(await createServer('embedded', settings, 'nothing')), secretKey })
        const [first, second] = [await create(), await create()]
        const direct = new pg.Client({ connectionString: directUrl })
        try {
          await direct.connect()
          await first.start()
          await second.start()
          const person = await personAt(first)
          await exchange(first, second, person)
          await exchange(second, first, person)
          // A session lock that was taken through the pooler would stay.
          expect((await direct.query(`select from pg_locks where locktype = 'advisory'`)).rows).toEqual([])
          await first.kill()
          await exchange(second, second, person)
        } finally {
          await direct.end()
          await first.dispose()
          await second.dispose()
        }
      }),
    240_000,
  )
})

async function personAt(server: TestServer): Promise<PagePerson> {
  const api = await signInToApi(server)
  const [row] = (await api.conversations('limit=50')).filter(({ platform }) => platform === 'messenger')
  const pageId = row?.page_id ?? ''
  const { psid } = await api.identityOn(row?.primary_user_id ?? '', pageId)
  return { pageId, psid }
}

/** A message in by one server and a message out by it, both seen at the other. */
async function exchange(server: TestServer, other: TestServer, person: PagePerson) {
  const [wrote, answered] = [`In ${randomUUID()}`, `Out ${randomUUID()}`]
  expect((await postWebhook(server, deliveryOf([{ ...person, wrote }]))).status).toBe(200)
  const { token } = await tokenPairOf(server, demoStaff[0])
  const sent = await fetch(`${server.url}/api/facebook/send-message`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ pageId: person.pageId, recipientPsid: person.psid, messageText: answered }),
  })
  expect(sent.status).toBe(200)
  const api = await signInToApi(other)
  const texts = async () => {
    const [row] = await api.conversations('limit=1')
    const messages = await api.messages(row?.primary_user_id ?? '')
    return messages.map(({ message_text }) => message_text).filter((text) => text === wrote || text === answered)
  }
  await expect.poll(texts, { timeout: 20_000 }).toHaveLength(2)
  const delivered = await sandboxOf(other).deliveredTo(person.psid)
  expect(delivered.filter((text) => text === answered)).toEqual([answered])
}
