import { randomUUID } from 'node:crypto'
import { test as base, expect } from '@playwright/test'
import type { Conversation } from '../../src/schemas/conversation.ts'
import { type Api, signInToApi } from './api.ts'
import { Harness } from './harness.ts'
import { deliveryOf, type Happening, type Place, postWebhook, sandboxOf } from './network.ts'
import { createServer, type DatabaseKind, type TestServer } from './server.ts'

export type Options = { database: DatabaseKind }

type OfWorker = {
  server: TestServer
  api: Api
  /** Conversations of one person on one page, over Messenger. */
  people: Conversation[]
  /** Conversations that span several pages, over Messenger. */
  travellers: Conversation[]
}
type OfTest = {
  harness: Harness
  sandbox: ReturnType<typeof sandboxOf>
  /** A conversation that no other test touches: one person on one page, over Messenger. */
  person: Conversation
  /** One like that who is linked to no client. */
  stranger: Conversation
  /** One like that who is linked to a client. */
  customer: Conversation
  /** Somebody who never wrote before, after all this has happened; the family name finds them. */
  meet: (firstName: string, familyName: string, happenings: readonly Happening[]) => Promise<Conversation & Place>
  /** The network tells of all this in one delivery. */
  deliver: (happenings: readonly (Place & Happening)[]) => Promise<void>
  /** Makes a text that stands nowhere else. */
  unique: (text: string) => string
}

export const test = base.extend<OfTest, Options & OfWorker>({
  database: ['embedded', { option: true, scope: 'worker' }],
  server: [
    async ({ database }, use) => {
      const server = await createServer(database)
      try {
        await server.start()
        await use(server)
      } finally {
        await server.dispose()
      }
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  api: [async ({ server }, use) => use(await signInToApi(server)), { scope: 'worker' }],
  people: [
    async ({ api }, use) => use((await overMessenger(api)).filter((row) => row.page_count === 1)),
    { scope: 'worker' },
  ],
  travellers: [
    async ({ api }, use) => use((await overMessenger(api)).filter((row) => row.page_count > 1)),
    { scope: 'worker' },
  ],
  person: async ({ people }, use) => use(taken(people, () => true)),
  stranger: async ({ people }, use) => use(taken(people, ({ client_id }) => client_id == null)),
  customer: async ({ people }, use) => use(taken(people, ({ client_id }) => client_id != null)),
  baseURL: async ({ server }, use) => use(server.url),
  sandbox: async ({ server }, use) => {
    const sandbox = sandboxOf(server)
    await use(sandbox)
    await sandbox.setFaults({})
  },
  deliver: async ({ server }, use) =>
    use(async (happenings) => {
      expect((await postWebhook(server, deliveryOf(happenings))).status).toBe(200)
    }),
  meet: async ({ api, deliver, people, sandbox }, use) =>
    use(async (firstName, familyName, happenings) => {
      const pageId = people[0]?.page_id ?? ''
      const place = { pageId, psid: await sandbox.meet(pageId, firstName, familyName) }
      await deliver(happenings.map((happening) => ({ ...place, ...happening })))
      const written = happenings.filter((happening) => 'wrote' in happening || 'answered' in happening).length
      const lost = happenings.filter((happening) => 'deleted' in happening).length
      const find = async () =>
        (await api.conversations(`search=${familyName}`)).find(({ first_name }) => first_name === firstName)
      await expect.poll(async () => (await find())?.total_messages).toBe(written - lost)
      const row = await find()
      if (!row) throw new Error('The guest has just been found')
      return { ...row, ...place }
    }),
  harness: async ({ page }, use) => use(new Harness(page)),
  unique: async ({ server: _ }, use) => use((text) => `${text} ${randomUUID().slice(0, 8)}`),
})

async function overMessenger(api: Api): Promise<Conversation[]> {
  const rows: Conversation[] = []
  for (let page = 1; rows.length === (page - 1) * 100; page += 1) {
    rows.push(...(await api.conversations(`limit=100&page=${page}`)))
  }
  return rows.filter((row) => row.platform === 'messenger' && row.psid)
}

function taken(people: Conversation[], isWanted: (row: Conversation) => boolean): Conversation {
  const [person] = people.splice(people.findIndex(isWanted), 1)
  if (!person || !isWanted(person)) throw new Error('There are not enough people in the sandbox')
  return person
}

export { expect } from '@playwright/test'
