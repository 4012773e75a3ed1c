import type { PGlite } from '@electric-sql/pglite'
import { type Answer, type Backend, isBlock, type Row } from './database.ts'

/** The embedded database. `pglite` is started as a part of the simulation, because it draws random numbers. */
export function embeddedBackend(pglite: PGlite): Backend {
  let running: { session: object; answer: Promise<Answer> } | undefined

  async function runOne(text: string, values: readonly unknown[]): Promise<Answer> {
    const { rows, affectedRows } = await pglite.query<Row>(text, [...values])
    return { rows, affectedRows }
  }

  /** A failure must not leave the session in an aborted transaction. */
  async function runBlock(text: string): Promise<Answer> {
    try {
      const results = await pglite.exec(text)
      return { rows: results.flatMap(({ rows }) => rows as Row[]), affectedRows: undefined }
    } catch (error) {
      await pglite.exec('rollback').catch(() => undefined)
      throw error
    }
  }

  return {
    kind: 'pglite',
    hasOneSession: true,
    start(session, text, values) {
      running = { session, answer: isBlock(text, values) ? runBlock(text) : runOne(text, values) }
    },
    async ended() {
      if (running === undefined) return []
      const { session, answer } = running
      running = undefined
      const result = await answer.then(
        (value) => ({ answer: value }),
        (error: unknown) => ({ error }),
      )
      return [{ session, result }]
    },
    drop: async () => void (await pglite.exec('rollback').catch(() => undefined)),
    release: () => undefined,
    listen: (channel, onPayload) => pglite.listen(channel, onPayload),
    read: async <R>(text: string, values: unknown[]) => (await pglite.query<R>(text, values)).rows,
    close: () => pglite.close(),
  }
}
