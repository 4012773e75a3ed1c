import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type BrowserContext, chromium } from '@playwright/test'
import { reservePort } from '../../scripts/ports.ts'
import { projectRoot } from '../../scripts/project.ts'
import { findBrowser } from '../e2e/browser.ts'
import { startFakeServer } from './fake-server.ts'
import { round } from './figures.ts'
import { loadApplication } from './harness.ts'
import { messagesPerThread } from './world.ts'

export type FirstLoad = {
  path: '/login' | '/'
  scripts: string[]
  /** Bytes of all scripts requested before the screen was ready. */
  minified: number
  gzip: number
  brotli: number
  /** Gzip bytes by package: those of each script, divided by the share of each package in its text. */
  byPackage: Record<string, number>
}

/** Opens login and inbox in a browser with an empty cache, and measures the requested scripts. */
export async function measureFirstLoad(): Promise<FirstLoad[]> {
  const found = await findBrowser()
  const env = { ...process.env, ...found.env }
  const browser = await chromium.launch({ executablePath: found.executablePath, args: found.args, env })
  const fakeServer = await startFakeServer(await reservePort(), { conversations: 100, messages: messagesPerThread })
  try {
    const guest = await browser.newContext({ baseURL: fakeServer.url })
    const login = await scriptsOf(guest, '/login', 'button')
    const signingIn = await guest.newPage()
    await loadApplication(signingIn, 20)
    const storageState = await guest.storageState()
    const staff = await browser.newContext({ baseURL: fakeServer.url, storageState })
    const inbox = await scriptsOf(staff, '/', '[role="option"]')
    return [weigh('/login', login), weigh('/', inbox)]
  } finally {
    await browser.close()
    await fakeServer.stop()
  }
}

/** The scripts requested before the screen was ready. Later ones do not delay it. */
async function scriptsOf(context: BrowserContext, path: string, ready: string): Promise<string[]> {
  const page = await context.newPage()
  await page.addInitScript((selector) => {
    new MutationObserver((_, observer) => {
      if (document.querySelector(selector) === null) return
      performance.mark('ready')
      observer.disconnect()
    }).observe(document, { childList: true, subtree: true })
  }, ready)
  await page.goto(path)
  await page.locator(ready).first().waitFor()
  await page.waitForLoadState('networkidle')
  const addresses = await page.evaluate(() => {
    const [isReady] = performance.getEntriesByName('ready')
    const scripts = performance
      .getEntriesByType('resource')
      .filter(({ name, startTime }) => name.endsWith('.js') && startTime <= (isReady?.startTime ?? Infinity))
    return scripts.map(({ name }) => name)
  })
  await page.close()
  return [...new Set(addresses.map((address) => new URL(address).pathname))].toSorted()
}

function weigh(path: FirstLoad['path'], scripts: string[]): FirstLoad {
  const weight: FirstLoad = { path, scripts, minified: 0, gzip: 0, brotli: 0, byPackage: {} }
  for (const script of scripts) {
    const file = join(projectRoot, 'dist', script)
    const code = readFileSync(file)
    const gzip = gzipSync(code, { level: 9 }).length
    weight.minified += code.length
    weight.gzip += gzip
    weight.brotli += brotliCompressSync(code).length
    for (const [name, share] of Object.entries(sharesOf(code.toString(), `${file}.map`))) {
      weight.byPackage[name] = round((weight.byPackage[name] ?? 0) + share * gzip)
    }
  }
  return weight
}

/** The share of each package in the text of a script, by its source map. */
function sharesOf(code: string, mapFile: string): Record<string, number> {
  // The bundler's own runtime has no source and no map.
  if (!existsSync(mapFile)) return { bundler: 1 }
  const map = new SourceMap(JSON.parse(readFileSync(mapFile, 'utf8')))
  const shares: Record<string, number> = {}
  for (const [lineNumber, line] of code.split('\n').entries()) {
    for (let column = 0; column < line.length; column++) {
      const entry = map.findEntry(lineNumber, column)
      const name = packageOf('originalSource' in entry ? entry.originalSource : undefined)
      shares[name] = (shares[name] ?? 0) + 1 / code.length
    }
  }
  return shares
}

function packageOf(source: string | undefined): string {
  if (source === undefined) return 'bundler'
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? []
  return name ?? (source.includes('src/') ? 'own code' : 'bundler')
}
