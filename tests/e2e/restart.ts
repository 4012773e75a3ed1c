import type { Db } from '../../server/database/database.ts'
import { openDatabaseOf, type TestServer } from './server.ts'

/** Restarts the server. `change` edits its database meanwhile, for example moves times back. */
export async function restart(server: TestServer, change?: (db: Db) => Promise<unknown>): Promise<void> {
  await server.stop()
  if (change) {
    const database = await openDatabaseOf(server)
    await change(database.db).finally(() => database.close())
  }
  await server.start()
}
