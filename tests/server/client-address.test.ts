import { createServer, request } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { clientAddress } from '../../server/client-address.ts'

/** The client address that the server determines for a request with this header over a real socket. */
async function seen(trustedProxies: number, forwarded: string | undefined): Promise<string> {
  const app = new Hono().get('/', (c) => c.text(clientAddress(trustedProxies)(c)))
  const listener = getRequestListener(app.fetch)
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bound = server.address()
  const port = typeof bound === 'object' ? bound?.port : undefined
  try {
    return await new Promise((resolve, reject) => {
      const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
      request({ port, host: '127.0.0.1', headers, agent: false }, (answer) => {
        let text = ''
        answer.on('data', (chunk: Buffer) => {
          text += chunk.toString()
        })
        answer.on('end', () => resolve(text))
      })
        .on('error', reject)
        .end()
    })
  } finally {
    server.close()
  }
}

const client = '203.0.113.9'

it.each([
  ['nobody is trusted: what is forwarded may be made up', 0, client, '127.0.0.1'],
  ['one proxy: it names the client', 1, client, client],
  ['one proxy: what the client itself had written is not believed', 1, `10.0.0.1, ${client}`, client],
  ['two proxies', 2, `10.0.0.1, ${client}, 198.51.100.7`, client],
  ['an address of the sixth version', 1, '2001:db8::1', '2001:db8::1'],
  ['a proxy that says nothing', 1, undefined, '127.0.0.1'],
  ['fewer proxies than trusted', 2, client, '127.0.0.1'],
  ['something that is no address', 1, 'unknown', '127.0.0.1'],
])('%s', async (_, trusted, forwarded, address) => {
  expect(await seen(trusted, forwarded)).toBe(address)
})
