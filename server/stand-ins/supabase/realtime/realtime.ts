import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { ChangeTransport } from '../../../changes/transport.ts'
import { networkOf } from '../../../client-address.ts'
import { type Clock, systemClock } from '../../../clock.ts'
import type { Db } from '../../../database/database.ts'
import { createLogLimit } from '../../../log-limit.ts'
import { type Logger, traceOf } from '../../../logger.ts'
import { rejectSocket } from '../../../reject-socket.ts'
import { createChangeReader, listenForChanges } from './changes.ts'
import type { VerifyToken } from './channel.ts'
import { type Connection, openConnection, type SerializedChange } from './connection.ts'
import { createGathering } from './gathering.ts'

const path = '/realtime/v1/websocket'
const maxFrameBytes = 256 * 1024
/** Per minute: anyone can open sockets. */
const maxLoggedRefusals = 1
/** Seconds. */
const retryAfter = '10'

export type Realtime = {
  /** Starts listening to the database. Resolves after the first attempt and keeps trying. */
  start(): Promise<void>
  /** Handles the HTTP server's upgrades. Other paths are rejected. */
  attach(server: Pick<Server, 'on'>): void
  /** The number of open sockets. */
  connections(): number
  /** Whether the process receives the changes of the database. */
  isListening(): boolean
  /** Closes every socket and stops listening. */
  close(): Promise<void>
}

/** How many sockets may be open at once, of which those of one address. An IPv6 /64 is one address. */
export type SocketLimits = { inAll: number; perAddress: number }

/**
 * The stand-in for Supabase Realtime: delivers the database's changes to subscribed clients. While the database listener
 * is down it closes all sockets and rejects new ones, so that no client shows "Live".
 */
export const createRealtime = ({
  db,
  transport,
  verifyToken,
  addressOf,
  limits,
  logger,
  clock = systemClock,
}: {
  db: Db
  transport: ChangeTransport
  verifyToken: VerifyToken
  /** The client's IP address. */
  addressOf: (request: IncomingMessage) => string
  limits: SocketLimits
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
  clock?: Clock
}): Realtime => {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false })
  sockets.on('wsClientError', (_, socket, request) =>
    rejectSocket(socket, request.method === 'GET' ? 400 : 405, { 'sec-websocket-version': '13' }),
  )
  const connections = new Set<Connection>()
  const openByAddress = new Map<string, number>()
  const mayLog = createLogLimit({ max: maxLoggedRefusals, window: 60_000, clock })
  const reader = createChangeReader({ db })
  let isListening = false
  let accessChanges = 0

  const gathering = createGathering<SerializedChange>({
    deliver: (changes) => {
      const encoded = new Map<string, Buffer>()
      for (const connection of connections) connection.deliver(changes, encoded)
    },
    sockets: () => connections.size,
    clock,
  })

  const closeAll = () => {
    gathering.drop()
    for (const connection of connections) connection.close()
    connections.clear()
  }

  const changes = listenForChanges({
    transport,
    read: reader.read,
    onAnnouncement: (announcement) => {
      if ('access' in announcement) {
        accessChanges += 1
        for (const connection of connections) connection.applyAccessChange(announcement.access)
        return
      }
      const { change } = announcement
      if (connections.size > 0) gathering.add({ change, data: JSON.stringify(change) })
    },
    onUp: () => {
      isListening = true
      logger.info('realtime hears the changes of the database')
    },
    onDown: (error) => {
      isListening = false
      reader.forgetColumns()
      closeAll()
      logger.warn(traceOf(error), 'realtime does not hear the changes of the database')
    },
    clock,
  })

  const openOf = (address: string) => openByAddress.get(address) ?? 0

  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Must not throw for any request: an exception here would end the process.
    const url = URL.parse(request.url ?? '/', 'http://localhost')
    if (url === null) return rejectSocket(socket, 400)
    if (url.pathname !== path) return rejectSocket(socket, 404)
    if (!isListening) return rejectSocket(socket, 503)
    const address = networkOf(addressOf(request))
    const isOverLimit = { inAll: sockets.clients.size >= limits.inAll, ofAddress: openOf(address) >= limits.perAddress }
    if (isOverLimit.inAll || isOverLimit.ofAddress) {
      if (mayLog()) logger.warn(isOverLimit, 'a realtime socket was refused: too many are open')
      return rejectSocket(socket, isOverLimit.inAll ? 503 : 429, { 'retry-after': retryAfter })
    }
    const version = url.searchParams.get('vsn') === '1.0.0' ? '1.0.0' : '2.0.0'
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = openConnection({
        socket: webSocket,
        stream: socket,
        version,
        verifyToken,
        accessChanges: () => accessChanges,
        clock,
        onError: (error) => logger.error(traceOf(error), 'handling a realtime frame failed'),
      })
      connections.add(connection)
      openByAddress.set(address, openOf(address) + 1)
      webSocket.on('close', () => {
        connections.delete(connection)
        const left = openOf(address) - 1
        if (left > 0) openByAddress.set(address, left)
        else openByAddress.delete(address)
      })
    })
  }

  return {
    start: changes.start,
    attach: (server) => {
      server.on('upgrade', (request, socket, head) => {
        // Without this listener a client that disconnects now would end the process.
        socket.on('error', () => socket.destroy())
        upgrade(request, socket, head)
      })
    },
    connections: () => connections.size,
    isListening: () => isListening,
    close: async () => {
      isListening = false
      closeAll()
      await changes.stop()
    },
  }
}
