import type { Locator, Page, Request } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import type { Harness } from './harness.ts'
import { placeOf } from './network.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The text of a row in one line. */
const said = async (rows: Locator) => (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())

const searchIn = (page: Page) => page.getByRole('searchbox', { name: 'Search conversations' })

const pictureOf = (row: Locator) => row.locator('img')

const isDrawn = (picture: Locator) => picture.evaluate((image: HTMLImageElement) => image.naturalWidth > 0)

/** The requests of the list, in order. */
function listRequests(page: Page): URL[] {
  const asked: URL[] = []
  page.on('request', (request: Request) => {
    const url = new URL(request.url())
    if (url.pathname === '/api/facebook/conversations') asked.push(url)
  })
  return asked
}

test('a row shows name, page, relative time and preview, and updates the time', async ({
  api,
  deliver,
  harness,
  createPerson,
  page,
  people,
  multiPagePeople,
  unique,
}) => {
  const now = Date.now()
  const family = unique('Dimasalang').replace(' ', '')
  const pageName = people[0]?.page_names ?? ''
  const stranger = { pageId: people[0]?.page_id ?? '', psid: `9${Date.now()}00` }
  const long = 10 * day
  await createPerson('Ana', family, [{ wrote: 'Kararating ko lang po' }])
  await createPerson('Ben', family, [
    ...Array.from({ length: 9 }, () => ({ wrote: 'Isa pa po', at: now - 6 * minute })),
    { wrote: 'Sampu na po ito', at: now - 5.5 * minute },
  ])
  await createPerson('Carla', family, [
    { wrote: 'Salamat po', at: now - 4 * hour },
    { answered: 'Walang anuman', at: now - 3.5 * hour },
  ])
  const dino = await createPerson('Dino', family, [
    ...Array.from({ length: 9 }, () => ({ wrote: 'Balik po ako', at: now - 2.5 * day })),
  ])
  await createPerson('Ella', family, [{ wrote: 'Matagal na po', at: now - long }])
  await createPerson('Fe', family, [
    { wrote: 'Mali po', mid: `m_${family}` },
    { deleted: true, mid: `m_${family}` },
  ])
  const free = (await api.clients('example')).find((client) => client.fb_user_id == null)
  await api.link(dino.primary_user_id ?? '', free?.id ?? '')
  const linked = (await api.conversations(`search=${family}`)).find(({ client_id }) => client_id != null)
  const pesos = new Intl.NumberFormat('en-PH', { style: 'currency', currency: 'PHP' })
  const due = linked?.outstanding ? `${pesos.format(linked.outstanding / 100)} due , ` : ''
  const multiPagePerson = multiPagePeople[0]
  if (!multiPagePerson) throw new Error('No person of the sandbox writes to several pages')
  const across = unique('Sa ibang page naman')
  const unnamed = unique('Sino po ito')
  await deliver([
    { ...placeOf(multiPagePerson), wrote: across },
    { ...stranger, wrote: unnamed },
  ])

  await page.clock.install()
  await harness.signIn()
  const row = (name: string) => harness.row(`${name} ${family}`)
  await searchIn(page).fill(family)
  const rows = harness.list.getByRole('option')
  const date = new Date(now - long).toLocaleDateString('en-PH', { dateStyle: 'medium', timeZone: 'Asia/Manila' })
  const expected = (ana: string, ben: string, bensWait: string) => [
    `Ana ${family} waits for 1m ${ana} ${pageName} Kararating ko lang po 1 unread`,
    `Ben ${family} waits for ${bensWait} ${ben} ${pageName} Sampu na po ito 9+ unread`,
    `Carla ${family} 3h ago ${pageName} You: Walang anuman 1 unread`,
    `Dino ${family} ${due}Linked waits for 2d 2d ago ${pageName} Balik po ako 9 unread`,
    `Ella ${family} waits for 10d , the reply window is closed ${date} ${pageName} Matagal na po 1 unread`,
    `Fe ${family} No messages`,
  ]
  await expect.poll(() => said(rows)).toEqual(expected('Just now', '5m ago', '6m'))
  await page.clock.fastForward(minute)
  await expect.poll(() => said(rows)).toEqual(expected('1m ago', '6m ago', '7m'))

  await expect.poll(() => isDrawn(pictureOf(row('Ana')))).toBe(true)
  await expect(pictureOf(row('Ana'))).toHaveAttribute('src', /^\/sandbox\/media\/people\//)

  await searchIn(page).fill('')
  await expect(harness.row(across)).toContainText(`${multiPagePerson.page_count} pages`)
  await expect(harness.row(unnamed)).toContainText('Unknown User')
  await expect(pictureOf(harness.row(unnamed))).toHaveAttribute('src', '/avatar.png')
})

const rowHeight = 58
const loadedRows = (harness: Harness) => harness.list.evaluate((list, height) => list.clientHeight / height, rowHeight)
const scrolled = (harness: Harness, fromTheEnd: number) =>
  harness.list.evaluate((list, pixels) => {
    const scroller = list.parentElement as HTMLElement
    scroller.scrollTop = scroller.scrollHeight - scroller.clientHeight - pixels
    return new Promise(requestAnimationFrame)
  }, fromTheEnd)
const placeInList = (harness: Harness) => harness.list.evaluate((list) => list.parentElement?.scrollTop)

test('the list shows its loading state, loads more at its end, and keeps its scroll position on a refresh', async ({
  harness,
  page,
}) => {
  const asked = listRequests(page)
  const held = Promise.withResolvers<void>()
  await page.route(/\/api\/facebook\/conversations\?/, async (route) => {
    await held.promise
    await route.fallback()
  })
  const signingIn = harness.signIn()
  await expect(page.getByText('Loading conversations...')).toBeVisible()
  // High enough that nothing scrolls, so that only the button loads more.
  await page.setViewportSize({ width: 1440, height: 2_000 })
  held.resolve()
  await signingIn
  await expect.poll(() => loadedRows(harness)).toBe(20)
  await page.getByRole('button', { name: 'Load more' }).click()
  await expect.poll(() => loadedRows(harness)).toBe(40)
  await page.setViewportSize({ width: 1440, height: 900 })

  const button = page.getByRole('button', { name: 'Load more' })
  await expect(button).toHaveAttribute('aria-disabled', 'false')
  // Until then the list is fetched again.
  await harness.isLive()
  const before = asked.length
  await scrolled(harness, 51)
  await scrolled(harness, 52)
  expect(asked.length).toBe(before)
  await scrolled(harness, 50)
  await expect.poll(() => loadedRows(harness)).toBe(60)
  expect(asked.length).toBe(before + 1)
  expect(await harness.list.getByRole('option').count()).toBeLessThan(30)

  await scrolled(harness, 1_000)
  const row = harness.list.getByRole('option').nth(8)
  const id = await row.getAttribute('id')
  await row.click()
  await expect(harness.thread.getByRole('heading', { level: 2 })).toBeVisible()
  const place = await placeInList(harness)
  const address = page.url()
  const refreshed = page.waitForResponse(/\/api\/facebook\/conversations\?/)
  await page.getByRole('button', { name: 'Refresh conversations' }).click()
  await refreshed
  await expect(page.getByRole('button', { name: 'Refresh conversations' })).toHaveAttribute('aria-busy', 'false')
  expect([await placeInList(harness), page.url()]).toEqual([place, address])
  expect(await loadedRows(harness)).toBeGreaterThanOrEqual(60)
  await expect(harness.list.getByRole('option', { selected: true })).toHaveAttribute('id', id ?? '')
})

test('the messages that a press on a row asked for are shown after the click, without asking again', async ({
  createPerson,
  harness,
  page,
  sandbox,
  unique,
}) => {
  const [first, between] = [unique('Magkano po'), unique('Nandyan ba kayo')]
  const person = await createPerson('Pia', unique('Given').replace(' ', ''), [{ wrote: first }])
  await harness.signIn()
  await harness.isLive()
  let asked = 0
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(/\/conversations\/[^/]+\/messages\?/, async (route) => {
    asked += 1
    await answered
    await route.fallback()
  })
  await harness.row(first).hover()
  await page.mouse.down()
  await page.mouse.up()
  await sandbox.write(person.psid, between)
  await expect(harness.row(between)).toBeVisible()
  answer()
  for (const text of [first, between]) await expect(harness.bubbles(text)).toBeVisible()
  expect(asked).toBe(1)
})
