import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmbedded } from '../../../server/database/embedded.ts'
import {
  type AppliedMigration,
  appliedQuery,
  type Migration,
  migrate,
  readMigrations,
} from '../../../server/database/migrations.ts'
import { StartupError } from '../../../server/startup-error.ts'
import type { Client } from '../../../src/schemas/client.ts'
import { migratedImage } from '../../migrated-image.ts'
import { smallSandbox } from '../../small-sandbox.ts'
import { childEnvironment } from '../child-environment.ts'
import { createOnServer } from '../databases.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** The server of the previous release; CONTRIBUTING.md says how it is made. Its packages are those of this release. */
const archive = fileURLToPath(new URL('./fixtures/previous-release.tar.gz', import.meta.url))

describe.skipIf(process.env['TEST_DATABASE_URL'] === undefined)('The previous release', () => {
  let previous: string
  let database: Awaited<ReturnType<typeof createOnServer>>
  const stops: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    previous = mkdtempSync(join(tmpdir(), 'staff-inbox-previous-'))
    expect(spawnSync('tar', ['-xzf', archive, '-C', previous]).status).toBe(0)
    symlinkSync(join(root, 'node_modules'), join(previous, 'node_modules'))
    database = await createOnServer()
  })
  afterAll(async () => {
    for (const stop of stops) await stop()
    await database.drop()
    rmSync(previous, { recursive: true })
  })

  /** Starts the server of a release on the shared database. Resolves when it serves a filled inbox. */
  async function start(directory: string) {
    const child = spawn(process.execPath, [join(directory, 'server/main.ts')], {
      env: {
        ...childEnvironment(),
        ...smallSandbox,
        PORT: '0',
        DATABASE_URL: database.url,
        SECRET_KEY: 'a-key-that-both-releases-share-in-this-test',
        LOG_LEVEL: 'error',
      },
    })
    let output = ''
    const closed = once(child, 'close')
    const address = await new Promise<string>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          output += chunk
          const found = /is at (\S+)\n/.exec(output)?.[1]
          if (found !== undefined && output.includes('(viewer)')) resolve(found)
        })
      }
      closed.then(() => reject(new Error(output)))
    })
    const stop = async () => {
      child.kill('SIGTERM')
      await closed
      return output.split('\n').filter((line) => line.includes('"level":50'))
    }
    stops.push(stop)
    return { ...(await signIn(address)), stop }
  }

  it('keeps working while this release migrates its filled database, and starts again on it', async () => {
    const before = await start(previous)
    const [conversation] = await before.call('GET', '/facebook/conversations')
    const to = await before.call('GET', `/facebook/users/${conversation.primary_user_id}/best-page`)
    const current = await start(root)

    const after = await start(previous)
    let count = 0
    for (const [writer, reader] of [
      [before, current],
      [current, before],
      [after, current],
    ] as const) {
      count += 1
      const text = `Message ${count}`
      const sent = await writer.call('POST', '/facebook/send-message', {
        recipientPsid: to.psid,
        pageId: to.page_id,
        messageText: text,
      })
      expect(sent).toBeDefined()
      const { messages } = await reader.call('GET', `/facebook/conversations/${conversation.primary_user_id}/messages`)
      expect(messages.map(({ message_text }: { message_text: string }) => message_text)).toContain(text)
      // The previous release counts no views.
      const [written, read] = [await writer.call('GET', '/facebook/stats'), await reader.call('GET', '/facebook/stats')]
      expect({ ...written, views: undefined }).toEqual({ ...read, views: undefined })
      // The previous release knows no pages of entries.
      const entries = async ({ call }: typeof current) =>
        (await call('GET', '/faq/entries')).map(({ page_ids: _, ...entry }: { page_ids?: unknown }) => entry)
      expect(await entries(writer)).toEqual(await entries(reader))
      // The previous release knows no labels, languages and versions, and shows phone numbers as they are stored.
      const digits = (phone: string | null) => phone?.replaceAll(/\D/g, '').slice(-10)
      const found = async ({ call }: typeof current) =>
        (await call('GET', '/facebook/search-clients?search=an')).map(
          ({ labels: _, language: __, version: ___, phone, ...client }: Client) => ({
            ...client,
            phone: digits(phone ?? null),
          }),
        )
      expect(await found(writer)).toEqual(await found(reader))
    }
    expect([await before.stop(), await after.stop(), await current.stop()]).toEqual([[], [], []])
  }, 300_000)
})

/** Signs the demo administrator in and returns a function that calls the API and returns `data`. */
async function signIn(address: string) {
  const request = async (method: string, path: string, body?: unknown, token?: string) => {
    const headers = {
      'content-type': 'application/json',
      apikey: 'embedded',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    }
    const response = await fetch(`${address}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
    return answer
  }
  const credentials = { email: 'admin@example.com', password: 'inbox-demo-2026' }
  const session = await request('POST', '/auth/v1/token?grant_type=password', credentials)
  const login = await request('POST', '/api/auth/supabase-login', { supabaseToken: session.access_token })
  return {
    call: async (method: string, path: string, body?: unknown) =>
      (await request(method, `/api${path}`, body, login.data.token)).data,
  }
}

describe('A server that is too old for the database', () => {
  it('refuses a contracting migration that it does not know, and lives with others', async () => {
    const pglite = await startEmbedded({ image: await migratedImage() })
    const connection = {
      run: async (script: string) => void (await pglite.exec(script)),
      applied: async () => (await pglite.query<AppliedMigration>(appliedQuery)).rows,
    }
    const known = readMigrations()
    const expanding: Migration = { name: '9998_expand', script: 'alter table clients add column nickname text' }
    const contracting: Migration = {
      name: '9999_contract',
      script: '-- contracting\nalter table clients drop column nickname',
    }
    await migrate(connection, [...known, expanding])
    await migrate(connection, known)
    await migrate(connection, [...known, expanding, contracting])
    await expect(migrate(connection, [...known, expanding])).rejects.toEqual(
      new StartupError(
        'This release is too old for the database, which a newer release changed (migration 9999_contract); start that release or a newer one.',
      ),
    )
    await migrate(connection, [...known, expanding, contracting])
    await pglite.close()
  })
})
