import { expect, test } from './fixtures.ts'
import type { Harness } from './harness.ts'
import { isAccessible, screenshot } from './look.ts'

const minute = 60_000

const paletteOf = ({ page }: Harness) => page.getByRole('dialog', { name: 'Find people and actions' })
const aroundOf = ({ thread }: Harness) =>
  thread.getByRole('region', { name: 'Messages around the message that you found' })
test('the search finds an old message by keyboard, opens it, pages both ways and goes back to the newest', async ({
  harness,
  createPerson,
  deliver,
  page,
  unique,
}) => {
  const now = Date.now()
  const [, token = ''] = unique('x').split(' ')
  const found = `Señora, may ${token}hanap pa po ba kayong tuyo?`
  const person = await createPerson(
    'Hanna',
    unique('Hanapin').replace(' ', ''),
    Array.from({ length: 180 }, (_, n) => ({
      wrote: n === 60 ? found : `mensahe ${token} bilang ${n}n`,
      at: now - (200 - n) * minute,
    })),
  )
  const reads: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/mark-read')) reads.push(request.url())
  })
  await harness.signIn()
  await harness.isLive()

  await page.keyboard.press('Control+k')
  await expect(paletteOf(harness).getByRole('combobox')).toBeFocused()
  await page.keyboard.type(`SENORA ${token}han`)
  const messages = paletteOf(harness).getByRole('group', { name: 'Messages' })
  await expect(messages.getByRole('option')).toHaveText([/Señora, may/])
  await expect(messages.locator('mark')).toHaveText(['Señora', `${token}han`])
  await isAccessible(page)
  await screenshot(page, 'search-palette')
  await page.keyboard.press('Enter')

  const around = aroundOf(harness)
  await expect(around.locator('[data-found]')).toContainText(found)
  await expect(around.locator('[data-found]')).toBeInViewport()
  await expect(around).toBeFocused()
  await isAccessible(page)
  await screenshot(page, 'search-around')

  // What arrives meanwhile is not shown below messages that it does not follow, and nothing counts as read.
  await deliver([{ pageId: person.pageId, psid: person.psid, wrote: `bago ${token}`, at: now }])
  const toNewest = harness.thread.getByRole('button', { name: /^Go to newest/ })
  await expect(toNewest).toHaveText('Go to newest (1 new)')
  expect([await around.getByText(`bago ${token}`).count(), reads]).toEqual([0, []])

  // The keyboard pages to the beginning, and on to the newest message.
  await expect(async () => {
    await around.press('Home')
    await expect(around.getByText(`mensahe ${token} bilang 0n`)).toBeVisible({ timeout: 500 })
  }).toPass()
  const seen: number[] = []
  const read = async () => {
    for (const [, number] of (await around.innerText()).matchAll(/bilang (\d+)n/g))
      if (!seen.includes(Number(number))) seen.push(Number(number))
  }
  await expect(async () => {
    await around.press('PageDown')
    await read()
    await expect(around.getByText(`bago ${token}`)).toBeInViewport({ timeout: 100 })
  }).toPass({ intervals: [50], timeout: 40_000 })
  await read()
  expect(seen).toEqual(Array.from({ length: 180 }, (_, n) => n).filter((n) => n !== 60))
  await around.press('End')
  await expect(toNewest).toBeHidden()
  await expect.poll(() => reads.length).toBe(1)

  // The same message again, then back by the button.
  await page.keyboard.press('Control+k')
  await expect(paletteOf(harness).getByRole('combobox')).toBeFocused()
  await page.keyboard.type(`${token}hanap`)
  await expect(paletteOf(harness).getByRole('group', { name: 'Messages' }).getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(around.locator('[data-found]')).toBeInViewport()
  await toNewest.focus()
  await page.keyboard.press('Enter')
  await expect(around).toBeHidden()
  await expect(harness.thread.getByRole('region', { name: 'Messages' }).getByText(`bago ${token}`)).toBeInViewport()
})

test('a short conversation that the search opens is seen to its end at once, and a found client opens with its page', async ({
  harness,
  createPerson,
  linkedPerson,
  page,
  unique,
}) => {
  const [, token = ''] = unique('x').split(' ')
  await createPerson(
    'Ikling',
    unique('Usapan').replace(' ', ''),
    ['una', 'gitna', 'huli'].map((word, n) => ({ wrote: `${word}${token}`, at: Date.now() - (10 - n) * minute })),
  )
  await harness.signIn()
  await harness.isLive()
  await page.keyboard.press('Control+k')
  await expect(paletteOf(harness).getByRole('combobox')).toBeFocused()
  await page.keyboard.type(`gitna${token}`)
  await expect(paletteOf(harness).getByRole('group', { name: 'Messages' }).getByRole('option')).toHaveCount(1)
  const isRead = page.waitForRequest((request) => request.url().endsWith('/mark-read'))
  await page.keyboard.press('Enter')

  const around = aroundOf(harness)
  await expect(around.locator('[data-found]')).toBeInViewport()
  for (const word of ['una', 'huli']) await expect(around.getByText(`${word}${token}`)).toBeInViewport()
  await isRead
  await expect(harness.thread.getByRole('button', { name: /^Go to newest/ })).toBeHidden()

  const name = `${linkedPerson.client_first_name} ${linkedPerson.client_last_name}`
  await page.keyboard.press('Control+k')
  await expect(paletteOf(harness).getByRole('combobox')).toBeFocused()
  await page.keyboard.type(name)
  const hit = paletteOf(harness).getByRole('group', { name: 'Clients' }).getByRole('option', { name }).first()
  await expect(hit.locator('mark').first()).toHaveText(linkedPerson.client_first_name ?? '')
  const opened = page.context().waitForEvent('page')
  await hit.click()
  expect(new URL((await opened).url()).pathname).toMatch(/^\/clients\/.+/)
  await expect(paletteOf(harness)).toBeHidden()
})
