import { createServer, keepAsSeed } from './server.ts'

/** Fills one server as a seed for the others, because filling takes longer than most tests. */
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
