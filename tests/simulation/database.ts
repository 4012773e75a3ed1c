import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { OpenDatabase } from '../../server/database/database.ts'
import type { Tables } from '../../server/database/tables.ts'
import { type Kernel, never, type Process } from './kernel.ts'
import { createRandom, digestOf } from './random.ts'

export type Row = Record<string, unknown>
export type Answer = { rows: Row[]; affectedRows: number | undefined }
export type Result = { answer: Answer } | { error: unknown }
type Statement = {
  text: string
  values: readonly unknown[]
  settle: (outcome: Result) => void
}

/** What executes the statements. A `session` is any object; each is one session of the database. */
export type Backend = {
  kind: 'pglite' | 'postgres'
  /** Whether transactions exclude each other, because there is only one session. */
  hasOneSession: boolean
  /** Starts a statement. */
  start(session: object, text: string, values: readonly unknown[]): void
  /** Waits until each started statement has ended or waits for a lock. Returns those that have ended. */
  ended(): Promise<{ session: object; result: Result }[]>
  /** Ends a session in the middle of what it does: its transaction is rolled back. */
  drop(session: object): Promise<void>
  /** The session ends in order. */
  release(session: object): void
  listen(channel: string, onPayload: (payload: string) => void): Promise<unknown>
  /** Reads what is committed, or with one session also the running transaction. */
  read<R>(text: string, values: unknown[]): Promise<R[]>
  close(): Promise<void>
}

type Connection = {
  process: Process
  isOpen: boolean
  isInTransaction: boolean
  lastArrival: number
  lastReply: number
}

type Subscription = { connection: Connection; onPayload: (payload: string) => void; onLost: () => void }

export type SimulatedDatabase = ReturnType<typeof createSimulatedDatabase>

/**
 * One database that all processes share; each process has connections of its own. One statement is started at a time, and
 * the next when it has ended or waits for a lock. Which of the waiting statements comes next is decided by the seed. The
 * embedded database has one session, so the statements of other connections wait while one is in a transaction.
 */
export function createSimulatedDatabase({
  kernel,
  seed,
  backend,
  server,
}: {
  kernel: Kernel
  seed: number
  backend: Backend
  /** The process that the database itself runs in. */
  server: Process
}) {
  const random = createRandom(seed, 'database')
  const connections = new Set<Connection>()
  const subscriptions = new Map<string, Set<Subscription>>()
  const listened = new Map<string, Promise<unknown>>()
  /** How many more statements within transactions a process sends before the connection breaks. */
  const breaksAfter = new Map<Process, number>()
  let waiting: { connection: Connection; statement: Statement }[] = []
  let holder: Connection | null = null
  let isExecuting = false
  /** Statements that were started and have not ended. */
  const running = new Map<object, Statement>()

  const latency = () => 0.2 + random.next() * 2 + (random.chance(0.01) ? random.between(20, 200) : 0)

  function open(process: Process): Connection {
    const connection = { process, isOpen: true, isInTransaction: false, lastArrival: 0, lastReply: 0 }
    connections.add(connection)
    return connection
  }

  /** Executes what may be executed now. */
  async function pump(): Promise<void> {
    if (isExecuting) return
    isExecuting = true
    for (;;) {
      const eligible = waiting.filter(({ connection }) => holder === null || holder === connection)
      if (eligible.length === 0) break
      const next = random.pick(eligible)
      waiting = waiting.filter((other) => other !== next)
      running.set(next.connection, next.statement)
      backend.start(next.connection, next.statement.text, next.statement.values)
      await settleEnded()
    }
    isExecuting = false
  }

  async function settleEnded(): Promise<void> {
    for (const { session, result } of await backend.ended()) {
      const connection = session as Connection
      const statement = running.get(connection)
      running.delete(connection)
      if (statement === undefined) continue
      if ('answer' in result) followTransaction(connection, statement)
      statement.settle(result)
    }
  }

  function followTransaction(connection: Connection, { text, values }: Statement): void {
    const command = text.trimStart().slice(0, 8).toLowerCase()
    if (!isBlock(text, values) && command.startsWith('begin')) {
      connection.isInTransaction = true
      if (backend.hasOneSession) holder = connection
    }
    if (command.startsWith('commit') || text.trim().toLowerCase() === 'rollback')
      [connection.isInTransaction, holder] = [false, null]
  }

  const lost = () => Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })

  function run(connection: Connection, text: string, values: readonly unknown[]): Promise<Answer> {
    const { process } = connection
    if (!kernel.reach(process, 'statement')) return never()
    if (!connection.isOpen) return Promise.reject(lost())
    const breaks = breaksNow(connection)
    // Half of the connections break before the statement has arrived, half before its answer has.
    if (breaks && random.chance(0.5)) {
      breakOff(connection)
      return Promise.reject(lost())
    }
    return new Promise<Answer>((resolve, reject) => {
      const reply = (carried: string, run: () => void) => {
        connection.lastReply = Math.max(connection.lastReply, kernel.now() + latency())
        kernel.scheduleAt(process, connection.lastReply, `database answer ${carried}`, run)
      }
      const settle: Statement['settle'] = (outcome) =>
        reply('answer' in outcome ? digestOf(JSON.stringify(outcome.answer.rows)) : 'error', () => {
          if (!connection.isOpen) reject(lost())
          else if ('error' in outcome) reject(outcome.error)
          else resolve(outcome.answer)
        })
      connection.lastArrival = Math.max(connection.lastArrival, kernel.now() + latency())
      kernel.scheduleAt(server, connection.lastArrival, `${process.name}: ${summaryOf(text, values)}`, () => {
        if (!connections.has(connection)) return reply('lost', () => reject(lost()))
        waiting.push({ connection, statement: { text, values, settle } })
        return pump()
      })
      if (breaks) breakOff(connection)
    })
  }

  /** Closes a connection in order. A broken one is dropped instead. */
  function close(connection: Connection): void {
    if (connections.delete(connection) && connection.isOpen) backend.release(connection)
  }

  function breaksNow({ process, isInTransaction }: Connection): boolean {
    const left = breaksAfter.get(process)
    if (left === undefined || !isInTransaction) return false
    if (left > 1) breaksAfter.set(process, left - 1)
    else breaksAfter.delete(process)
    return left <= 1
  }

  function breakOff(connection: Connection): void {
    connection.isOpen = false
    drop(connection)
  }

  /** The server notices that a connection is gone: its transaction is rolled back. */
  function drop(connection: Connection): void {
    connection.lastArrival = Math.max(connection.lastArrival, kernel.now() + latency())
    kernel.scheduleAt(server, connection.lastArrival, `${connection.process.name}: gone`, async () => {
      connections.delete(connection)
      const dropped = waiting.filter((one) => one.connection === connection)
      waiting = waiting.filter((one) => one.connection !== connection)
      for (const { statement } of dropped) statement.settle({ error: lost() })
      running.get(connection)?.settle({ error: lost() })
      running.delete(connection)
      if (holder === connection || !backend.hasOneSession) await backend.drop(connection)
      if (holder === connection) holder = null
      connection.isInTransaction = false
      await settleEnded()
      await pump()
    })
  }

  const endSubscriptions = (process: Process) => {
    for (const all of subscriptions.values()) {
      for (const one of all) if (one.connection.process === process) all.delete(one)
    }
  }

  class SimulatedDriver implements Driver {
    readonly #process: Process
    constructor(process: Process) {
      this.#process = process
    }
    async init() {}
    async acquireConnection() {
      return new DriverConnection(open(this.#process))
    }
    async beginTransaction(connection: DriverConnection) {
      await connection.command('begin')
    }
    async commitTransaction(connection: DriverConnection) {
      await connection.command('commit')
    }
    async rollbackTransaction(connection: DriverConnection) {
      await connection.command('rollback')
    }
    async releaseConnection(connection: DriverConnection) {
      connection.release()
    }
    async destroy() {}
  }

  class DriverConnection implements DatabaseConnection {
    readonly #connection: Connection
    constructor(connection: Connection) {
      this.#connection = connection
    }
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const { rows, affectedRows } = await run(this.#connection, sql, parameters)
      const numAffectedRows = affectedRows === undefined ? {} : { numAffectedRows: BigInt(affectedRows) }
      return { ...numAffectedRows, rows: rows as R[] }
    }
    async command(text: string): Promise<void> {
      await run(this.#connection, text, [])
    }
    release(): void {
      close(this.#connection)
    }
    // biome-ignore lint/correctness/useYield: nothing of the product streams
    async *streamQuery(): AsyncIterableIterator<never> {
      throw new Error('streaming is not simulated')
    }
  }

  return {
    /** The database as one process has it. */
    openFor(process: Process): OpenDatabase {
      process.onEnd.add(() => {
        endSubscriptions(process)
        for (const connection of connections) if (connection.process === process) drop(connection)
      })
      const db = new Kysely<Tables>({
        dialect: {
          createAdapter: () => new PostgresAdapter(),
          createDriver: () => new SimulatedDriver(process),
          createIntrospector: (of) => new PostgresIntrospector(of),
          createQueryCompiler: () => new PostgresQueryCompiler(),
        },
      })
      return {
        db,
        deliveries: db,
        // As with a server: the processes agree on the database's time.
        kind: 'postgres',
        async listen(channel, onPayload, onLost) {
          const connection = open(process)
          await run(connection, 'select 1', [])
          const subscription = { connection, onPayload, onLost }
          const all = subscriptions.get(channel) ?? new Set()
          subscriptions.set(channel, all)
          all.add(subscription)
          return async () => {
            all.delete(subscription)
            close(connection)
          }
        },
        watchQueue: () => undefined,
        exclusively: (_task, work) => work(),
        forJobs: {
          ...(backend.kind === 'pglite' ? { backend: 'pglite' } : {}),
          db: {
            executeSql: async (text: string, values: unknown[] = []) => {
              const connection = open(process)
              try {
                return await run(connection, text, values)
              } finally {
                close(connection)
              }
            },
          },
        },
        close: async () => endSubscriptions(process),
      }
    },

    /** Starts to deliver the notifications of a channel. Must run in an event of the database's process. */
    async announce(channel: string): Promise<void> {
      const listening =
        listened.get(channel) ??
        backend.listen(channel, (payload) => {
          for (const { connection, onPayload } of subscriptions.get(channel) ?? []) {
            connection.lastReply = Math.max(connection.lastReply, kernel.now() + latency())
            kernel.scheduleAt(connection.process, connection.lastReply, `notified of ${digestOf(payload)}`, () => {
              if (connection.isOpen) onPayload(payload)
            })
          }
        })
      listened.set(channel, listening)
      await listening
    },

    /** Breaks the connection of a process at the nth statement from now that it sends within a transaction. */
    breakAfter: (process: Process, statements: number) => void breaksAfter.set(process, statements),

    /** Cuts the connections of a process: all, or those that listen. */
    cut(process: Process, which: 'all' | 'listening'): void {
      const listening = new Map(
        [...subscriptions.values()].flatMap((all) => [...all].map((one) => [one.connection, one] as const)),
      )
      const chosen = [...connections].filter(
        (connection) =>
          connection.process === process && connection.isOpen && (which === 'all' || listening.has(connection)),
      )
      for (const connection of chosen) {
        breakOff(connection)
        const subscription = listening.get(connection)
        if (subscription === undefined) continue
        for (const all of subscriptions.values()) all.delete(subscription)
        kernel.schedule(process, latency(), 'listener lost', subscription.onLost)
      }
    },

    /** Reads for the checks, in an event of its own. Must not be called while events are released. */
    read: <R>(text: string, values: unknown[] = []): Promise<R[]> =>
      kernel.perform(server, 'check', () => backend.read<R>(text, values)),
    /** Whether no connection is in a transaction, so that a read sees committed rows only. */
    isBetweenTransactions: () => holder === null,
  }
}

/** Whether a text holds several statements. */
export const isBlock = (text: string, values: readonly unknown[]): boolean => values.length === 0 && text.includes(';')

function summaryOf(text: string, values: readonly unknown[]): string {
  return `${text.replace(/\s+/g, ' ').trim().slice(0, 60)} ${digestOf(`${text}${JSON.stringify(values)}`)}`
}
