import { createServer, keepAsSeed } from './server.ts'

/** Fills a server from nothing once, for the others to begin with what it left: filling takes longer than most tests. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const server = await createServer('embedded')
  try {
    await server.start()
    await server.stop()
  } catch (error) {
    await server.dispose()
    throw error
  }
  keepAsSeed(server)
  return server.dispose
}
