import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Below 32768, where Linux takes the ports of connections and of servers that listen on any port. */
const ports = { first: 20_000, pairs: 6_000 }

/**
 * Returns a port of 127.0.0.1 that no other caller gets until this process ends, also in other processes. The caller may
 * close and reopen it. Ports are taken in pairs: this process listens on the first to reserve the second.
 */
export async function reservePort({ first, pairs } = ports): Promise<number> {
  const start = randomInt(pairs)
  for (let tried = 0; tried < pairs; tried += 1) {
    const pair = first + 2 * ((start + tried) % pairs)
    const reservation = await listenOn(pair)
    if (reservation === null) continue
    const probe = await listenOn(pair + 1)
    if (probe !== null) {
      probe.close()
      await once(probe, 'close')
      reservation.unref()
      return pair + 1
    }
    reservation.close()
  }
  throw new Error('No free port was found')
}

/** Null if the port is taken. */
function listenOn(port: number): Promise<Server | null> {
  const server = createServer((socket) => socket.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(null) : reject(error),
    )
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
