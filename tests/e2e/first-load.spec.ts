import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from './fixtures.ts'

type Chunk = { file: string; name?: string; src?: string; imports?: string[] }

/** The chunks that a browser loads before it can show a screen, and their budget in kilobytes (1,000 bytes, gzip). */
const screens = [
  { path: '/login', chunks: ['index', 'login'], budget: 126 },
  { path: '/', chunks: ['index', 'inbox'], budget: 195 },
]
const supabase = 'node_modules/@supabase/supabase-js/dist/index.mjs'

const readManifest = (): Record<string, Chunk> => JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8'))

/** The paths of the scripts with these chunks and all that they import statically. */
function scriptsOf(chunks: readonly string[]): string[] {
  const manifest = readManifest()
  const starts = Object.keys(manifest).filter((key) => chunks.includes(manifest[key]?.name ?? ''))
  expect(starts).toHaveLength(chunks.length)
  const loaded = new Set<string>()
  const load = (key: string) => {
    if (loaded.has(key)) return
    loaded.add(key)
    for (const imported of manifest[key]?.imports ?? []) load(imported)
  }
  for (const start of starts) load(start)
  return [...loaded].map((key) => `/${manifest[key]?.file}`).sort()
}

for (const { path, chunks, budget } of screens) {
  test(`the scripts of ${path} stay within ${budget} kB`, () => {
    const sizes = scriptsOf(chunks).map((script) => gzipSync(readFileSync(`dist${script}`), { level: 9 }).length)
    const kilobytes = sizes.reduce((sum, size) => sum + size) / 1_000
    expect(kilobytes, `${kilobytes} kB`).toBeLessThanOrEqual(budget)
    // React alone is larger: less would mean that the build is read wrongly.
    expect(kilobytes).toBeGreaterThan(70)
  })
}

test('until the first rows arrive, only the scripts of the inbox are loaded, and not the Supabase client', async ({
  harness,
  page,
}) => {
  // Without a copy of the inbox in the browser, which would show rows before any answer.
  await page.addInitScript(() =>
    Object.defineProperty(window, 'indexedDB', {
      value: {
        databases: async () => [],
        open: () => {
          throw new Error('blocked')
        },
      },
    }),
  )
  // After the form, the scripts of the inbox are requested again by a reload.
  await harness.signInByForm()
  // The code that loads after the first rows belongs to this start, not to the next one.
  await harness.isLive()
  await page.waitForLoadState('networkidle')
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/facebook/conversations?*', async (route) => {
    await isReleased
    await route.fallback()
  })
  const scripts = new Set<string>()
  page.on('request', (request) => {
    // The page before may have loaded more meanwhile.
    if (request.isNavigationRequest()) scripts.clear()
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js')) scripts.add(pathname)
  })
  const otherAnswer = page.waitForResponse('**/api/facebook/stats')
  await page.reload()
  await otherAnswer
  expect([...scripts].sort()).toEqual(scriptsOf(['index', 'inbox']))
  release()
  await harness.isLive()
  expect([...scripts]).toContain(`/${readManifest()[supabase]?.file}`)
})

/** Kilobytes (1,000 bytes) of both font files. */
const fontBudget = 41

test('the text is shown in Inter, whose files stay within their budget and load after the scripts', async ({
  harness,
  page,
}) => {
  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  await harness.signIn()
  await page.evaluate(() => document.fonts.load('16px Inter', '₱'))
  await page.evaluate(() => document.fonts.ready)
  const fonts = [...new Set(requested.filter((path) => path.endsWith('.woff2')))]
  expect(fonts.toSorted()).toEqual([
    expect.stringMatching(/^\/assets\/inter-latin-(?!ext)/),
    expect.stringMatching(/^\/assets\/inter-latin-ext-/),
  ])
  const kilobytes = fonts.reduce((sum, font) => sum + readFileSync(`dist${font}`).length, 0) / 1_000
  expect(kilobytes, `${kilobytes} kB`).toBeLessThanOrEqual(fontBudget)
  expect(await page.locator('link[rel="preload"][as="font"]').count()).toBe(0)
  const inInter = await page.evaluate(() =>
    ['a', '₱', 'ñ', 'ž'].map((text) => document.fonts.check('500 16px Inter', text)),
  )
  expect(inInter).toEqual([true, true, true, true])
})
