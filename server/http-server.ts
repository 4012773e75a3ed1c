import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { Hono } from 'hono'
import { rejectSocket } from './reject-socket.ts'
import { defaultSecurityHeaders } from './security-headers.ts'
import { StartupError } from './startup-error.ts'

/** Longer than proxies keep idle connections (nginx: 75 s), so that a proxy never writes into a closing connection. */
const keepAliveTimeout = 80_000

export type HttpServer = {
  server: Server
  /** The server's base URL on this machine, without a trailing slash. */
  address: string
  /** Serves `app` from now on. Until then every request gets 503 with Retry-After. */
  serve(app: Hono): void
  /** Stops accepting requests. Resolves when the open ones are done, or after `gracePeriod` milliseconds. */
  close(gracePeriod: number): Promise<void>
}

/** Listens before the application exists, because parts of it need the address. Throws StartupError if the port is unusable. */
export async function listen({ port, host }: { port: number; host: string }): Promise<HttpServer> {
  let app: Hono | undefined
  const listener = getRequestListener(
    (request, env) =>
      app === undefined
        ? new Response('Starting', { status: 503, headers: { ...defaultSecurityHeaders, 'retry-after': '1' } })
        : app.fetch(request, env),
    {
      errorHandler: (error) =>
        new Response(null, { status: error instanceof RequestError ? 400 : 500, headers: defaultSecurityHeaders }),
    },
  )
  const responses = new WeakMap<Duplex, ServerResponse>()
  // The listener rejects requests without a Host header: a rejection by node would lack our security headers.
  const server = createServer({ requireHostHeader: false, keepAliveTimeout }, (request, response) => {
    responses.set(request.socket, response)
    void listener(request, response)
  })
  server.on('checkExpectation', (_, response) => response.writeHead(417, defaultSecurityHeaders).end())
  server.on('clientError', (error, socket) => {
    const last = responses.get(socket)
    const isResponding = last?.headersSent && !last.writableFinished
    if (isResponding || !socket.writable) socket.destroy()
    else rejectSocket(socket, statusOfParseError(error))
  })
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw startupError(error, port, host)
  }
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('a server that listens on a port has an address')

  return {
    server,
    address: `http://${connectableHost(host)}:${bound.port}`,
    serve: (newApp) => {
      app = newApp
    },
    async close(gracePeriod) {
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), gracePeriod)
      await closed
      clearTimeout(timer)
    },
  }
}

/** The statuses that node itself uses. */
function statusOfParseError(error: Error): number {
  const code = 'code' in error ? error.code : undefined
  if (code === 'HPE_HEADER_OVERFLOW') return 431
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 413
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
}

function startupError(error: unknown, port: number, host: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    return new StartupError(`Port ${port} is taken; stop what uses it, or set PORT to another.`, { cause: error })
  }
  if (code === 'EACCES') return new StartupError(`Port ${port} is not allowed; set PORT to another.`, { cause: error })
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StartupError(`The setting HOST names no address of this machine: ${host}.`, { cause: error })
  }
  return error
}

function connectableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
