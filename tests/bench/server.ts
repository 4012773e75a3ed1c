import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { projectRoot } from '../../scripts/project.ts'
import type { OpenDatabase } from '../../server/database/database.ts'
import { type DatabasePlace, openDatabase } from '../../server/database/open-database.ts'
import { createPageTokens } from '../../server/network/graph/page-tokens.ts'
import { deriveKeys } from '../../server/secrets.ts'
import { createAccount } from '../../server/stand-ins/supabase/accounts.ts'
import { type Fill, fill } from './fill.ts'

const secretKey = 'a secret key of the benchmark, long enough'
export const appSecret = 'app secret'
/** The administrator of a prepared database. */
export const person = { email: 'bench@example.com', password: 'bench-password' }

/** Fills an empty database, gives its pages a token and adds the administrator. */
export async function prepareDatabase(place: DatabasePlace, size: Fill): Promise<OpenDatabase['kind']> {
  const database = await openDatabase(place)
  const { db, kind } = database
  await fill(db, size)
  const tokens = createPageTokens(deriveKeys({ secrets: [secretKey], hasIds: false }, 'page tokens'))
  for (const { page_id } of await db.selectFrom('pages').select('page_id').execute()) {
    const page_access_token_encrypted = tokens.encrypt(page_id, 'token')
    await db.updateTable('pages').set({ page_access_token_encrypted }).where('page_id', '=', page_id).execute()
  }
  await db.updateTable('auto_sync').set({ enabled: false }).execute()
  const account = await createAccount(db, { ...person, confirmed: true, now: Date.now() })
  if (account === null) throw new Error('the account exists already')
  await db
    .insertInto('staff')
    .values({ email: person.email, name: 'Ana Reyes', role: 'administrator', supabase_id: account.id })
    .execute()
  await database.close()
  return kind
}

/** A social network that has nothing to tell. */
export async function startEmptyNetwork() {
  const network = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end('{"data":[]}')
  })
  network.listen(0, '127.0.0.1')
  await once(network, 'listening')
  const stop = () => {
    network.close()
    network.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(network.address() as AddressInfo).port}`, stop }
}

/** Starts a server in a process of its own. */
export async function startServer(place: DatabasePlace, graphUrl: string, settings: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(projectRoot, 'server/main.ts')], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      LOG_LEVEL: 'fatal',
      SECRET_KEY: secretKey,
      TRUST_PROXY: '1',
      GRAPH_API_URL: graphUrl,
      META_APP_ID: '1',
      META_APP_SECRET: appSecret,
      META_VERIFY_TOKEN: 'verify',
      ...('dataDir' in place ? { DATA_DIR: place.dataDir } : {}),
      ...('databaseUrl' in place ? { DATABASE_URL: place.databaseUrl } : {}),
      ...('directUrl' in place && place.directUrl !== undefined ? { DATABASE_DIRECT_URL: place.directUrl } : {}),
      ...settings,
    },
  })
  const closed = once(child, 'close')
  const serving = Promise.withResolvers<string>()
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += String(chunk)
    const url = /is at (\S+)\n/.exec(output)?.[1]
    if (url !== undefined) serving.resolve(url)
  })
  void closed.then(() => serving.reject(new Error(`The server did not start: ${output}`)))
  const stop = async () => {
    child.kill('SIGTERM')
    await closed
  }
  return { url: await serving.promise, pid: child.pid ?? 0, stop }
}

/** Signs the administrator in: the provider's token, and the headers for calls of the API. */
export async function signInStaff(url: string) {
  const post = (path: string, body: unknown) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const provider = await post('/auth/v1/token?grant_type=password', person)
  const { access_token: supabaseToken } = (await provider.json()) as { access_token: string }
  const login = await post('/api/auth/supabase-login', { supabaseToken })
  const { data } = (await login.json()) as { data: { token: string } }
  return { supabaseToken, headers: { authorization: `Bearer ${data.token}` } }
}
