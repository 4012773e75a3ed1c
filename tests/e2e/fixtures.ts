import { randomUUID } from 'node:crypto'
import { test as base, expect } from '@playwright/test'
import type { Conversation } from '../../src/schemas/conversation.ts'
import { type Api, signInToApi } from './api.ts'
import { Harness, openBrowser } from './harness.ts'
import { deliveryOf, type NetworkEvent, type PagePerson, postWebhook, psidOf, sandboxOf } from './network.ts'
import { createServer, type DatabaseKind, type TestServer } from './server.ts'

export type Options = { database: DatabaseKind }

type OfWorker = {
  server: TestServer
  api: Api
  /** Conversations of one person on one page, over Messenger. */
  people: Conversation[]
  /** Conversations that span several pages, over Messenger. */
  multiPagePeople: Conversation[]
}
type OfTest = {
  /** The browser of Paolo Cruz, an agent, unless a test signs in somebody else. */
  harness: Harness
  /** A second person: Ana Reyes, an administrator, signed in with a browser of her own. */
  ana: Harness
  sandbox: ReturnType<typeof sandboxOf>
  /** A conversation for this test only: one person on one page, over Messenger. */
  person: Conversation
  /** Like `person`, without a client. */
  unlinkedPerson: Conversation
  /** Like `person`, linked to a client. */
  linkedPerson: Conversation
  /** Creates a person with these events. The family name must be unique. */
  createPerson: (
    firstName: string,
    familyName: string,
    events: readonly NetworkEvent[],
  ) => Promise<Conversation & PagePerson>
  /** The person writes, which opens the reply window, and the agent opens the conversation. */
  openChat: (person: Conversation, text: string) => Promise<void>
  /** Posts these events as one webhook delivery. */
  deliver: (events: readonly (PagePerson & NetworkEvent)[]) => Promise<void>
  /** Makes a text unique. */
  unique: (text: string) => string
}

/** Milliseconds to start a server. */
export const serverTimeout = 120_000

/** Runs a server with these settings during `use`. */
export async function runServer(
  database: DatabaseKind,
  use: (server: TestServer) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  const server = await createServer(database, settings)
  try {
    await server.start()
    await use(server)
  } finally {
    await server.dispose()
  }
}

export const test = base.extend<OfTest, Options & OfWorker>({
  database: ['embedded', { option: true, scope: 'worker' }],
  server: [({ database }, use) => runServer(database, use), { scope: 'worker', timeout: serverTimeout }],
  api: [async ({ server }, use) => use(await signInToApi(server)), { scope: 'worker' }],
  people: [
    async ({ api }, use) => use((await overMessenger(api)).filter((row) => row.page_count === 1)),
    // Read before the first test, so that nobody takes a person whom another test has created.
    { scope: 'worker', auto: true },
  ],
  multiPagePeople: [
    async ({ api }, use) => use((await overMessenger(api)).filter((row) => row.page_count > 1)),
    { scope: 'worker' },
  ],
  person: async ({ people }, use) => {
    // From the larger group, so that neither of the two runs out.
    const linked = people.filter(isLinked).length
    await use(take(people, (row) => isLinked(row) === linked > people.length / 2))
  },
  unlinkedPerson: async ({ people }, use) => use(take(people, (row) => !isLinked(row))),
  linkedPerson: async ({ people }, use) => use(take(people, isLinked)),
  baseURL: async ({ server }, use) => use(server.url),
  sandbox: async ({ server }, use) => {
    const sandbox = sandboxOf(server)
    await use(sandbox)
    await sandbox.setFaults({})
  },
  deliver: async ({ server }, use) =>
    use(async (events) => {
      expect((await postWebhook(server, deliveryOf(events))).status).toBe(200)
    }),
  createPerson: async ({ api, deliver, people, sandbox }, use) =>
    use(async (firstName, familyName, events) => {
      const pageId = people[0]?.page_id ?? ''
      const place = { pageId, psid: await sandbox.createPerson(pageId, firstName, familyName) }
      await deliver(events.map((event) => ({ ...place, ...event })))
      const written = events.filter((event) => 'wrote' in event || 'answered' in event).length
      const lost = events.filter((event) => 'deleted' in event).length
      const find = async () =>
        (await api.conversations(`search=${familyName}`)).find(({ first_name }) => first_name === firstName)
      await expect.poll(async () => (await find())?.total_messages).toBe(written - lost)
      const row = await find()
      if (!row) throw new Error('the created person was not found')
      return { ...row, ...place }
    }),
  openChat: async ({ harness, sandbox, unique }, use) =>
    use(async (person, text) => {
      await sandbox.write(psidOf(person), unique(text))
      await harness.signInAt(person)
    }),
  harness: async ({ page }, use) => use(new Harness(page)),
  ana: async ({ baseURL, browser }, use) => {
    const ana = await openBrowser(browser, baseURL)
    await ana.signIn('administrator')
    await use(ana)
    await ana.page.context().close()
  },
  unique: async ({ server: _ }, use) => use((text) => `${text} ${randomUUID().slice(0, 8)}`),
})

/** For a file whose tests leave the data in a state that others cannot use: it gets a server of its own. */
export const testWithOwnServer = () =>
  test.extend<object, Pick<OfWorker, 'server'>>({
    server: [({ database }, use) => runServer(database, use), { scope: 'worker', timeout: serverTimeout }],
  })

async function overMessenger(api: Api): Promise<Conversation[]> {
  const rows: Conversation[] = []
  for (let page = 1; rows.length === (page - 1) * 100; page += 1) {
    rows.push(...(await api.conversations(`limit=100&page=${page}`)))
  }
  return rows.filter((row) => row.platform === 'messenger' && row.psid)
}

const isLinked = ({ client_id }: Conversation) => client_id != null

function take(people: Conversation[], isWanted: (row: Conversation) => boolean): Conversation {
  const [person] = people.splice(people.findIndex(isWanted), 1)
  if (!person || !isWanted(person)) throw new Error('There are not enough people in the sandbox')
  return person
}

export { expect } from '@playwright/test'
