import type { BrowserContext, Page } from '@playwright/test'
import { type PushService, startPushService } from '../server/push/push-service.ts'
import { test as base, expect, runServer, serverTimeout } from './fixtures.ts'
import { look } from './look.ts'
import { psidOf } from './network.ts'
import type { TestServer } from './server.ts'

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
    ({ database, pushService }, use) => runServer(database, use, { PUSH_ORIGINS: pushService.origin }),
    { scope: 'worker', timeout: serverTimeout },
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

/** Delivers a message to the service worker as the push service would, and returns the notification that it shows. */
async function deliver(context: BrowserContext, page: Page, content: unknown) {
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('no service worker runs')
  await worker.evaluate(() => {
    const scope = self as unknown as { registration: ServiceWorkerRegistration; shown: unknown[] }
    scope.shown = []
    scope.registration.showNotification = async (title, options) => {
      scope.shown.push({ title, body: options?.body, tag: options?.tag, data: options?.data })
    }
  })
  const session = await context.newCDPSession(page)
  const registrationId = await new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations
      if (registration !== undefined) resolve(registration.registrationId)
    })
    void session.send('ServiceWorker.enable')
  })
  const { origin } = new URL(page.url())
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(content) })
  const shown = () => worker.evaluate(() => (self as unknown as { shown: { data: unknown }[] }).shown)
  await expect.poll(async () => (await shown()).length).toBe(1)
  return { worker, notification: (await shown())[0] }
}

test('a person whose inbox is hidden is notified, a click opens the conversation, and a sign-out ends it', async ({
  api,
  context,
  createPerson,
  harness,
  page,
  pushService,
  sandbox,
  unique,
}) => {
  await allowPush(context, pushService, unique('browser'))
  const familyName = unique('Push').replace(' ', '')
  const person = await createPerson('Wena', familyName, [{ wrote: 'Magkano po?' }])
  await harness.signIn()
  await harness.isLive()
  await openDialog(page)
  await expect(deviceOf(page).getByRole('button', { name: 'Notify this device' })).toBeVisible()
  await look(page, 'web-push')
  await deviceOf(page).getByRole('button', { name: 'Notify this device' }).click()
  await expect(deviceOf(page).getByText(/^This device is notified/)).toBeVisible()
  await page.keyboard.press('Escape')

  // The person sees the tab: nothing is sent.
  await sandbox.write(psidOf(person), unique('Hello po'))
  await expect(harness.row(person.unified_name ?? '')).toContainText('Hello po')
  expect(pushService.received).toEqual([])

  await page.evaluate(() => window.hide(true))
  await sandbox.write(psidOf(person), unique('Available po ba?'))
  await expect.poll(() => pushService.received.length, { timeout: 20_000 }).toBe(1)
  const { content } = pushService.received[0] ?? {}
  const id = person.primary_user_id
  expect(content).toEqual({ title: expect.stringMatching(/\S/), body: 'New message', conversationId: id })
  expect(JSON.stringify(content)).not.toContain('Wena')

  const { worker, notification } = await deliver(context, page, content)
  expect(notification).toEqual({
    title: (content as { title: string }).title,
    body: 'New message',
    tag: id,
    data: { conversationId: id },
  })
  await worker.evaluate((shown) => {
    const event = Object.assign(new Event('notificationclick'), {
      notification: { data: (shown as { data: unknown }).data, close: () => {} },
      waitUntil: () => {},
    })
    self.dispatchEvent(event)
  }, notification)
  await expect(harness.thread.getByRole('heading', { name: person.unified_name ?? '' })).toBeVisible()

  // The next start tells the server the subscription again.
  await page.reload()
  await harness.isLive()
  await openDialog(page)
  await expect(deviceOf(page).getByRole('button', { name: 'Stop notifying this device' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('test-subscribed'))).toBeNull()
  expect(await page.evaluate(() => localStorage.getItem('staff-inbox:push-owner'))).toBeNull()
  await sandbox.write(psidOf(person), unique('Salamat po'))
  await expect
    .poll(async () => (await api.conversations(`search=${familyName}`))[0]?.last_message_text)
    .toContain('Salamat po')
  expect(pushService.received).toHaveLength(1)
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
