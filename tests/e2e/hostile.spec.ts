import type { Page } from '@playwright/test'
import { queryIn } from '../../src/domain/list/list-query.ts'
import { expect, test } from './fixtures.ts'
import { type Harness, inAll } from './harness.ts'
import { recordViolations } from './hostile/alarm.ts'
import { asName, asSentence, namesByHand, openable } from './hostile/judgement.ts'
import { placesTried, readPlaces, type Stop, shows, walk } from './hostile/places.ts'
import { hostileSample, hostileStrings } from './hostile/strings.ts'
import { asOne, hostileWorld, inParts, joinedNames, pictureOf } from './hostile/world.ts'
import { RealtimeProxy } from './realtime-proxy.ts'
import type { TestServer } from './server.ts'

/** High enough to render every list without scrolling. */
const tall = { width: 1440, height: 30_000 }
const usual = { width: 1440, height: 900 }

/** The date of all data, as shown in Manila. */
const day = 'Jan 5, 2026'

const withoutLineBreaks = (text: string) => text.replace(/[\r\n]/g, '')
const addressOf = (text: string) => new URL(pictureOf(text)).href

const go = (page: Page, address: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, `${address}${inAll}`)

/** Signs in and answers with the data of this world from then on. Returns the violations found until then and later. */
async function signInTo(
  { nameIn, answerIn }: Pick<ReturnType<typeof hostileWorld>, 'nameIn' | 'answerIn'>,
  { harness, page, server }: { harness: Harness; page: Page; server: TestServer },
): Promise<string[]> {
  const violations = await recordViolations(page, server.url)
  await readPlaces(page)
  await nameIn(page)
  await harness.signIn('administrator')
  await answerIn(page)
  return violations
}

/** The name shown for the page of each string; a page without a name is shown by its id. */
const pageNamesOf = (names: readonly string[]) => (index: number) => names[index] || `p${index}`

// These are by far the longest tests, so both workers share them.
test.describe.configure({ mode: 'parallel', timeout: 240_000 })
test.use({ viewport: tall })

test('asName agrees with expectations written by hand', () => {
  expect([...namesByHand.keys(), ...openable.keys()].filter((text) => !hostileStrings.includes(text))).toEqual([])
  expect([...namesByHand.keys()].map(asName)).toEqual([...namesByHand.values()])
})

test('strings of people are shown as text only: places that show many at a time', async ({ harness, page, server }) => {
  const strings = hostileSample
  const { all, moment, numbers, threads, unlinked, acceptTokens, ...world } = hostileWorld(strings)
  const realtime = await RealtimeProxy.install(page)
  const violations = await signInTo(world, { harness, page, server })
  const names = strings.map(asName)
  const allInName = asName(all)
  const allInSentence = asSentence(all)
  const named = (otherwise: string) => names.map((name) => name || otherwise)
  const next = <Item>(items: readonly Item[], index: number): Item | undefined => items[(index + 1) % items.length]
  const pageNameOf = pageNamesOf(names)

  await page.goto(`/${threads.texts}${inAll}`)
  const option = '[role="option"]'
  // The name of the page has a title.
  const nameInList = `${option} bdi.truncate:not([title] > *)`
  await shows(page, {
    'account menu: button': { selector: 'button > .sr-only', texts: [`Account: ${allInName}`] },
    'account menu: name': { selector: '[popover] > p.font-semibold', texts: [allInName] },
    'name in the list': {
      selector: nameInList,
      texts: [...named('Unknown User'), allInName],
    },
    'page name in the list': {
      selector: `${option} [title] > bdi`,
      texts: [...names, allInName],
    },
    'preview in the list': {
      selector: `${option} span.truncate[dir]`,
      texts: [...strings.map((text) => asSentence(text.trim())), asSentence(all.trim())],
    },
    'picture of a person': {
      selector: `${option} img`,
      attribute: 'src',
      texts: strings.map(addressOf),
    },
    'filter of pages': { selector: '[aria-label="Page"] option:not([value=""])', texts: [...names, allInName] },
    bubble: { selector: 'article p[dir="auto"]', texts: strings },
  })

  await go(page, `/${threads.links}`)
  await shows(page, {
    'link in a bubble': {
      selector: 'article p[dir="auto"]',
      texts: strings.map((text) => `https://example.com/${text} and https://${text}`),
    },
  })

  for (const [index, part] of inParts(strings).entries()) {
    await go(page, `/${threads.attachments(index)}`)
    const partNames = part.map(asName)
    const addresses = part.map(addressOf)
    const labels = (otherwise: string) => partNames.map((name) => name || otherwise)
    const file = 'article a[download]'
    await shows(page, {
      'picture of a message': { selector: 'article img', attribute: 'src', texts: addresses },
      'name of a picture': { selector: 'article img', attribute: 'alt', texts: labels('Picture') },
      'video of a message': { selector: 'article video', attribute: 'src', texts: addresses },
      'name of a video': { selector: 'article video', attribute: 'aria-label', texts: labels('Video') },
      'audio of a message': { selector: 'article audio', attribute: 'src', texts: addresses },
      'name of an audio': { selector: 'article audio', attribute: 'aria-label', texts: labels('Audio') },
      'file of a message': {
        selector: file,
        attribute: 'href',
        texts: part.flatMap((text) => [openable.get(text) ?? [], addressOf(text)].flat()),
      },
      'name of a file': {
        selector: `${file} bdi`,
        texts: part.flatMap((text) => Array(openable.has(text) ? 2 : 1).fill(asName(text) || 'File')),
      },
      via: { selector: 'article time ~ span bdi', texts: partNames },
    })
  }

  await harness.isLive()
  const now = Date.now()
  const written = (id: string, index: number, text: string, after: number) => ({
    message_id: id,
    fb_user_id: `u${index}`,
    primary_user_id: `c${index}`,
    page_id: 'p0',
    direction: 'incoming',
    message_text: text,
    created_at: new Date(now + after).toISOString(),
  })
  const quiet = strings.length - 1
  await go(page, `/c${quiet}`)
  realtime.sendChange('messages', 'INSERT', written('news', strings.length, all, 0))
  await shows(page, {
    'toast of a new message': {
      selector: '[data-sonner-toast][data-type="info"] [data-title]',
      texts: [`New message from ${allInName}`],
    },
  })
  for (const [index, text] of numbers.entries())
    realtime.sendChange('messages', 'INSERT', written(`n${index}`, quiet, text, index))
  await shows(page, { 'bubble, by realtime': { selector: 'article p[dir="auto"]', texts: numbers } })
  realtime.sendChange('messages', 'INSERT', written('last', quiet, all, numbers.length))
  await shows(page, {
    'announcer of new messages': {
      selector: '[aria-label="Thread"] p[aria-live="polite"]',
      texts: [`${names[quiet] || 'Unknown User'}: ${allInSentence.trim()}`],
    },
  })
  for (const index of strings.keys())
    realtime.sendChange('fb_users', 'UPDATE', { id: `u${index}`, name: next(strings, index) })
  const renamed = strings.map((_, index) => next(names, index) || 'Unknown User')
  await expect
    .poll(async () => (await page.evaluate((at) => window.textsAt(at), nameInList)).toSorted())
    .toEqual([...renamed, allInName].map((name) => JSON.stringify(name)).toSorted())

  await page.setViewportSize(usual)
  await page.goto(`/${inAll}`)
  await page.getByRole('button', { name: 'Sync recent' }).click()
  await shows(page, {
    'toast: reason': {
      selector: '[data-sonner-toast][data-type="error"] [data-title]',
      texts: [`Failed to sync recent messages: ${asSentence(strings.map((text) => `${text}: ${text}`).join(' '))}`],
    },
  })

  await page.getByRole('button', { name: 'Sync', exact: true }).click()
  await shows(page, {
    'historical sync: pages': {
      selector: '[role="dialog"] select[required] option:not([value=""])',
      texts: [...names, allInName],
    },
  })
  await page.locator('[role="dialog"] select[required]').selectOption('p1')
  await shows(page, {
    'historical sync: error': { selector: '[role="dialog"] [role="status"] p.text-warn', texts: [allInSentence] },
  })
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: /^Auto-sync/ }).click()
  const status = '[aria-label="Auto-Sync Status"]'
  const at = await page.evaluate(
    (when) => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(Date.parse(when)),
    moment,
  )
  await shows(page, {
    'automatic sync: page': { selector: `${status} li > bdi`, texts: names },
    'automatic sync: error': { selector: `${status} li > bdi + span`, texts: strings.map(asSentence) },
    'automatic sync: who forced it': {
      selector: `${status} div > p`,
      texts: [`Sync started by ${allInName}, ${at}: failed, 0 new messages`],
    },
    'automatic sync: who changed it': {
      selector: '#auto-sync-settings > p',
      texts: [`Last updated by ${allInName} on ${at}`],
    },
  })
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Manage FAQ' }).click()
  const entry = '[aria-label="FAQs"] > li'
  const categories = named('Uncategorized')
  const keywords = [...new Set(strings)].map(asName)
  await shows(page, {
    'FAQ: title': { selector: `${entry} h3`, texts: [...named('Untitled'), allInName] },
    'FAQ: category': { selector: `${entry} h3 + p > span:first-child`, texts: [...categories, allInName] },
    'FAQ: keyword': { selector: `${entry} [aria-label="Keywords"] bdi`, texts: [...names, ...keywords] },
    'FAQ: response': { selector: `${entry} > p[dir="auto"]`, texts: [...strings, all] },
    'FAQ: who wrote it': {
      selector: `${entry} > p:last-child`,
      texts: [...named('Unknown'), allInName].map((name) => `Created by ${name} on ${day}`),
    },
    'FAQ: filter of categories': { selector: '[aria-label="Category"] option:not([value=""])', texts: names },
  })
  await page.getByLabel('Message to test').fill('a message')
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  const match = '[role="status"] ol > li'
  await shows(page, {
    'FAQ test: message': { selector: '[role="status"] > p > bdi', texts: [allInSentence] },
    'FAQ test: title': { selector: `${match} span[dir="auto"]`, texts: names },
    'FAQ test: category': {
      selector: `${match} > p:nth-of-type(1)`,
      texts: categories.map((name) => `${name} · Priority 0`),
    },
    'FAQ test: keyword': { selector: `${match} bdi`, texts: names },
  })
  const form = 'form[aria-labelledby]'
  await page.locator(`${entry}:last-child [aria-label^="Edit"]`).click()
  await shows(page, {
    'FAQ form: title': { selector: `${form} input[maxlength="200"]`, texts: [withoutLineBreaks(all)] },
    'FAQ form: categories': { selector: `${form} option:not([value=""])`, texts: names },
    'FAQ form: keyword': { selector: `${form} [aria-label="Added keywords"] bdi`, texts: keywords },
    'FAQ form: response': { selector: `${form} textarea`, texts: [all.replace(/\r\n?/g, '\n')] },
  })
  await page.locator(form).getByRole('button', { name: 'Cancel' }).click()
  const question = '[role="alertdialog"]'
  await page.locator(`${entry}:last-child [aria-label^="Delete"]`).click()
  await shows(page, {
    'question whether to delete a FAQ': { selector: `${question} p[dir="auto"]`, texts: [allInName] },
  })
  await page.keyboard.press('Escape')
  await expect(page.locator(question)).toBeHidden()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Manage pages' }).first().click()
  const listed = '[role="dialog"] [aria-label="Pages"] > li'
  await shows(page, {
    'page manager: name': {
      selector: `${listed} bdi`,
      texts: [...names.map((_, index) => pageNameOf(index)), allInName],
    },
    'page manager: username and category': {
      selector: `${listed} p + p`,
      texts: [...names, allInName].map((name) => `${name ? `@${name}` : 'N/A'} · ${name || 'No category'}`),
    },
    'page manager: picture': { selector: `${listed} img`, attribute: 'src', texts: strings.map(addressOf) },
  })
  const pageForm = 'form[aria-label="Edit page"]'
  await page.locator(`${listed}:last-child [aria-label^="Edit"]`).click()
  await shows(page, {
    'page form: heading': { selector: `${pageForm} h3`, texts: [`Edit ${allInName}`] },
    'page form: name': { selector: `${pageForm} input[maxlength="200"]`, texts: [withoutLineBreaks(all)] },
  })
  await page.locator(pageForm).getByRole('button', { name: 'Cancel' }).click()
  await page.locator(`${listed}:last-child [aria-label^="Delete"]`).click()
  await shows(page, {
    'question whether to delete a page': {
      selector: `${question} h2 + p`,
      texts: [`Are you sure you want to delete "${allInName}"? This action cannot be undone.`],
    },
  })
  await page.keyboard.press('Escape')
  await expect(page.locator(question)).toBeHidden()
  await page.getByRole('button', { name: 'Add Page' }).click()
  await page.getByLabel('Page Access Token').fill('a token')
  const verify = page.getByRole('button', { name: 'Verify Token' })
  const banner = '[id$="-verification"] > p'
  await verify.click()
  await shows(page, {
    'page form: why a token is refused': {
      selector: banner,
      texts: [`✗ Invalid. Token verification failed: ${allInSentence}`],
    },
  })
  acceptTokens()
  await verify.click()
  await shows(page, {
    'page form: whose the token is': { selector: `${banner} > bdi`, texts: [allInName] },
    'page form: username and category': { selector: `${banner} > span`, texts: [`@${allInName} · ${allInName}`] },
  })
  await page.locator('[role="dialog"] input[maxlength="200"]').fill('a page')
  await page.locator('[role="dialog"]').getByRole('button', { name: 'Add Page' }).click()
  await shows(page, {
    'page form: why it is not saved': {
      selector: '[role="dialog"] [role="alert"]',
      texts: [`Failed to add page: ${allInSentence}`],
    },
  })

  await page.goto(`/${unlinked}${inAll}`)
  await page.getByRole('button', { name: 'Link to Client' }).click()
  const found = '[role="dialog"] fieldset label'
  const box = page.getByLabel('Search clients')
  await box.fill('maria')
  await shows(page, {
    'link client: name': { selector: '[role="dialog"] p[dir="auto"]', texts: [allInName] },
    'link client: first and last name': { selector: '[role="dialog"] dl dd', texts: [allInName, allInName] },
    'client search: name': {
      selector: `${found} bdi.block`,
      texts: strings.map((text) => asName(`${text} Client`)),
    },
    'client search: email, phone and company': {
      selector: `${found} [id$="-facts"]`,
      texts: names.map((name) => [name, name, name].filter(Boolean).join(' · ')),
    },
  })
  await page.locator(found).first().click()
  await page.getByRole('button', { name: 'Link Client' }).click()
  await shows(page, {
    'link client: why it is not linked': { selector: '[role="dialog"] [role="alert"]', texts: [allInSentence] },
  })
  // The field takes 200 characters.
  const term = withoutLineBreaks(all).slice(0, 200).toWellFormed()
  await box.fill(term)
  await shows(page, {
    'client search: nobody': {
      selector: '[role="dialog"] p[role="status"]',
      texts: [`No clients found matching "${asSentence(term.trim())}"`],
    },
  })
  await page.keyboard.press('Escape')

  expect(violations).toEqual([])
})

test('strings of people are shown as text only: places that show one name at a time', async ({
  harness,
  page,
  server,
}) => {
  const strings = joinedNames(hostileSample)
  const { all, numbers, threads, ...world } = hostileWorld(strings)
  const violations = await signInTo(world, { harness, page, server })
  const names = strings.map(asName)
  const allInSentence = asSentence(all)
  const pageNameOf = pageNamesOf(names)

  await page.setViewportSize(usual)
  await page.goto(`/${inAll}`)

  const thread = '[aria-label="Thread"]'
  const answer = `${thread} form[aria-label="Reply"]`
  const details = '[aria-label="Client details"]'
  await walk(
    page,
    strings.map((text, index): Stop => {
      const name = names[index] || 'Unknown User'
      const short = names[index] || 'this person'
      const own = [pageNameOf(index), pageNameOf((index + 1) % strings.length)]
      return {
        address: `/c${index}`,
        spots: {
          'thread: name': { selector: `${thread} header h2`, texts: [name] },
          'thread: pages': {
            selector: `${thread} header div:has(> h2) ~ div > p:last-child > span:last-child`,
            texts: [own.join(', ')],
          },
          'details: name': { selector: `${details} h2`, texts: [name] },
          'details: pages': { selector: `${details} h2 + p`, texts: [own.join(' · ')] },
          'details: name of the client': {
            selector: `${details} section > p.font-medium[dir="auto"]`,
            texts: [asName(`${text} Client`)],
          },
          'details: company of the client': {
            selector: `${details} section > p.text-ink-2[dir="auto"]`,
            texts: [asName(text)].filter((fact) => fact !== ''),
          },
          'details: class of the client': { selector: `${details} section > p > span + span`, texts: [asName(text)] },
          'details: email and phone of the client': {
            selector: `${details} section > p bdi`,
            texts: [asName(text), asName(text)].filter((fact) => fact !== ''),
          },
          'recent order: name': { selector: `${details} li > b`, texts: [`#${asName(text) || `o${index}`}`] },
          'recent order: status': { selector: `${details} li bdi`, texts: [asName(text)] },
          'send from: pages': { selector: `${answer} option:not([value=""])`, texts: own },
          'send from: route': {
            selector: `${answer} p[id$="-route"]`,
            texts: [`→ ${own[0]} on Messenger, where ${short} wrote last`],
          },
          'send from: trouble': {
            selector: `${answer} > div > p:not([id]):not([role])`,
            texts: [
              `${own[0]} cannot send messages: its access token no longer works. Enter a new token under Manage pages.`,
              `A template that the network has approved can still be sent to ${short}.`,
            ],
          },
          'send from: notice': {
            selector: `${answer} > p:not([role])`,
            texts: [
              `You cannot reply to ${short} from this page: their last message is more than 7 days old. You can reply as soon as they write again, or from another page that they wrote to in the last 7 days.`,
            ],
          },
        },
      }
    }),
  )

  await walk(
    page,
    numbers.map((text, index) => ({
      address: `/c${index}`,
      press: [`${answer} [title^="Put a summary of the client's orders"]`],
      spots: {
        'summary of orders': {
          selector: `${answer} textarea`,
          texts: [
            `Hello! Here is a summary of your orders with us:\n\nOrder ${asName(text)} (${day}): Ready\nTotal ₱100.00, balance ₱100.00\n\nIn all: 1 order, 1 in progress.\nTotal of your orders: ₱100.00.\nPaid in all: ₱0.00.\nBalance to pay: ₱100.00.\nThank you!`,
          ],
        },
      },
    })),
  )

  await go(page, `/c${numbers.length}`)
  await harness.answer('a message')
  await shows(page, {
    'message that was not sent: why': {
      selector: 'article[aria-label="You, Not sent"] > p > span',
      texts: [`Not sent: ${allInSentence}`],
    },
    'toast: what the server says': {
      selector: '[data-sonner-toast][data-type="error"] [data-title]',
      texts: [allInSentence],
    },
  })

  await go(page, `/${threads.pictures}`)
  await page.locator('article a:has(img)').last().click()
  await walk(
    page,
    strings.toReversed().map((text, index) => ({
      press: index === 0 ? [] : ['[role="dialog"] [aria-label="Previous picture"]'],
      spots: {
        'picture in full: title': { selector: '[role="dialog"] h2', texts: [asName(text) || 'Picture'] },
        'picture in full: address': { selector: '[role="dialog"] img', attribute: 'src', texts: [addressOf(text)] },
      },
    })),
  )
  await page.keyboard.press('Escape')

  await walk(
    page,
    strings.map((text) => {
      const search = `?${new URLSearchParams({ q: text.toWellFormed() })}`
      return {
        address: `/${search}`,
        spots: {
          'search box from the URL': {
            selector: 'input[type="search"]',
            // A field of one line has no line breaks.
            texts: [withoutLineBreaks(queryIn(search).search)],
          },
        },
      }
    }),
  )

  await walk(
    page,
    strings.map((text, index) => {
      const name = asName(text)
      const fact = name || '–'
      return {
        address: `/clients/k${index}`,
        spots: {
          'title of the document': { selector: 'title', texts: [asName(`${text} Client`)] },
          'client: name': { selector: 'h1', texts: [asName(`${text} Client`)] },
          'client: company, email and phone': {
            selector: 'main dl dd[dir="auto"]',
            texts: [fact, fact, fact, day],
          },
          'client: class': { selector: 'h1 + span', texts: [name] },
          'order: name': { selector: 'main li > b[dir="auto"]', texts: [`#${name || `o${index}`}`] },
          'order: status': { selector: 'main li > span > bdi', texts: [name] },
          'payment: order': { selector: 'main li > b:not([dir])', texts: [`#${name || `o${index}`}`] },
          'payment: status': { selector: 'main li > b:not([dir]) ~ span:last-child', texts: [name || 'unknown'] },
          'linked chat: name and preview': {
            selector: 'main li > a bdi',
            texts: [name || 'Unknown User', asSentence(text.trim())],
          },
        },
      }
    }),
  )

  expect(violations).toEqual([])
})

test('a sign-in error of the server is shown as text only', async ({ page, server }) => {
  const violations = await recordViolations(page, server.url)
  await readPlaces(page)
  await page.route('**/api/auth/supabase-login', (route) =>
    route.fulfill({ status: 422, json: { success: false, error: asOne(hostileStrings) } }),
  )
  await page.goto('/login')
  await page.getByLabel('Email').fill('agent@example.com')
  await page.getByLabel('Password', { exact: true }).fill('inbox-demo-2026')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await shows(page, {
    'login form': { selector: 'form [role="alert"] > p', texts: [asSentence(asOne(hostileStrings))] },
  })
  expect(violations).toEqual([])
})

test.afterEach(() => {
  const { title } = test.info()
  const places = placesTried()
  // biome-ignore lint/suspicious/noConsole: shows how many places were tested
  if (places.length > 0) console.log(`${title}, at ${places.length} places: ${places.join('; ')}`)
})
