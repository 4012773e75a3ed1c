import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import { systemClock } from '../../server/clock.ts'
import type { OpenDatabase } from '../../server/database/database.ts'
import { createLogger } from '../../server/logger.ts'
import { createGraph } from '../../server/network/graph/graph.ts'
import { createNormalizeUrl } from '../../server/network/graph/normalize-url.ts'
import { createPageTokens } from '../../server/network/graph/page-tokens.ts'
import { connectPage } from '../../server/network/pages/connect-page.ts'
import { deriveKeys, keyringOf } from '../../server/secrets.ts'
import { createSandbox } from '../../server/stand-ins/sandbox/sandbox.ts'
import { openSandboxTables } from '../../server/stand-ins/sandbox/tables.ts'
import { sandboxToken } from '../../server/stand-ins/sandbox/world.ts'
import { createAccount } from '../../server/stand-ins/supabase/accounts.ts'
import { account, inboxOrigin, networkOrigin, secretKey } from './server.ts'

/** Milliseconds. */
const retryInterval = 2_000

const tokenKey = new Uint8Array(32).fill(7)

export const tokenOf = (pageId: string) => sandboxToken(tokenKey, pageId)

/** The pages of the simulated shop. The second has Instagram too; the last is not connected at the start. */
export const pages = [
  { page_id: '101', name: 'Print Studio', username: 'print', category: 'Shop', trade: 'prints', instagram_id: null },
  { page_id: '102', name: 'Kitchen', username: 'kitchen', category: 'Caterer', trade: 'catering', instagram_id: '902' },
  { page_id: '103', name: 'Bakery', username: 'bakery', category: 'Shop', trade: 'catering', instagram_id: null },
] as const
/** The page that staff connect and remove. All that was written to it may be missing from the inbox. */
export const removablePage = pages[2]

export type Customer = { psid: string; pageId: string; platform: 'messenger' | 'instagram' }

/** Each writes to one page; the last two to the page that is not always connected. */
export const customers: readonly Customer[] = Array.from({ length: 8 }, (_, index) => {
  const [first, second] =
    index < 6 ? [pages[0].page_id, pages[1].page_id] : [removablePage.page_id, removablePage.page_id]
  const isOnInstagram = index % 3 === 2 && index < 6
  return {
    psid: `70000000000000${index}`,
    pageId: index % 2 === 0 && !isOnInstagram ? first : second,
    platform: isOnInstagram ? 'instagram' : 'messenger',
  }
})

/** A post and a live video for each account of the first two pages. */
export const posts = [
  { id: '101_1', pageId: pages[0].page_id, platform: 'messenger', isLive: false },
  { id: '101_2', pageId: pages[0].page_id, platform: 'messenger', isLive: true },
  { id: '102_1', pageId: pages[1].page_id, platform: 'messenger', isLive: false },
  { id: '102_2', pageId: pages[1].page_id, platform: 'messenger', isLive: true },
  { id: '9021', pageId: pages[1].page_id, platform: 'instagram', isLive: false },
  { id: '9022', pageId: pages[1].page_id, platform: 'instagram', isLive: true },
] as const

/** Writes to the first page only, and so late that the reply window is closed. */
export const lateCustomer: Customer = { psid: '700000000000008', pageId: pages[0].page_id, platform: 'messenger' }

export const staff = [
  { email: 'ana@example.com', name: 'Ana Reyes', role: 'administrator' },
  { email: 'ben@example.com', name: 'Ben Cruz', role: 'agent' },
  { email: 'cora@example.com', name: 'Cora Lim', role: 'agent' },
  { email: 'dan@example.com', name: 'Dan Uy', role: 'viewer' },
  // A role that is not known gives no permission.
  { email: 'eli@example.com', name: 'Eli Go', role: 'none' },
] as const
/** Who works at the browsers; the others sign in at them now and then. */
export const regularStaff = staff.slice(0, 3)
export const staffPassword = 'inbox-demo-2026'

/** The API key of another program. */
export const programKey = 'sik_simulation'

/** Fills the sandbox with pages and people, and the inbox with staff, labels, an API key and a FAQ entry. */
export async function fillWorld({ db }: OpenDatabase): Promise<void> {
  const sandboxDb = await openSandboxTables(db)
  await sandboxDb
    .insertInto('sandbox.pages')
    .values(
      pages.map((page, index) => ({
        ...page,
        instagram_username: page.instagram_id === null ? null : page.username,
        access_token: tokenOf(page.page_id),
        picture_seed: index,
      })),
    )
    .execute()
  await sandboxDb
    .insertInto('sandbox.people')
    .values(
      [...customers, lateCustomer].map(({ psid, pageId, platform }, index) => ({
        psid,
        page_id: pageId,
        platform,
        person_key: `person-${index}`,
        conversation_id: `t_${psid}`,
        first_name: `First${index}`,
        last_name: `Last${index}`,
        username: `user${index}`,
        picture_seed: index,
      })),
    )
    .execute()
  await sandboxDb
    .insertInto('sandbox.posts')
    .values(
      posts.map(({ id, pageId, platform, isLive }, index) => ({
        id,
        page_id: pageId,
        platform,
        message: `Post ${index}`,
        picture_seed: index,
        is_live_video: isLive,
        is_broadcast: isLive,
        created_at: new Date(),
      })),
    )
    .execute()
  await sandboxDb.updateTable('sandbox.state').set({ seeded_at: new Date(), filled_at: new Date() }).execute()
  for (const { email, name, role } of staff) {
    const created = await createAccount(db, { email, password: staffPassword, confirmed: true, now: Date.now() })
    await db
      .insertInto('staff')
      .values({ email, name, role, supabase_id: created?.id ?? null })
      .execute()
  }
  await db
    .insertInto('labels')
    .values([
      { name: 'Urgent', name_key: 'urgent', colour: 'red', keywords: [] },
      { name: 'Price', name_key: 'price', colour: 'green', keywords: ['magkano'] },
    ])
    .execute()
  await db
    .insertInto('api_keys')
    .values({
      name: 'Shop',
      secret_hash: createHash('sha256').update(programKey).digest('hex'),
      ending: programKey.slice(-4),
      scopes: JSON.stringify(['clients.import', 'orders.import']),
      created_by: staff[0].name,
      created_at: new Date(),
    })
    .execute()
  await db
    .insertInto('faq_entries')
    .values({
      title: 'Opening hours',
      category_id: null,
      keywords: ['open', 'hours'],
      response: 'Hello {userName}, we are open from 9 to 5.',
      is_active: true,
      priority: 10,
    })
    .execute()
}

/** Starts the social network on the process that calls this. Returns the app that answers its calls. */
export async function startSandbox({ db }: OpenDatabase): Promise<Hono> {
  const sandbox = await createSandbox({
    db,
    clock: systemClock,
    address: () => networkOrigin,
    filesOrigin: () => inboxOrigin,
    webhookUrl: () => `${inboxOrigin}/webhooks/meta`,
    appId: account.appId,
    appSecret: account.appSecret,
    tokenKey,
    liveliness: 'still',
    logger: createLogger('silent'),
  })
  // Its own loop looks twice a second, which is most of the work of a quiet simulation. Here it looks after each call, and
  // now and then for deliveries that are to be tried again.
  let wakeUp = () => {}
  const work = async () => {
    for (;;) {
      const hasCall = new Promise<void>((resolve) => {
        wakeUp = resolve
      })
      await sandbox.settle().catch(() => undefined)
      const timer = setTimeout(() => wakeUp(), retryInterval)
      await hasCall
      clearTimeout(timer)
    }
  }
  void work()
  return new Hono()
    .use(async (_, next) => {
      await next()
      wakeUp()
    })
    .route('/', sandbox.app)
}

/** Connects the pages as the product does. Must run on a process of the product. */
export async function connectPages({ db }: OpenDatabase): Promise<void> {
  const graph = createGraph({ baseUrl: networkOrigin, version: 'v26.0', appSecret: account.appSecret })
  const keyring = keyringOf({ secretKeys: undefined, secretKey, dataDir: '/nowhere' })
  const pageTokens = createPageTokens(deriveKeys(keyring, 'page tokens'))
  const normalizeUrl = createNormalizeUrl(inboxOrigin)
  for (const { page_id } of pages.filter((page) => page !== removablePage))
    await connectPage({ db, graph, pageTokens, normalizeUrl }, tokenOf(page_id))
}
