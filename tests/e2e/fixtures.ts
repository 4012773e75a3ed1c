import { randomUUID } from 'node:crypto'
import { test as base } from '@playwright/test'
import type { Conversation } from '../../src/schemas/conversation.ts'
import { type Api, signInToApi } from './api.ts'
import { Desk } from './desk.ts'
import { sandboxOf } from './network.ts'
import { createServer, type DatabaseKind, type TestServer } from './server.ts'

export type Options = { database: DatabaseKind }

type OfWorker = { server: TestServer; api: Api; people: Conversation[] }
type OfTest = {
  desk: Desk
  sandbox: ReturnType<typeof sandboxOf>
  /** A conversation that no other test touches: one person on one page, over Messenger. */
  person: Conversation
  /** One like that who is linked to no client. */
  stranger: Conversation
  /** One like that who is linked to a client. */
  customer: Conversation
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
    async ({ api }, use) => {
      const rows = await api.conversations('limit=100&page=1')
      await use(rows.filter((row) => row.page_count === 1 && row.platform === 'messenger' && row.psid))
    },
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
  desk: async ({ page }, use) => use(new Desk(page)),
  unique: async ({ server: _ }, use) => use((text) => `${text} ${randomUUID().slice(0, 8)}`),
})

function taken(people: Conversation[], isWanted: (row: Conversation) => boolean): Conversation {
  const [person] = people.splice(people.findIndex(isWanted), 1)
  if (!person || !isWanted(person)) throw new Error('There are not enough people in the sandbox')
  return person
}

export { expect } from '@playwright/test'
