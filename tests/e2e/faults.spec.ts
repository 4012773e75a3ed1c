import type { Page, Route } from '@playwright/test'
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
  (text: string): Answer =>
  (route) =>
    route.fulfill({ status: 200, contentType: 'application/json', body: text })

/** Faulty responses of the API. `tests/faults/matrix.test.ts` meets all faults of all calls. */
const faults = {
  '400 with an error': status(400, { error: errorText }),
  '403': status(403, { error: 'Forbidden' }),
  '429': status(429),
  '500': status(500, { error: 'Stack trace' }),
  'truncated JSON': body('{"success":true,"data":[{"id'),
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
const refresh = ({ page }: Pick<Place, 'page'>) => page.getByRole('button', { name: 'Refresh conversations' }).click()

const cells: readonly Cell[] = [
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

test('a failed call shows one toast, ends its loading indicators, and keeps rows and typed text', async ({
  harness,
  page,
  unlinkedPerson: person,
  sandbox,
  unique,
}) => {
  const write = () => sandbox.write(psidOf(person), unique('May tanong po ako'))
  const place: Place = { harness, page, write }
  await page.addInitScript(recordToasts)
  await write()
  await harness.signInAt(person)
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
