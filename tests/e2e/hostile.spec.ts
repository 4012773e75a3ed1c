import type { Page } from '@playwright/test'
import { clientNameOf } from '../../src/domain/client-linking.ts'
import { nameOf, previewOf } from '../../src/domain/conversation-text.ts'
import { queryIn } from '../../src/domain/list-query.ts'
import { businessDay } from '../../src/domain/moments.ts'
import { safeName } from '../../src/domain/shown-text.ts'
import { expect, test } from './fixtures.ts'
import { setAlarm } from './hostile/alarm.ts'
import { hostileStrings } from './hostile/strings.ts'
import { hostileWorld, inThirds } from './hostile/world.ts'

/** So that no list has to be scrolled. */
const tall = { width: 1440, height: 30_000 }
const usual = { width: 1440, height: 900 }
const groups = 3

const size = Math.ceil(hostileStrings.length / groups)
const places = new Set<string>()

const textsOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((elements) => elements.map(({ textContent }) => textContent))

const without = (texts: readonly (string | null)[], others: readonly (string | null)[]) =>
  texts.filter((text) => !others.includes(text)).slice(0, 5)

/** That a place holds these texts, to the letter, and no other. */
async function shows(page: Page, place: string, selector: string, expected: readonly string[]) {
  const differing = async () => {
    const shown = await textsOf(page, selector)
    return { place, missing: without(expected, shown), unexpected: without(shown, expected) }
  }
  await expect.poll(differing, { timeout: 8_000 }).toEqual({ place, missing: [], unexpected: [] })
  places.add(place)
}

/** Goes to one address after the other, as a click on a link would, and gives those that did not come to show their text. */
const walk = (page: Page, stops: readonly { address: string; selector: string; text: string }[]) =>
  page.evaluate(async (all) => {
    const textAt = (selector: string): string => {
      const element = document.querySelector(selector)
      return (element instanceof HTMLInputElement ? element.value : element?.textContent) ?? ''
    }
    const missed: unknown[] = []
    for (const { address, selector, text } of all) {
      history.pushState(null, '', address)
      dispatchEvent(new PopStateEvent('popstate'))
      const end = performance.now() + 3_000
      while (textAt(selector) !== text && performance.now() < end) await new Promise(requestAnimationFrame)
      if (textAt(selector) !== text) missed.push({ address, text, shown: textAt(selector) })
    }
    return missed
  }, stops)

test.describe.configure({ timeout: 120_000 })
test.use({ viewport: tall, trace: 'off' })

for (let group = 0; group < groups; group += 1)
  test(`what strangers write is text and nothing else: strings ${group * size + 1} to ${Math.min((group + 1) * size, hostileStrings.length)}`, async ({
    desk,
    page,
    server,
  }) => {
    const strings = hostileStrings.slice(group * size, (group + 1) * size)
    const { rows, stranger, moment, answerIn } = hostileWorld(strings)
    const heard = await setAlarm(page, server.url)
    await desk.signIn('administrator')
    await answerIn(page)
    const names = strings.map((text) => safeName(text))

    await page.goto('/c0')
    const option = '[role="option"]'
    await shows(page, 'name in the list', `${option} bdi`, rows.map(nameOf))
    await shows(page, 'page name in the list', `${option} span.truncate:not([dir])`, names)
    await shows(page, 'preview', `${option} span.truncate[dir]`, rows.map(previewOf))
    await shows(page, 'bubble', 'article p[dir="auto"]', strings)
    places.add('picture of a person')

    const go = (address: string) =>
      page.evaluate((to) => {
        history.pushState(null, '', to)
        dispatchEvent(new PopStateEvent('popstate'))
      }, address)
    await go('/c1')
    const linked = strings.map((text) => `https://example.com/${text} and https://${text}`)
    await shows(page, 'link in a bubble', 'article p[dir="auto"]', linked)

    for (const [index, third] of inThirds(names).entries()) {
      await go(`/c${index + 2}`)
      const expected = third.map((name) => name || 'File')
      await shows(page, 'name of a file', 'article a[href$="/avatar.png"] bdi', expected)
    }
    for (const place of ['picture, video, audio and file of a message', 'via']) places.add(place)

    await page.setViewportSize(usual)

    expect(
      await walk(
        page,
        rows.map((row) => ({ address: `/${row.primary_user_id}`, selector: 'main h2', text: nameOf(row) })),
      ),
    ).toEqual([])
    for (const place of ['header of the thread', 'details sidebar', 'recent orders']) places.add(place)

    expect(
      await walk(
        page,
        strings.map((text) => {
          // A field of one line has no line breaks.
          const search = `?${new URLSearchParams({ q: text.toWellFormed() })}`
          return {
            address: `/${search}`,
            selector: 'input[type="search"]',
            text: queryIn(search).search.replace(/[\r\n]/g, ''),
          }
        }),
      ),
    ).toEqual([])
    places.add('search box from the URL')

    await go('/')
    await page.getByRole('button', { name: 'Sync recent' }).click()
    const reasons = strings.map((text) => `${text}: ${text}`).join(' ')
    await shows(page, 'reason in a toast', '[data-sonner-toast][data-type="error"] [data-title]', [
      `Failed to sync recent messages: ${reasons}`,
    ])

    await page.getByRole('button', { name: 'Manage FAQ' }).click()
    const entry = '[aria-label="FAQs"] > li'
    const categories = names.map((name) => name || 'Uncategorized')
    const by = names.map((name) => `Created by ${name || 'Unknown'} on ${businessDay(moment)}`)
    await shows(
      page,
      'FAQ: title',
      `${entry} h3`,
      names.map((name) => name || 'Untitled'),
    )
    await shows(page, 'FAQ: category', `${entry} h3 + p > span:first-child`, categories)
    await shows(page, 'FAQ: keyword', `${entry} [aria-label="Keywords"] bdi`, strings)
    await shows(page, 'FAQ: response', `${entry} > p[dir="auto"]`, strings)
    await shows(page, 'FAQ: who wrote it', `${entry} > p:last-child`, by)
    await shows(page, 'FAQ: filter of categories', '[aria-label="Category"] option:not([value=""])', names)
    await page.getByLabel('Message to test').fill('a message')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    const match = '[role="status"] ol > li'
    await shows(page, 'FAQ test: message', '[role="status"] > p > bdi', strings.slice(0, 1))
    await shows(page, 'FAQ test: title', `${match} span[dir="auto"]`, names)
    await shows(
      page,
      'FAQ test: category',
      `${match} > p:nth-of-type(1)`,
      categories.map((name) => `${name} · Priority 0`),
    )
    await shows(page, 'FAQ test: keyword', `${match} bdi`, strings)
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Manage pages' }).click()
    const listed = '[role="dialog"] [aria-label="Pages"] > li'
    await shows(
      page,
      'page manager: name',
      `${listed} bdi`,
      names.map((name, index) => name || `p${index}`),
    )
    await shows(
      page,
      'page manager: username and category',
      `${listed} p + p`,
      names.map((name) => `${name ? `@${name}` : 'N/A'} · ${name || 'No category'}`),
    )
    places.add('page manager: picture')
    await page.keyboard.press('Escape')

    await go(`/${stranger}`)
    await page.getByRole('button', { name: 'Link to Client' }).click()
    await page.getByLabel('Search clients').fill('maria')
    const found = '[role="dialog"] fieldset label'
    await shows(
      page,
      'client search: name',
      `${found} bdi.block`,
      names.map((name) => name || 'Unnamed client'),
    )
    await shows(
      page,
      'client search: e-mail, phone and company',
      `${found} [id$="-facts"]`,
      names.map((name) => [name, name, name].filter(Boolean).join(' · ')),
    )
    await page.keyboard.press('Escape')

    expect(
      await walk(
        page,
        strings.map((text, index) => ({
          address: `/clients/k${index}`,
          selector: 'title',
          text: clientNameOf({ first_name: text, last_name: null }) || 'Unnamed client',
        })),
      ),
    ).toEqual([])
    for (const place of [
      'document title',
      'client: name, e-mail, phone, company, class',
      'order',
      'payment',
      'linked chat',
    ])
      places.add(place)

    expect(heard).toEqual([])
  })

test.afterAll(() => {
  // biome-ignore lint/suspicious/noConsole: how much was tried is what whoever runs it wants to know
  console.log(`${hostileStrings.length} hostile strings × ${places.size} places: ${[...places].join('; ')}`)
})
