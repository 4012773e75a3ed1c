import { setTimeout as delay } from 'node:timers/promises'
import type { Request } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** Requests by path, without the scripts and pictures that are loaded after the first rows. */
const isOfStart = (path: string) => !path.startsWith('/assets/') && !path.startsWith('/sandbox/media/')

const withoutId = (path: string) => path.replace(/\/[\da-f]{8}-[\da-f-]{27}/, '/ID')
/** A conversation that another test moved off the first result page meanwhile is checked for deletion. */
const isNotCheck = (path: string) => path !== '/api/facebook/conversations/ID/messages'
const requestsOfStart = [
  '/',
  '/api/auth/supabase-login',
  '/api/comments/count',
  '/api/facebook/auto-sync/status',
  '/api/facebook/conversations',
  '/api/facebook/drafts',
  '/api/facebook/notification-settings',
  '/api/facebook/pages',
  '/api/facebook/push/tabs/ID',
  '/api/facebook/saved-filters',
  '/api/facebook/stats',
  '/api/facebook/team',
  '/api/labels',
  '/icon.svg',
]

for (const start of ['warm', 'cold'] as const) {
  test(`a ${start} start asks for nothing more often than needed, and aborts no list`, async ({ harness, page }) => {
    await harness.signIn()
    await harness.isLive()
    await page.waitForLoadState('networkidle')
    if (start === 'cold') {
      const session = await page.context().newCDPSession(page)
      await session.send('Network.clearBrowserCache')
      await session.send('Storage.clearDataForOrigin', {
        origin: new URL(page.url()).origin,
        storageTypes: 'indexeddb',
      })
    }
    // A change that realtime tells meanwhile is a reason to ask again.
    let changes = 0
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).includes('"postgres_changes",{')) changes += 1
      }),
    )
    const pathOf = (request: Request) => new URL(request.url()).pathname
    const requests: Request[] = []
    const aborted: string[] = []
    page.on('request', (request) => requests.push(request))
    // The page before may leave a request, which the start aborts.
    page.on('requestfailed', (request) => requests.includes(request) && aborted.push(pathOf(request)))
    await page.goto('/')
    await expect(harness.list).toBeVisible()
    await harness.isLive()
    // The counts are asked for once more, 1 s after the channels are ready.
    await delay(2_000)
    await page.waitForLoadState('networkidle')
    const asked = requests.map(pathOf)
    const counts = new Map<string, number>()
    for (const path of asked.filter(isOfStart)) counts.set(path, (counts.get(path) ?? 0) + 1)
    // Until both channels are ready, a change may be missed: list, counts and drafts are asked for again.
    const allowed = new Map([
      ['/api/facebook/conversations', 2 + changes],
      ['/api/facebook/stats', 2 + changes],
      // Also when the tab is shown.
      ['/api/facebook/drafts', 3],
    ])
    const excessive = [...counts].filter(([path, count]) => count > (allowed.get(path) ?? 1))
    expect(excessive).toEqual([])
    expect(aborted).toEqual([])
    const paths = [...counts.keys()].map(withoutId).filter(isNotCheck)
    expect(requestsOfStart.filter((path) => !paths.includes(path))).toEqual([])
    const others = paths.filter((path) => !requestsOfStart.includes(path))
    expect(others.length, others.join()).toBeLessThanOrEqual(changes)
    // The inbox's code is requested before the entry has run: nothing of the API was asked for yet.
    const isApi = (path: string) => path.startsWith('/api/')
    const before = asked.slice(0, asked.findIndex(isApi))
    expect(before.filter((path) => /\/inbox-.*\.js$/.test(path))).toHaveLength(1)
  })
}
