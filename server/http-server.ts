import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { Hono } from 'hono'
import { refuseSocket } from './refuse-socket.ts'
import { bareAnswerHeaders } from './security-headers.ts'
import { StartupError } from './startup-error.ts'

export type HttpServer = {
  server: Server
  /** Where this machine reaches the server, without a slash at the end. */
  address: string
  /** Answers with this from now on; until then every request is asked to come back. */
  answerWith(app: Hono): void
  /** Takes no more requests and resolves when those under way are answered, at most after `patience` milliseconds. */
  close(patience: number): Promise<void>
}

/**
 * Listens before there is anything to answer with, because parts of the server need its address. Throws StartupError
 * when the port cannot be had.
 */
export async function listen({ port, host }: { port: number; host: string }): Promise<HttpServer> {
  let app: Hono | undefined
  const listener = getRequestListener(
    (request, env) =>
      app === undefined
        ? new Response('Starting', { status: 503, headers: { ...bareAnswerHeaders, 'retry-after': '1' } })
        : app.fetch(request, env),
    {
      errorHandler: (error) =>
        new Response(null, { status: error instanceof RequestError ? 400 : 500, headers: bareAnswerHeaders }),
    },
  )
  const answers = new WeakMap<Duplex, ServerResponse>()
  // A request without a host is refused by the listener: what node itself refuses carries no headers of ours.
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    answers.set(request.socket, response)
    void listener(request, response)
  })
  server.on('checkExpectation', (_, response) => response.writeHead(417, bareAnswerHeaders).end())
  server.on('clientError', (error, socket) => {
    const last = answers.get(socket)
    const isInAnAnswer = last?.headersSent && !last.writableFinished
    if (isInAnAnswer || !socket.writable) socket.destroy()
    else refuseSocket(socket, statusOfUnreadable(error))
  })
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw startupError(error, port, host)
  }
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('A server that listens on a port has its address')

  return {
    server,
    address: `http://${reachable(host)}:${bound.port}`,
    answerWith: (given) => {
      app = given
    },
    async close(patience) {
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      const hurry = setTimeout(() => server.closeAllConnections(), patience)
      await closed
      clearTimeout(hurry)
    },
  }
}

/** As node has it: for a request that was too long, too slow, or none. */
function statusOfUnreadable(error: Error): number {
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

function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
