import { randomBytes, scryptSync } from 'node:crypto'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { Hono } from 'hono'
import { type Role, roles } from '../../server/auth/roles.ts'
import type { ChangeTransport } from '../../server/changes/transport.ts'
import { clientAddressOfRequest } from '../../server/client-address.ts'
import type { Db, OpenDatabase } from '../../server/database/database.ts'
import { listen } from '../../server/http-server.ts'
import { createLogger } from '../../server/logger.ts'
import { createEmbeddedSupabase, type EmbeddedSupabase } from '../../server/stand-ins/supabase/embedded.ts'
import { type ManualClock, manualClock } from './manual-clock.ts'

export const providerKey = new TextEncoder().encode('a key of the stand-in for tests ')
/** Another origin whose pages may call the server. */
export const allowedOrigin = 'https://inbox.example.com'
export const password = 'a long enough password'

export type SupabaseServer = EmbeddedSupabase & {
  url: string
  clock: ManualClock
  /** A Supabase client without a persisted session. */
  client(options?: { vsn?: '1.0.0' | '2.0.0' }): SupabaseClient
  close(): Promise<void>
}

/** Both stand-ins behind a real HTTP server, with a manual clock. */
export const serveSupabase = async (
  database: Pick<OpenDatabase, 'db' | 'listen'>,
  clock: ManualClock = manualClock(),
  socketLimits = { inAll: 1_000, perAddress: 1_000 },
  transport?: ChangeTransport,
): Promise<SupabaseServer> => {
  const supabase = createEmbeddedSupabase({
    database,
    transport,
    keys: [providerKey],
    logger: createLogger('silent'),
    clock,
    addressOf: () => 'test',
    addressOfRequest: clientAddressOfRequest(0),
    socketLimits,
    allowedOrigins: [allowedOrigin],
  })
  const http = await listen({ port: 0, host: '127.0.0.1' })
  http.serve(new Hono().route('/auth/v1', supabase.auth))
  supabase.realtime.attach(http.server)
  await supabase.realtime.start()
  const url = http.address
  const clients: SupabaseClient[] = []
  return {
    ...supabase,
    url,
    clock,
    client: ({ vsn } = {}) => {
      const client = createClient(url, 'embedded', {
        auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
        realtime: { reconnectAfterMs: () => 10, ...(vsn === undefined ? {} : { vsn }) },
      })
      clients.push(client)
      return client
    },
    close: async () => {
      for (const client of clients) await client.removeAllChannels()
      await supabase.realtime.close()
      await http.close(1000)
    },
  }
}

/** A password hash in the server's format with a low cost. */
const cheapHash = (word: string): string => {
  const salt = randomBytes(16)
  const key = scryptSync(word, salt, 32, { N: 2 ** 4, r: 8, p: 1 })
  return `$scrypt$ln=4,r=8,p=1$${salt.toString('base64')}$${key.toString('base64')}`
}
const passwordHash = cheapHash(password)

/** Creates an account with a unique email. */
export const addAccount = async (db: Db, { confirmed = true } = {}): Promise<{ id: string; email: string }> => {
  return db
    .insertInto('auth_users')
    .values({
      email: `${crypto.randomUUID()}@example.com`,
      password_hash: passwordHash,
      email_confirmed_at: confirmed ? new Date() : null,
    })
    .returning(['id', 'email'])
    .executeTakeFirstOrThrow()
}

/** Creates a staff member with a confirmed account. */
export const addStaffAccount = async (
  db: Db,
  { role = roles[0], isActive = true }: { role?: Role; isActive?: boolean } = {},
): Promise<{ id: string; email: string; staffId: string }> => {
  const { id, email } = await addAccount(db)
  const { id: staffId } = await db
    .insertInto('staff')
    .values({ email, name: 'Ana Reyes', role, is_active: isActive, supabase_id: id })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, email, staffId }
}

/** The password of legacy staff. */
export const oldPassword = password

/** Creates a staff member with a legacy password and no account. Returns the email. */
export const addLegacyStaff = async (
  db: Db,
  values: { is_active?: boolean; needs_migration?: boolean; supabase_id?: string } = {},
): Promise<string> => {
  const email = `legacy-${crypto.randomUUID()}@example.com`
  await db
    .insertInto('staff')
    .values({ email, name: 'Ana Reyes', role: 'agent', legacy_password_hash: passwordHash, ...values })
    .execute()
  return email
}
