import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { bareAnswerHeaders } from './security-headers.ts'

/** Answers a socket that no application takes with a status alone, and closes it whether or not its client does. */
export function refuseSocket(socket: Duplex, status: number, more: Record<string, string> = {}): void {
  const headers = { ...bareAnswerHeaders, ...more, connection: 'close', 'content-length': '0' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`)
}
