import { once } from 'node:events'
import { createServer as createHttpServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { projectRoot } from '../../scripts/project.ts'

describe('The Vite server of `npm run dev`', () => {
  let server: Server
  let vite: ViteDevServer
  let address: string

  beforeAll(async () => {
    server = createHttpServer((request, response) => response.end(`server: ${request.url}`)).listen(0, 'localhost')
    await once(server, 'listening')
    vi.stubEnv('PORT', String((server.address() as AddressInfo).port))
    vite = await createServer({
      root: projectRoot,
      configFile: 'vite.config.ts',
      logLevel: 'error',
      cacheDir: 'test-results/vite',
      optimizeDeps: { noDiscovery: true },
      server: { port: 0, host: 'localhost', hmr: false, ws: false, watch: null },
    })
    await vite.listen()
    address = vite.resolvedUrls?.local[0] ?? ''
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await vite.close()
    server.close()
  })

  test.each([
    '/api/facebook/stats',
    '/auth/v1/token',
    '/webhooks/meta',
    '/sandbox/media/1',
    '/pictures/an-encrypted-address',
    '/realtime/v1/websocket',
  ])('forwards %s to the server', async (path) => {
    const answer = await fetch(new URL(path, address))
    expect(await answer.text()).toBe(`server: ${path}`)
  })
})
