import { expect, test } from './fixtures.ts'

test('probe', async ({ harness, page }) => {
  await harness.signIn()
  await harness.isLive()
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(4000)
  for (const cold of [false, true]) {
    if (cold)
      await page.evaluate(async () => {
        for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name!)
      })
    const log: string[] = []
    const t0 = Date.now()
    const on = (r: any) => {
      const u = new URL(r.url())
      log.push(`${Date.now() - t0} ${r.method()} ${u.pathname}${u.search} ${r.resourceType()}`)
    }
    const off = (r: any) => {
      const u = new URL(r.url())
      log.push(`${Date.now() - t0}    FAILED ${u.pathname} ${r.failure()?.errorText}`)
    }
    const fin = (r: any) => {
      const u = new URL(r.url())
      log.push(`${Date.now() - t0}    done ${u.pathname}`)
    }
    page.on('request', on)
    page.on('requestfailed', off)
    page.on('requestfinished', fin)
    if (cold) {
      const c = await page.context().newCDPSession(page)
      await c.send('Network.clearBrowserCache')
    }
    await page.goto('/')
    await expect(harness.list).toBeVisible()
    await harness.isLive()
    await page.waitForTimeout(4000)
    page.off('request', on)
    page.off('requestfailed', off)
    page.off('requestfinished', fin)
    console.log(cold ? 'COLD' : 'WARM')
    console.log(log.join('\n'))
  }
})
