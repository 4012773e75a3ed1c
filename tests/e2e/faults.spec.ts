import type { Locator, Page, Route } from '@playwright/test'
import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import type { Conversation } from '../../src/schemas/conversation.ts'
import { expect, test } from './fixtures.ts'
import type { Harness } from './harness.ts'
import { psidOf } from './network.ts'

type Answer = (route: Route) => Promise<void>

const errorText = 'The network said no'
const status =
  (code: number, rest: object = {}): Answer =>
  (route) =>
    route.fulfill({ status: code, json: { success: false, ...rest } })
const body =
  (text: string, contentType = 'application/json'): Answer =>
  (route) =>
    route.fulfill({ status: 200, contentType, body: text })

/** Faulty responses of the API. */
const faults = {
  'no answer': (route) => route.abort('connectionreset'),
  '400 with an error': status(400, { error: errorText }),
  '401': status(401, { error: 'Token expired' }),
  '403': status(403, { error: 'Forbidden' }),
  '403 with requiresAny': status(403, {
    details: { missingPermissions: ['faq.manage', 'faq.write'], requiresAny: true },
  }),
  '404': status(404, { error: 'Not found' }),
  '429': status(429),
  '500': status(500, { error: 'Stack trace' }),
  '503': status(503),
  HTML: body('<!doctype html><title>Bad gateway</title>', 'text/html'),
  'truncated JSON': body('{"success":true,"data":[{"id'),
  'wrong shape': body('{"surprise":7}'),
  'an empty body': body(''),
  'one bad row': async (route) => {
    const answer = await route.fetch()
    const good = await answer.json()
    await route.fulfill({ json: { ...good, data: [{ nothing: 'of this is known' }, ...good.data] } })
  },
} satisfies Record<string, Answer>

type Place = {
  harness: Harness
  page: Page
  person: Conversation
  /** Sends a message from the person of the open conversation. */
  write: () => Promise<unknown>
}
type Cell = {
  /** Method and path; each `*` stands for an id. */
  call: string
  fault: keyof typeof faults
  /** The exact text of the toast; null for none. */
  toast: string | null
  prepare?: (place: Place) => Promise<unknown>
  act: (place: Place) => Promise<unknown>
  /** Asserts that typed, chosen or shown data is still there. */
  kept?: (place: Place) => Promise<unknown>
}
type Screen = {
  name: string
  role: (typeof demoStaff)[number]['role']
  open?: (place: Place) => Promise<unknown>
  cells: readonly Cell[]
}

const header = (page: Page, name: string | RegExp) =>
  page.getByRole('banner').getByRole('button', { name, exact: true })
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })
const refresh = ({ page }: Pick<Place, 'page'>) => page.getByRole('button', { name: 'Refresh conversations' }).click()
const handaan = '104200000000104'

const faqDialog = (page: Page) => dialogOf(page, 'FAQ Management')
const historyDialog = (page: Page) => dialogOf(page, 'Sync Historical Messages')
const autoSyncDialog = (page: Page) => dialogOf(page, 'Auto-Sync')
const linkDialog = (page: Page) => dialogOf(page, 'Link Client')
const pagesDialog = (page: Page) => dialogOf(page, 'Manage Facebook Pages')
const tokenOf = (page: Page) => pagesDialog(page).getByLabel(/^Page Access Token/)
const search = (page: Page) => linkDialog(page).getByPlaceholder('Search by name, email, phone, or company...')
const chosen = (dialog: Locator) => dialog.getByRole('img', { name: 'Selected' })
const interval = (page: Page) => autoSyncDialog(page).getByLabel(/^Minutes between syncs/)
const close = ({ page }: Pick<Place, 'page'>) => page.keyboard.press('Escape')

const screens: readonly Screen[] = [
  {
    name: 'the list and the header',
    role: 'agent',
    cells: [
      {
        call: 'GET /facebook/conversations',
        fault: '500',
        toast: 'Server error. Please try again later.',
        act: refresh,
      },
      {
        call: 'GET /facebook/pages',
        fault: 'an empty body',
        toast: 'Failed to load Facebook pages',
        act: refresh,
        kept: ({ page }) =>
          expect(page.getByRole('combobox', { name: 'Page', exact: true }).getByRole('option')).toHaveCount(5),
      },
      {
        call: 'POST /facebook/sync-all-recent',
        fault: '400 with an error',
        toast: `Failed to sync recent messages: ${errorText}`,
        act: ({ page }) => page.getByTitle('Sync recent messages from Business Suite').first().click(),
      },
      { call: 'GET /facebook/auto-sync/status', fault: '500', toast: null, act: refresh },
      { call: 'GET /facebook/conversations', fault: 'one bad row', toast: null, act: refresh },
    ],
  },
  {
    name: 'the open conversation',
    role: 'agent',
    open: ({ harness, person }) => harness.open(person),
    cells: [
      {
        call: 'GET /facebook/users/*/identity/*',
        fault: 'an empty body',
        // The conversation's own psid is used.
        toast: 'Message sent successfully',
        act: ({ harness }) => harness.answer('Sige po, salamat.'),
        kept: ({ harness }) => expect(harness.bubbles('Sige po, salamat.')).toHaveAccessibleName(/^You, \d/),
      },
      {
        call: 'POST /facebook/send-message',
        fault: '429',
        toast: 'Too many requests. Please try again later.',
        act: ({ harness }) => harness.answer('Bukas po ulit.'),
        kept: async ({ harness }) => {
          await expect(harness.bubbles('Bukas po ulit.')).toHaveCount(1)
          await expect(harness.bubbles('Bukas po ulit.')).toContainText('Not sent')
        },
      },
      {
        call: 'POST /facebook/conversations/*/mark-read',
        fault: '403',
        toast: 'Access denied. You do not have permission to perform this action.',
        act: ({ write }) => write(),
        kept: ({ harness }) => expect(harness.bubbles('May tanong po ako')).toHaveCount(2),
      },
      {
        call: 'GET /facebook/conversations/*/messages',
        fault: 'truncated JSON',
        toast: 'Failed to load messages',
        prepare: ({ harness }) => harness.composer.fill('Hindi pa tapos'),
        act: ({ harness }) => harness.list.getByRole('option', { selected: false }).first().click(),
        kept: async ({ harness, page }) => {
          await expect(harness.thread.getByRole('button', { name: 'Try again' })).toBeVisible()
          await page.goBack()
          await expect(harness.composer).toHaveValue('Hindi pa tapos')
        },
      },
    ],
  },
  {
    name: 'linking a client',
    role: 'agent',
    open: async ({ harness, page, person }) => {
      await harness.open(person)
      await page.getByRole('button', { name: 'Link to Client' }).click()
    },
    cells: [
      {
        call: 'GET /facebook/search-clients',
        fault: 'no answer',
        toast: 'Network error. Please check your connection.',
        act: ({ page }) => search(page).fill('example'),
        kept: ({ page }) => expect(search(page)).toHaveValue('example'),
      },
      {
        call: 'POST /facebook/link-client',
        fault: '404',
        toast: 'API endpoint not found: POST /facebook/link-client',
        prepare: async ({ page }) => {
          const dialog = linkDialog(page)
          await search(page).fill('example.com')
          await dialog.getByRole('radio').and(dialog.locator('[aria-disabled=false]')).first().check({ force: true })
        },
        act: ({ page }) => linkDialog(page).getByRole('button', { name: 'Link Client' }).click(),
        kept: async ({ page }) => {
          await expect(chosen(linkDialog(page))).toHaveCount(1)
          await expect(search(page)).toHaveValue('example.com')
        },
      },
    ],
  },
  {
    name: 'the dialogs of pages and sync',
    role: 'administrator',
    cells: [
      {
        call: 'PUT /facebook/auto-sync/config',
        fault: 'wrong shape',
        toast: 'Failed to update settings',
        prepare: async ({ page }) => {
          await header(page, /^Auto-sync/).click()
          await interval(page).fill('17')
        },
        act: ({ page }) => autoSyncDialog(page).getByRole('button', { name: 'Save settings' }).click(),
        kept: async (place) => {
          await expect(interval(place.page)).toHaveValue('17')
          await close(place)
          await place.page.getByRole('button', { name: 'Discard' }).click()
        },
      },
      {
        call: 'GET /facebook/pages/*/sync-status',
        fault: '404',
        toast: `API endpoint not found: GET /facebook/pages/${handaan}/sync-status`,
        prepare: async ({ page }) => {
          await header(page, 'Sync').click()
          await historyDialog(page)
            .getByLabel(/^Conversation limit/)
            .fill('7')
        },
        act: ({ page }) => historyDialog(page).getByRole('combobox', { name: 'Page' }).selectOption(handaan),
        kept: async (place) => {
          await expect(historyDialog(place.page).getByLabel(/^Conversation limit/)).toHaveValue('7')
          await expect(historyDialog(place.page).getByRole('combobox', { name: 'Page' })).toHaveValue(handaan)
          await close(place)
        },
      },
      {
        call: 'POST /facebook/pages/verify-token',
        fault: '503',
        toast: 'Failed to verify token',
        prepare: async ({ page }) => {
          await header(page, 'Manage pages').click()
          await pagesDialog(page).getByRole('button', { name: 'Add Page' }).click()
          await pagesDialog(page).getByLabel('Page Name').fill('Bagong Pahina')
          await tokenOf(page).fill('EAA-some-token')
        },
        act: ({ page }) => pagesDialog(page).getByRole('button', { name: 'Verify Token' }).click(),
        kept: async ({ page }) => {
          await expect(pagesDialog(page).getByLabel('Page Name')).toHaveValue('Bagong Pahina')
          await expect(tokenOf(page)).toHaveValue('EAA-some-token')
        },
      },
    ],
  },
  {
    name: 'the FAQ',
    role: 'administrator',
    cells: [
      {
        call: 'GET /faq/entries',
        fault: 'one bad row',
        toast: null,
        act: ({ page }) => header(page, 'Manage FAQ').click(),
        kept: ({ page }) => expect(faqDialog(page).getByRole('heading', { name: 'How to pay' })).toBeVisible(),
      },
      {
        call: 'POST /faq/test-match',
        fault: 'HTML',
        toast: 'Failed to test FAQ match',
        prepare: ({ page }) => faqDialog(page).getByLabel('Message to test').fill('Magkano po?'),
        act: ({ page }) => faqDialog(page).getByLabel('Message to test').press('Enter'),
        kept: ({ page }) => expect(faqDialog(page).getByLabel('Message to test')).toHaveValue('Magkano po?'),
      },
      {
        call: 'PUT /faq/entries/*',
        fault: '403 with requiresAny',
        toast: 'Access denied. You need at least one of these permissions: faq.manage, faq.write',
        prepare: async ({ page }) => {
          await faqDialog(page).getByRole('button', { name: 'Edit How to pay' }).click()
          await faqDialog(page).getByLabel('Title', { exact: true }).fill('How to pay now')
        },
        act: ({ page }) => faqDialog(page).getByRole('button', { name: 'Update FAQ' }).click(),
        kept: ({ page }) => expect(faqDialog(page).getByLabel('Title', { exact: true })).toHaveValue('How to pay now'),
      },
    ],
  },
]

/** Records every toast in order. */
function recordToasts(): void {
  const seen = new WeakSet<Element>()
  const texts: string[] = []
  Object.assign(window, { toastTexts: texts })
  new MutationObserver(() => {
    for (const toast of document.querySelectorAll('[data-sonner-toast]')) {
      if (seen.has(toast)) continue
      seen.add(toast)
      texts.push(toast.querySelector('[data-title]')?.textContent ?? '')
    }
  }).observe(document, { subtree: true, childList: true })
}

declare global {
  interface Window {
    toastTexts: string[]
  }
}

const patternOf = (call: string) => {
  const [method, path = ''] = call.split(' ')
  return { method, path: new RegExp(`/api${path.replaceAll('*', '[^/]+')}$`) }
}

/** Answers a call with a fault. `hits` counts the calls, `mend` ends the fault. */
async function fail(page: Page, { call, fault }: Pick<Cell, 'call' | 'fault'>) {
  const { method, path } = patternOf(call)
  const answer: Answer = faults[fault]
  let hits = 0
  const matches = (url: URL) => path.test(url.pathname)
  const handler = async (route: Route) => {
    if (route.request().method() !== method) return route.fallback()
    hits += 1
    await answer(route)
  }
  await page.route(matches, handler)
  return { hits: () => hits, mend: () => page.unroute(matches, handler) }
}

/** The ids of the list rows on the screen, also behind a dialog. The number of rows beyond the screen varies. */
const rowsOf = (page: Page) =>
  page.locator('[aria-label=Conversations] [role=option]').evaluateAll((rows) =>
    rows
      .filter((row) => row.getBoundingClientRect().top < window.innerHeight)
      .map(({ id }) => id)
      .sort(),
  )

async function expectIdle(page: Page) {
  await expect(page.locator('[aria-busy=true], .animate-spin')).toHaveCount(0)
  await expect(
    page.getByText(/^(Syncing|Saving|Linking|Verifying|Testing|Searching|Sending|Loading)(\.\.\.|…)/),
  ).toHaveCount(0)
  await expect(page.getByText('Something went wrong')).toHaveCount(0)
}

test.describe('A failed call', () => {
  test.beforeEach(({ page }) => page.addInitScript(recordToasts))

  for (const { name, role, open, cells } of screens) {
    test(`${name}: ${cells.map(({ call, fault }) => `${call} × ${fault}`).join(', ')}`, async ({
      harness,
      page,
      unlinkedPerson: person,
      sandbox,
      unique,
    }) => {
      const write = () => sandbox.write(psidOf(person), unique('May tanong po ako'))
      const place: Place = { harness, page, person, write }
      await write()
      await harness.signIn(role)
      await open?.(place)
      await harness.isLive()
      const expected: string[] = []
      for (const cell of cells) {
        await test.step(`${cell.call} × ${cell.fault}`, async () => {
          await cell.prepare?.(place)
          const before = await rowsOf(page)
          const { hits, mend } = await fail(page, cell)
          await cell.act(place)
          await expect.poll(hits).toBeGreaterThan(0)
          if (cell.toast !== null) {
            expected.push(cell.toast)
            await expect.poll(() => page.evaluate(() => window.toastTexts), { timeout: 3_000 }).toEqual(expected)
          }
          await expectIdle(page)
          expect(await rowsOf(page)).toEqual(before)
          await cell.kept?.(place)
          await mend()
        })
      }
      expect(await page.evaluate(() => window.toastTexts)).toEqual(expected)
    })
  }

  test('a rejected refresh shows one toast and the login, which shows its own errors in the form', async ({
    harness,
    page,
  }) => {
    await harness.signIn()
    const refreshing = await fail(page, { call: 'POST /auth/refresh', fault: '401' })
    const listing = await fail(page, { call: 'GET /facebook/conversations', fault: '401' })
    await refresh({ page })
    const form = page.getByRole('form', { name: 'Sign in' })
    await expect(form).toBeVisible()
    await expect.poll(() => page.evaluate(() => window.toastTexts)).toEqual(['Session expired. Please log in again.'])
    await Promise.all([refreshing.mend(), listing.mend()])

    const [, { email, password }] = demoStaff
    await form.getByLabel('Email').fill(email)
    await form.getByLabel('Password', { exact: true }).fill(password)
    for (const [fault, text] of [
      ['500', 'Internal server error. Please try again later.'],
      ['wrong shape', 'Invalid token response'],
      ['no answer', 'Network error. Please check your connection.'],
    ] as const) {
      const { mend } = await fail(page, { call: 'POST /auth/supabase-login', fault })
      await form.getByRole('button', { name: 'Sign in' }).click()
      await expect(form.getByRole('alert')).toHaveText(text, { timeout: 3_000 })
      await expectIdle(page)
      await expect(form.getByLabel('Email')).toHaveValue(email)
      await expect(form.getByLabel('Password', { exact: true })).toHaveValue(password)
      await mend()
    }
    await form.getByRole('button', { name: 'Sign in' }).click()
    await expect(harness.list).toBeVisible()
    expect(await page.evaluate(() => window.toastTexts)).toEqual(['Session expired. Please log in again.'])
  })
})
