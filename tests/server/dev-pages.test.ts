import { once } from 'node:events'
import { createServer as createHttpServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { projectRoot } from '../../scripts/project.ts'

describe('the pages of `npm run dev`', () => {
  let server: Server
  let pages: ViteDevServer
  let address: string

  beforeAll(async () => {
    server = createHttpServer((request, response) => response.end(`server: ${request.url}`)).listen(0, 'localhost')
    await once(server, 'listening')
    vi.stubEnv('PORT', String((server.address() as AddressInfo).port))
    pages = await createServer({
      root: projectRoot,
      configFile: 'vite.config.ts',
      logLevel: 'error',
      cacheDir: 'test-results/vite',
      optimizeDeps: { noDiscovery: true },
      server: { port: 0, host: 'localhost', hmr: false, ws: false, watch: null },
    })
    await pages.listen()
    address = pages.resolvedUrls?.local[0] ?? ''
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await pages.close()
    server.close()
  })

  test.each([
    '/api/facebook/stats',
    '/auth/v1/token',
    '/webhooks/meta',
    '/sandbox/media/1',
    '/pictures/a-sealed-address',
    '/realtime/v1/websocket',
  ])('pass %s to the server', async (path) => {
    const answer = await fetch(new URL(path, address))
    expect(await answer.text()).toBe(`server: ${path}`)
  })
})
