import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { defaultSecurityHeaders } from './security-headers.ts'

/** Sends an empty response with this status and closes the socket, even if the client keeps it open. */
export function rejectSocket(socket: Duplex, status: number, extraHeaders: Record<string, string> = {}): void {
  const headers = { ...defaultSecurityHeaders, ...extraHeaders, connection: 'close', 'content-length': '0' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`)
}
