import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serverActor } from '../../server/audit/audit.ts'
import { secondFactorPurpose } from '../../server/auth/second-factors.ts'
import { createProductTokens } from '../../server/auth/tokens.ts'
import type { Db } from '../../server/database/database.ts'
import { openDatabase } from '../../server/database/open-database.ts'
import { createPageTokens } from '../../server/network/graph/page-tokens.ts'
import { openErasedPeople } from '../../server/people/erased-people.ts'
import { createPictureAddresses } from '../../server/pictures/picture-addresses.ts'
import {
  assertTokensReadable,
  countUnreadableFactors,
  countUnreadableWebhooks,
  discardUnreadable,
  rekey,
} from '../../server/rekey.ts'
import { seal } from '../../server/sealing.ts'
import { deriveKeys, type Keyring, keyringOf } from '../../server/secrets.ts'
import { StartupError } from '../../server/startup-error.ts'
import { openStoredKey } from '../../server/stored-keys.ts'
import { secretsOf, webhookSecretPurpose } from '../../server/webhooks-out/endpoints.ts'
import { childEnvironment } from './child-environment.ts'
import { describeOnDatabase, describeOnEachDatabase, withMigratedServerDatabase } from './databases.ts'
import { manualClock } from './manual-clock.ts'
import { keyring as harnessKeyring, openHarness, prints } from './network-harness.ts'

const [oldSecret, newSecret, strange] = ['o'.repeat(32), 'n'.repeat(32), 's'.repeat(32)]
const dataDir = '/nowhere'
const script = fileURLToPath(new URL('../../scripts/rekey.ts', import.meta.url))
const single = (secretKey: string) => keyringOf({ secretKeys: undefined, secretKey, dataDir })
const ring = (...secretKeys: [string, ...string[]]) => keyringOf({ secretKeys, secretKey: undefined, dataDir })

const tokensWith = (keyring: Keyring) => createPageTokens(deriveKeys(keyring, 'page tokens'))
const addressesWith = (keyring: Keyring) => createPictureAddresses({ keyring, trustedOrigins: [] })
const productTokensWith = (keyring: Keyring) => {
  const [newest, ...older] = deriveKeys(keyring, 'product tokens').all
  return createProductTokens({ keys: [newest.key, ...older.map(({ key }) => key)], clock: manualClock() })
}
const picture = (name: string) => new URL(`https://scontent.xx.fbcdn.net/v/${name}.jpg`)

/** The steps of a rotation. Processes of two neighbouring steps run at the same time. */
const rotation: readonly (readonly [string, Keyring])[] = [
  ['SECRET_KEY alone', single(oldSecret)],
  ['the old key, then the new one', ring(oldSecret, newSecret)],
  ['the new key, then the old one', ring(newSecret, oldSecret)],
]
const neighbours = rotation.slice(1).flatMap((later, index) => {
  const earlier = rotation[index] as (typeof rotation)[number]
  return [
    [earlier[0], later[0], earlier[1], later[1]],
    [later[0], earlier[0], later[1], earlier[1]],
  ] as const
})

describe('Two processes during a rotation', () => {
  it.each(neighbours)('with %s, and with %s, read what the other wrote', async (_, __, writer, reader) => {
    const stored = tokensWith(writer).encrypt('p1', 'token')
    expect(tokensWith(reader).decrypt('p1', stored)).toBe('token')
    const address = addressesWith(writer).addressOf(picture('a')) ?? ''
    expect(addressesWith(reader).sourceOf(address.replace('/pictures/', ''))).toBe(picture('a').href)
    const token = await productTokensWith(writer).issue({ staffId: 's1', sessionId: 'session' })
    expect(await productTokensWith(reader).verify(token)).toEqual({ staffId: 's1', sessionId: 'session' })
  })

  it('do not read what another ring wrote', async () => {
    const token = await productTokensWith(ring(strange)).issue({ staffId: 's1', sessionId: 'session' })
    expect(await productTokensWith(ring(newSecret, oldSecret)).verify(token)).toBeNull()
    const stored = tokensWith(ring(strange)).encrypt('p1', 'token')
    expect(() => tokensWith(ring(newSecret, oldSecret)).decrypt('p1', stored)).toThrow('cannot be read')
  })
})

it('A ring of SECRET_KEYS names the key in what it encrypts; SECRET_KEY alone writes as earlier releases read', () => {
  const [{ id }] = deriveKeys(ring(newSecret, oldSecret), 'page tokens').all
  expect(id).toMatch(/^[0-9a-f]{12}$/)
  expect(tokensWith(ring(newSecret, oldSecret)).encrypt('p1', 'token').slice(0, 16)).toBe(`v2.${id}.`)
  expect(addressesWith(ring(newSecret)).addressOf(picture('a'))).toMatch(new RegExp(`^/pictures/${id}\\.[\\w-]+$`))
  expect(tokensWith(single(newSecret)).encrypt('p1', 'token')).toMatch(/^v1\.[\w-]+$/)
  expect(addressesWith(single(newSecret)).addressOf(picture('a'))).toMatch(/^\/pictures\/[\w-]+$/)
})

describeOnEachDatabase('rekey', (open) => {
  const pageCount = 3
  const messageCount = 450
  const before = single(oldSecret)
  const during = ring(newSecret, oldSecret)
  const after = ring(newSecret)
  const nothing = { renewed: 0, unreadable: 0 }
  let db: Db

  const pageIds = Array.from({ length: pageCount }, (_, index) => `p${index}`)
  const addressOf = (keyring: Keyring, name: string) => addressesWith(keyring).addressOf(picture(name)) ?? ''
  beforeAll(async () => {
    ;({ db } = await open())
    for (const id of pageIds) {
      await db
        .insertInto('pages')
        .values({
          page_id: id,
          page_name: id,
          page_access_token_encrypted: tokensWith(before).encrypt(id, `token of ${id}`),
          page_profile_pic_url: addressOf(before, id),
        })
        .execute()
    }
    await db
      .insertInto('fb_users')
      .values({ id: 'ana', page_id: 'p0', psid: '1', platform: 'messenger', profile_pic: addressOf(before, 'ana') })
      .execute()
    const messages = Array.from({ length: messageCount }, (_, index) => {
      const url = addressOf(before, `m${index}`)
      const data = [{ id: `a${index}`, name: '"/pictures/x"', size: null, image_data: { url, preview_url: url } }]
      return {
        message_id: `m${index}`,
        fb_user_id: 'ana',
        direction: 'incoming' as const,
        timestamp_fb: new Date(),
        attachments: JSON.stringify({ data }),
      }
    })
    await db.insertInto('messages').values(messages).execute()
  })
  afterAll(async () => {
    await db.deleteFrom('messages').execute()
  })

  /** Everything that a ring reads of what is stored. */
  async function readWith(keyring: Keyring) {
    const sourceOf = (address: string | null | undefined) =>
      addressesWith(keyring).sourceOf((address ?? '').replace('/pictures/', ''))
    const pages = await db.selectFrom('pages').selectAll().orderBy('page_id').execute()
    const people = await db.selectFrom('fb_users').select('profile_pic').execute()
    const messages = await db.selectFrom('messages').select(['message_id', 'attachments']).execute()
    return {
      tokens: pages.map(({ page_id, page_access_token_encrypted: stored }) =>
        tokensWith(keyring).decrypt(page_id, stored),
      ),
      pictures: [
        ...pages.map(({ page_profile_pic_url }) => sourceOf(page_profile_pic_url)),
        ...people.map(({ profile_pic }) => sourceOf(profile_pic)),
      ],
      messages: new Set(
        messages
          .flatMap(({ attachments }) =>
            (attachments?.data ?? []).map(({ image_data }) => [
              sourceOf(image_data?.url),
              sourceOf(image_data?.preview_url),
            ]),
          )
          .flat(),
      ),
    }
  }
  const everything = {
    tokens: pageIds.map((id) => `token of ${id}`),
    pictures: [...pageIds, 'ana'].map((name) => picture(name).href),
    messages: new Set(Array.from({ length: messageCount }, (_, index) => picture(`m${index}`).href)),
  }

  it('encrypts everything with the newest key, continues after an interruption, and then has nothing to do', async () => {
    expect(await readWith(before)).toEqual(everything)
    await assertTokensReadable(db, during)
    await expect(assertTokensReadable(db, after)).rejects.toThrow(StartupError)

    let statements = 0
    const interrupted = db.withPlugin({
      transformQuery: ({ node }) => {
        statements += 1
        if (statements > 100) throw new Error('interrupted')
        return node
      },
      transformResult: async ({ result }) => result,
    })
    await expect(rekey(interrupted, during)).rejects.toThrow('interrupted')
    expect(await readWith(during)).toEqual(everything)

    const { keys, tokens, pictures } = await rekey(db, during)
    expect([keys, tokens, pictures.unreadable]).toEqual([nothing, nothing, 0])
    expect(pictures.renewed).toBeGreaterThan(messageCount - 100)
    expect(await readWith(after)).toEqual(everything)
    await assertTokensReadable(db, after)
    expect(await rekey(db, during)).toEqual({
      keys: nothing,
      tokens: nothing,
      pictures: nothing,
      factors: nothing,
      shops: nothing,
      webhooks: nothing,
    })
  })

  it('leaves what no key reads; the start is refused until the key is back or the tokens are discarded', async () => {
    const lost = tokensWith(ring(strange)).encrypt('p1', 'token')
    const setToken = (token: string) =>
      db.updateTable('pages').set({ page_access_token_encrypted: token }).where('page_id', '=', 'p1').execute()
    await setToken(lost)
    await db
      .updateTable('fb_users')
      .set({ profile_pic: addressOf(ring(strange), 'ana') })
      .execute()
    expect(await rekey(db, after)).toEqual({
      keys: nothing,
      tokens: { renewed: 0, unreadable: 1 },
      pictures: { renewed: 0, unreadable: 1 },
      factors: nothing,
      shops: nothing,
      webhooks: nothing,
    })
    await expect(assertTokensReadable(db, after)).rejects.toThrow(
      'The stored token of 1 page cannot be read with the secret keys of this server: add the missing key to SECRET_KEYS, or, if it is lost, run "npm run rekey -- --discard-unreadable" and connect these pages again.',
    )
    await assertTokensReadable(db, ring(newSecret, strange))
    expect(await discardUnreadable(db, after)).toEqual({ tokens: 1, keys: 0 })
    await assertTokensReadable(db, after)
    const pages = await db.selectFrom('pages').select(['page_id', 'token_invalid_since']).orderBy('page_id').execute()
    expect(pages.map(({ token_invalid_since: since }) => since !== null)).toEqual([false, true, false])
    const entries = await db.selectFrom('audit_entries').select(['action', 'row_id']).orderBy('id').execute()
    expect(entries.slice(-2)).toEqual([
      { action: 'keys.rotated', row_id: null },
      { action: 'token.invalid', row_id: 'p1' },
    ])
  })
})

describe.skipIf(process.env['TEST_DATABASE_URL'] === undefined)('npm run rekey, killed', () => {
  it('leaves keys, page tokens and second factors all with the old key, and then renews all', async () => {
    await withMigratedServerDatabase(async (databaseUrl) => {
      const { db, close } = await openDatabase({ databaseUrl })
      const [before, after] = [single(oldSecret), ring(newSecret)]
      await openStoredKey(db, before, 'test')
      await db
        .insertInto('pages')
        .values({ page_id: 'p', page_name: 'p', page_access_token_encrypted: tokensWith(before).encrypt('p', 'token') })
        .execute()
      await db.insertInto('staff').values({ id: 's', email: 'ana@example.com', role: 'agent' }).execute()
      const secret_encrypted = seal(deriveKeys(before, secondFactorPurpose), 'secret', { context: 's' })
      await db
        .insertInto('second_factors')
        .values({ staff_id: 's', secret_encrypted, created_at: new Date() })
        .execute()
      /** Throws if a ring does not read everything. */
      const unreadable = async (keyring: Keyring) => {
        await openStoredKey(db, keyring, 'test')
        await assertTokensReadable(db, keyring)
        return countUnreadableFactors(db, keyring)
      }
      const rekeyed = () => {
        const env = { ...childEnvironment(), DATABASE_URL: databaseUrl, SECRET_KEYS: `${newSecret},${oldSecret}` }
        const child = spawn(process.execPath, [script], { env, stdio: 'ignore' })
        return { child, ended: once(child, 'exit') }
      }

      // The command has renewed the tokens and waits for the factor.
      const isWaiting = async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%second_factors%'`.execute(db)
        return rows.length
      }
      await db.transaction().execute(async (trx) => {
        await trx.selectFrom('second_factors').selectAll().forUpdate().execute()
        const { child, ended } = rekeyed()
        await expect.poll(isWaiting, { timeout: 30_000 }).toBe(1)
        child.kill('SIGKILL')
        await ended
      })
      await expect.poll(isWaiting, { timeout: 30_000 }).toBe(0)
      expect(await unreadable(before)).toBe(0)
      await expect(unreadable(after)).rejects.toThrow(StartupError)
      expect(await countUnreadableFactors(db, after)).toBe(1)

      expect(await rekeyed().ended).toEqual([0, null])
      expect(await unreadable(after)).toBe(0)
      await close()
    })
  }, 120_000)
})

describeOnDatabase('The secrets of a webhook', (open) => {
  it('are both renewed by rekey; one that no key reads is counted at the start', async () => {
    const { db } = await open()
    const [before, during, after] = [single(oldSecret), ring(newSecret, oldSecret), ring(newSecret)]
    const keysOf = (keyring: Keyring) => deriveKeys(keyring, webhookSecretPurpose)
    const values = {
      url: 'https://shop.example.com/',
      description: '',
      events: '[]',
      created_by: 'Ana',
      created_at: new Date(),
    }
    const sealed = (id: string, text: string, keyring: Keyring) => seal(keysOf(keyring), text, { context: id })
    const add = (id: string, keyring: Keyring, previous: string | null) =>
      db
        .insertInto('webhook_endpoints')
        .values({
          id,
          ...values,
          secret_encrypted: sealed(id, `secret of ${id}`, keyring),
          previous_encrypted: previous === null ? null : sealed(id, previous, keyring),
          previous_until: previous === null ? null : new Date(2_000),
        })
        .execute()
    await add('shop', before, 'earlier')
    await add('till', before, null)
    await add('lost', ring(strange), null)
    const read = async (keyring: Keyring) =>
      (await db.selectFrom('webhook_endpoints').selectAll().orderBy('id').execute()).map((row) =>
        secretsOf(keysOf(keyring), row, 1_000),
      )
    const all = [null, ['secret of shop', 'earlier'], ['secret of till']]
    expect([await read(before), await read(after)]).toEqual([all, [null, null, null]])
    expect((await rekey(db, during)).webhooks).toEqual({ renewed: 3, unreadable: 1 })
    expect([await read(after), await countUnreadableWebhooks(db, after)]).toEqual([all, 1])
    expect((await rekey(db, during)).webhooks).toEqual({ renewed: 0, unreadable: 1 })
  })
})

describeOnDatabase('A stored key', (open) => {
  const purpose = 'test'
  const before = single(oldSecret)
  const during = ring(newSecret, oldSecret)
  const after = ring(newSecret)
  let db: Db
  beforeAll(async () => {
    ;({ db } = await open())
  })

  it('is the same for processes that start at the same time, at every step of a rotation and after rekey', async () => {
    const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => openStoredKey(db, before, purpose)))
    expect(first).toHaveLength(32)
    expect(new Set(others.map((key) => Buffer.from(key).toString('hex')))).toEqual(
      new Set([Buffer.from(first ?? []).toString('hex')]),
    )
    for (const [, keyring] of rotation) expect(await openStoredKey(db, keyring, purpose)).toEqual(first)
    await expect(openStoredKey(db, after, purpose)).rejects.toThrow(StartupError)
    expect((await rekey(db, during)).keys).toEqual({ renewed: 1, unreadable: 0 })
    expect((await rekey(db, during)).keys).toEqual({ renewed: 0, unreadable: 0 })
    expect(await openStoredKey(db, after, purpose)).toEqual(first)
    await expect(openStoredKey(db, before, purpose)).rejects.toThrow(
      'The stored key "test" cannot be read with the secret keys of this server: add the missing key to SECRET_KEYS, or, if it is lost, run "npm run rekey -- --discard-unreadable".',
    )
  })

  it('that no key of the ring reads is left by rekey and replaced after it is discarded', async () => {
    const lost = await openStoredKey(db, ring(strange), 'lost')
    expect((await rekey(db, after)).keys).toEqual({ renewed: 0, unreadable: 1 })
    expect(await discardUnreadable(db, after)).toEqual({ tokens: 0, keys: 1 })
    expect(await openStoredKey(db, after, 'lost')).not.toEqual(lost)
  })
})

describeOnDatabase('A person who was erased before a rotation', (open) => {
  it('is not brought back by a late webhook when the old key has left the ring', async () => {
    const harness = await openHarness(await open())
    const [old] = harnessKeyring.secrets
    await harness.connect(prints)
    const psid = await harness.createPerson()
    const person = () => harness.db.selectFrom('fb_users').selectAll().where('psid', '=', psid).executeTakeFirst()
    const sentAt = harness.clock.now()
    harness.clock.advance(1_000)
    const id = await harness.erasures.beginPerson((await person())?.primary_user_id ?? '', { by: serverActor })
    await harness.erasures.run(id ?? '')

    await rekey(harness.db, ring(newSecret, old))
    await harness.worker.stop()
    const { worker } = harness.newInbox(harness.graph, await openErasedPeople(harness.db, ring(newSecret), 'PH'))
    worker.start()
    const message = async (mid: string, timestamp: number) => {
      const messaging = [{ sender: { id: psid }, recipient: { id: prints }, timestamp, message: { mid, text: 'Late' } }]
      await harness.post({ object: 'page', entry: [{ id: prints, time: timestamp, messaging }] })
      worker.wake()
      await worker.settled()
    }
    await message('late', sentAt)
    expect(await person()).toBeUndefined()
    await message('new', harness.clock.now() + 1_000)
    expect(await person()).toMatchObject({ psid })
    await worker.stop()
    await harness.close()
  })
})
