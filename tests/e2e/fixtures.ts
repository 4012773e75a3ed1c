import { test as base } from '@playwright/test'
import { createServer, type DatabaseKind, type TestServer } from './server.ts'

export type Options = { database: DatabaseKind }
type Own = { server: TestServer }

/** One server for all tests of a project; each test takes a person of its own. */
export const test = base.extend<object, Options & Own>({
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
  baseURL: async ({ server }, use) => use(server.url),
})

export { expect } from '@playwright/test'
