import type { BrowserContext, Page } from '@playwright/test'
import { type PushService, startPushService } from '../server/push/push-service.ts'
import { test as base, expect } from './fixtures.ts'
import { look } from './look.ts'
import { createServer, type TestServer } from './server.ts'

type OfWorker = { pushService: PushService; server: TestServer }

/** A server that knows a push service on this machine. */
const test = base.extend<object, OfWorker>({
  pushService: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright demands a pattern.
    async ({}, use) => {
      const service = await startPushService()
      await use(service)
      await service.close()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ database, pushService }, use) => {
      const server = await createServer(database, { PUSH_ORIGINS: pushService.origin })
      try {
        await server.start()
        await use(server)
      } finally {
        await server.dispose()
      }
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

declare global {
  interface Window {
    isSubscribed: boolean
    hide: (isHidden: boolean) => void
  }
}

/**
 * Chromium without a screen shows no notifications and knows no push service. So the pages allow notifications, and
 * subscribe to the push service of the test. The service worker is the real one.
 */
async function allowPush(context: BrowserContext, service: PushService, name: string): Promise<void> {
  await context.addInitScript((subscription) => {
    class Allowed extends window.Notification {
      static override get permission(): NotificationPermission {
        return 'granted'
      }
      static override requestPermission = async (): Promise<NotificationPermission> => 'granted'
    }
    window.Notification = Allowed
    const stored = 'test-subscribed'
    const keyOf = () => Uint8Array.from(JSON.parse(localStorage.getItem(stored) ?? '[]')).buffer
    const subscribed = () => ({
      options: { applicationServerKey: keyOf() },
      toJSON: () => subscription,
      unsubscribe: async () => {
        localStorage.removeItem(stored)
        return true
      },
    })
    Object.assign(PushManager.prototype, {
      getSubscription: async () => (localStorage.getItem(stored) === null ? null : subscribed()),
      subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
        localStorage.setItem(stored, JSON.stringify([...applicationServerKey]))
        return subscribed()
      },
    })
    let isHidden = false
    Object.defineProperty(document, 'hidden', { get: () => isHidden })
    Object.defineProperty(document, 'visibilityState', { get: () => (isHidden ? 'hidden' : 'visible') })
    window.hide = (hides) => {
      isHidden = hides
      document.dispatchEvent(new Event('visibilitychange'))
    }
  }, service.subscribe(name))
}

const deviceOf = (page: Page) => page.getByRole('group', { name: 'This device while the inbox is closed' })

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('button', { name: 'Notifications', exact: true }).click()
}

test('the dialog offers this device, and has no accessibility violation', async ({
  context,
  harness,
  page,
  pushService,
  unique,
}) => {
  await allowPush(context, pushService, unique('browser'))
  await harness.signIn()
  await harness.isLive()
  await openDialog(page)
  await expect(deviceOf(page).getByRole('button', { name: 'Notify this device' })).toBeVisible()
  await look(page, 'web-push')
})

test('the service worker and the manifest are served for an installed page', async ({ page, server }) => {
  const worker = await fetch(`${server.url}/sw.js`)
  expect([worker.status, worker.headers.get('content-type'), worker.headers.get('cache-control')]).toEqual([
    200,
    expect.stringContaining('text/javascript'),
    'no-cache',
  ])
  expect(await worker.text()).not.toMatch(/\bimport\b|caches\.open|addEventListener\(.fetch/)
  const manifest = await fetch(`${server.url}/manifest.webmanifest`)
  expect(manifest.headers.get('content-type')).toContain('application/manifest+json')
  const { name, start_url, display, icons } = await manifest.json()
  expect({ name, start_url, display }).toEqual({ name: 'Staff Inbox', start_url: '/', display: 'standalone' })
  for (const { src, sizes, type } of icons) {
    const icon = await fetch(`${server.url}${src}`)
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, expect.stringContaining(type)])
    if (type !== 'image/png') continue
    const bytes = Buffer.from(await icon.arrayBuffer())
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes)
  }
  await page.goto('/login')
  const session = await page.context().newCDPSession(page)
  expect((await session.send('Page.getAppManifest')).errors).toEqual([])
})
