import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pdf, photo, voice } from '../../../server/stand-ins/sandbox/media-files.ts'

export const receipt = photo(7)
export const recording = voice(3)
export const quotation = pdf('Quotation')
export const page = Buffer.from('<!doctype html><script>alert(document.domain)</script>')
export const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')

const files: Record<string, Uint8Array> = {
  '/receipt.png': receipt,
  '/voice.wav': recording,
  '/quotation.pdf': quotation,
  '/page.png': page,
  '/drawing.png': drawing,
  '/program.png': Buffer.from(`MZ${'\0'.repeat(100)}`),
  '/large.png': Buffer.concat([receipt, Buffer.alloc(2 * 1024 * 1024)]),
}

/** A host of the network's files, which can lose them, refuse for a while, or stop in the middle of a file. */
export async function openFileHost() {
  let mode: 'serving' | 'lost' | 'failing' | 'stalling' = 'serving'
  const requests: string[] = []
  const stalled = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const path = request.url?.replace(/\?.*/, '') ?? ''
    requests.push(path)
    if (path === '/elsewhere.png') return response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    const file = files[path]
    if (mode === 'lost' || file === undefined) return response.writeHead(403).end()
    if (mode === 'failing') return response.writeHead(500).end()
    response.writeHead(200, { 'content-type': 'image/png' })
    if (mode === 'serving') return response.end(file)
    stalled.add(response)
    return response.write(file.subarray(0, 100))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stalled,
    become(next: typeof mode) {
      mode = next
      requests.length = 0
      stalled.clear()
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
