import type { OpenDatabase } from '../database/database.ts'
import { requireNotify, tellProcesses } from '../database/realtime-queue.ts'

/** How processes hear of committed changes. */
export type ChangeTransport = {
  listen: OpenDatabase['listen']
  /** Tells all listening processes, this one included, by the transport of changes. */
  tell(text: string): Promise<void>
  /** Between heartbeats, and how long one may take to come back. Milliseconds. */
  heartbeatInterval: number
}

/** By NOTIFY of the database. */
export const notifyTransport = ({ db, listen }: Pick<OpenDatabase, 'db' | 'listen'>): ChangeTransport => ({
  listen: async (...listener) => {
    const stop = await listen(...listener)
    try {
      await requireNotify(db)
      return stop
    } catch (error) {
      await stop()
      throw error
    }
  },
  tell: (text) => tellProcesses(db, text),
  heartbeatInterval: 30_000,
})
