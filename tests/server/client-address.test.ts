import { createServer, request } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { sourceOf } from '../../server/api/authentication.ts'
import { clientAddress, networkOf, unknownAddress } from '../../server/client-address.ts'

/** The client address that the server determines for a request with this header over a real socket. */
async function addressSeen(trustedProxies: number, forwarded: string | undefined): Promise<string> {
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
  ['ignores the header without a trusted proxy', 0, client, '127.0.0.1'],
  ['takes the address from one trusted proxy', 1, client, client],
  ['ignores an address that the client itself sent', 1, `10.0.0.1, ${client}`, client],
  ['skips the address of the second trusted proxy', 2, `10.0.0.1, ${client}, 198.51.100.7`, client],
  ['takes an IPv6 address', 1, '2001:db8::1', '2001:db8::1'],
  ['takes the socket address without the header', 1, undefined, '127.0.0.1'],
  ['takes the socket address when fewer proxies than trusted forwarded the request', 2, client, '127.0.0.1'],
  ['takes the socket address for an invalid header', 1, 'unknown', '127.0.0.1'],
])('%s', async (_, trusted, forwarded, address) => {
  expect(await addressSeen(trusted, forwarded)).toBe(address)
})

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['2001:db8:12:34:5:6:7:8', '2001:db8:12:34::/64'],
  ['2001:0DB8:0012:0034::1', '2001:db8:12:34::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
])('counts %s as the address %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

it('a request whose connection was closed meanwhile has no address in the audit log', async () => {
  const addresses = [unknownAddress, client]
  const app = new Hono().get('/', (c) => c.json(addresses.map((address) => sourceOf(c, () => address))))
  expect(await (await app.request('/')).json()).toEqual([
    { address: null, userAgent: null },
    { address: client, userAgent: null },
  ])
})
