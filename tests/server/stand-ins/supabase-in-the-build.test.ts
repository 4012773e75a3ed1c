import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { SupabaseClient } from '@supabase/supabase-js'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '../../../server/database/database.ts'
import settings from '../../../vite.config.ts'
import { openEmbedded } from '../databases.ts'
import { addStaffAccount, password, type SupabaseServer, serveSupabase } from '../supabase-server.ts'

describe('The Supabase client in the build of the application', () => {
  let folder: string
  let database: OpenDatabase
  let server: SupabaseServer
  let client: SupabaseClient

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'staff-inbox-client-'))
    await build({
      configFile: false,
      logLevel: 'error',
      resolve: settings.resolve ?? {},
      build: {
        outDir: folder,
        lib: {
          entry: fileURLToPath(import.meta.resolve('@supabase/supabase-js')),
          formats: ['es'],
          fileName: () => 'client.mjs',
        },
      },
    })
    const built: typeof import('@supabase/supabase-js') = await import(pathToFileURL(join(folder, 'client.mjs')).href)
    database = await openEmbedded()
    server = await serveSupabase(database)
    client = built.createClient(server.url, 'embedded', { auth: { persistSession: false, autoRefreshToken: false } })
  })
  afterAll(async () => {
    await client.removeAllChannels()
    await server.close()
    await database.close()
    await rm(folder, { recursive: true })
  })

  test('signs in, subscribes and receives a row', async () => {
    const { email } = await addStaffAccount(database.db)
    const { data, error } = await client.auth.signInWithPassword({ email, password })
    expect({ email: data.user?.email, error }).toEqual({ email, error: null })

    await client.realtime.setAuth()
    const received = Promise.withResolvers<unknown>()
    const ready = Promise.withResolvers<void>()
    client
      .channel('inbox')
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'messages' }, (change) =>
        received.resolve(change.new['message_id']),
      )
      .on('system', {}, () => ready.resolve())
      .subscribe()
    await ready.promise
    const { db } = database
    await db.insertInto('pages').values({ page_id: 'p1', page_name: 'Page', page_access_token_encrypted: '' }).execute()
    await db.insertInto('fb_users').values({ id: 'u1', page_id: 'p1', psid: '1', name: 'Maria' }).execute()
    const at = '2026-03-01T08:00:00Z'
    await db
      .insertInto('messages')
      .values({ message_id: 'm1', fb_user_id: 'u1', page_id: 'p1', direction: 'incoming', created_at: at })
      .execute()
    expect(await received.promise).toBe('m1')

    expect((await client.auth.signOut()).error).toBe(null)
  })

  test('throws an error that names the excluded part', async () => {
    const excluded = (part: string) => `The client's ${part} are left out of this build: see vite.config.ts`
    expect(() => client.from('messages')).toThrow(excluded('tables'))
    expect(() => client.rpc('anything')).toThrow(excluded('tables'))
    expect(() => client.storage.from('pictures')).toThrow(excluded('files'))
    expect(() => client.functions.invoke('anything')).toThrow(excluded('functions'))
    await expect(client.auth.signInWithPasskey()).rejects.toThrow(excluded('passkeys'))
    expect(() => client.auth.mfa.webauthn.register({ friendlyName: 'key' })).toThrow(excluded('passkeys'))
  })
})
