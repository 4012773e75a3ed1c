import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { type Clock, systemClock } from '../../../clock.ts'
import type { Db, OpenDatabase } from '../../../database/database.ts'
import { type Logger, traceOf } from '../../../logger.ts'
import { rejectSocket } from '../../../reject-socket.ts'
import { createChangeReader, followChanges } from './changes.ts'
import type { VerifyToken } from './channel.ts'
import { type Connection, openConnection } from './connection.ts'

const path = '/realtime/v1/websocket'
const sweepInterval = 60_000
const longestFrame = 256 * 1024

export type Realtime = {
  /** Listens to the database; resolves after the first try, and goes on trying. */
  start(): Promise<void>
  /** Takes the http server's upgrades; those of other paths are refused. */
  attach(server: Server): void
  /** How many sockets are open. */
  connections(): number
  /** Closes every socket and stops listening. */
  close(): Promise<void>
}

/**
 * The stand-in for Supabase Realtime: delivers the database's changes to subscribed clients. While it does not hear
 * the database it takes no socket and closes those it has, so that no client believes itself live.
 */
export const createRealtime = ({
  db,
  listen,
  verifyToken,
  logger,
  clock = systemClock,
}: {
  db: Db
  listen: OpenDatabase['listen']
  verifyToken: VerifyToken
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
  clock?: Clock
}): Realtime => {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: longestFrame, perMessageDeflate: false })
  sockets.on('wsClientError', (_, socket, request) =>
    rejectSocket(socket, request.method === 'GET' ? 400 : 405, { 'sec-websocket-version': '13' }),
  )
  const connections = new Set<Connection>()
  const reader = createChangeReader({ db })
  let hearing = false
  let closed = false
  let callOffSweep = () => {}

  const closeAll = () => {
    for (const connection of connections) connection.close()
    connections.clear()
  }

  const changes = followChanges({
    listen,
    read: reader.read,
    say: reader.say,
    onChange: (change) => {
      const data = JSON.stringify(change)
      for (const connection of connections) connection.deliver(change, data)
    },
    onUp: () => {
      hearing = true
      logger.info('Realtime hears the database')
    },
    onDown: (error) => {
      hearing = false
      reader.forgetColumns()
      closeAll()
      logger.warn(traceOf(error), 'Realtime does not hear the database')
    },
    clock,
  })

  const sweepRegularly = () => {
    if (closed) return
    callOffSweep = clock.after(sweepInterval, async () => {
      await reader.sweep().catch((error: Error) => logger.warn(traceOf(error), 'The realtime outbox was not swept'))
      sweepRegularly()
    })
  }

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // What throws in here ends the process, and anybody may ask for anything.
    const url = URL.parse(request.url ?? '/', 'http://localhost')
    if (url === null) return rejectSocket(socket, 400)
    if (url.pathname !== path) return rejectSocket(socket, 404)
    if (!hearing) return rejectSocket(socket, 503)
    const version = url.searchParams.get('vsn') === '1.0.0' ? '1.0.0' : '2.0.0'
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = openConnection({
        socket: webSocket,
        version,
        verifyToken,
        clock,
        onError: (error) => logger.error(traceOf(error), 'A realtime frame could not be handled'),
      })
      connections.add(connection)
      webSocket.on('close', () => connections.delete(connection))
    })
  }

  return {
    start: async () => {
      sweepRegularly()
      await changes.start()
    },
    attach: (server) => {
      server.on('upgrade', (request, socket, head) => {
        // Without a listener a client that goes away now would end the process.
        socket.on('error', () => socket.destroy())
        upgrade(request, socket, head)
      })
    },
    connections: () => connections.size,
    close: async () => {
      closed = true
      hearing = false
      callOffSweep()
      closeAll()
      await changes.stop()
    },
  }
}
