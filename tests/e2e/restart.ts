import type { Db } from '../../server/database/database.ts'
import { openDatabase } from '../../server/database/open-database.ts'
import type { TestServer } from './server.ts'

/** Restarts the server. `change` edits its embedded database meanwhile, for example moves times back. */
export async function restart(server: TestServer, change?: (db: Db) => Promise<unknown>): Promise<void> {
  await server.stop()
  if (change) {
    const database = await openDatabase({ dataDir: server.directory })
    await change(database.db).finally(() => database.close())
  }
  await server.start()
}
