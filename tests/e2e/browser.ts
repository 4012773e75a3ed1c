import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { chromium } from '@playwright/test'
import { projectRoot } from '../../scripts/project.ts'

export type Browser = { name: string; executablePath: string; args: string[]; env: Record<string, string> }

const systemNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * Finds a Chromium: CHROMIUM_PATH, else Playwright's, else on Linux one of an npm package, which includes the libraries and
 * fonts that a minimal Linux lacks, else the system's. So the lock file decides the version, and updates of the system
 * change no result. `tests/browsers` uses the system's.
 */
export async function findBrowser(): Promise<Browser> {
  const set = process.env['CHROMIUM_PATH']
  if (set) {
    if (!existsSync(set)) throw new Error(`CHROMIUM_PATH names ${set}, which does not exist`)
    return plain('CHROMIUM_PATH', set)
  }
  const own = chromium.executablePath()
  if (existsSync(own)) return plain("Playwright's", own)
  if (process.platform === 'linux' && process.arch === 'x64') return packaged()
  const system = onPath(systemNames)
  if (system) return plain("the system's", system)
  throw new Error('No Chromium was found. Set CHROMIUM_PATH.')
}

function plain(name: string, executablePath: string): Browser {
  return { name, executablePath, args: flags, env: {} }
}

/** Root and containers have no sandbox for Chromium, and often a too small /dev/shm. */
const flags = ['--no-sandbox', '--disable-dev-shm-usage']

function onPath(names: string[]): string | undefined {
  const directories = (process.env['PATH'] ?? '').split(delimiter)
  return names.flatMap((name) => directories.map((directory) => join(directory, name))).find((file) => existsSync(file))
}

async function packaged(): Promise<Browser> {
  const source = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin')
  const home = join(projectRoot, 'node_modules/.cache/chromium')
  if (!existsSync(home)) await unpack(source, home)
  const libraries = [join(home, 'al2023/lib'), process.env['LD_LIBRARY_PATH']].filter(Boolean).join(delimiter)
  return {
    name: 'the npm package',
    executablePath: join(home, 'chromium'),
    args: [...flags, '--disable-gpu'],
    env: { LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: join(home, 'fonts.conf') },
  }
}

/** The package unpacks into TMPDIR, so TMPDIR is set to a temporary folder that is renamed when complete. */
async function unpack(source: string, home: string): Promise<void> {
  await mkdir(dirname(home), { recursive: true })
  const { inflate } = await import('@sparticuz/chromium')
  const before = process.env['TMPDIR']
  const unfinished = await mkdtemp(`${home}-`)
  process.env['TMPDIR'] = unfinished
  try {
    for (const archive of ['chromium.br', 'fonts.tar.br', 'al2023.tar.br']) await inflate(join(source, archive))
    await writeFile(join(unfinished, 'fonts.conf'), fontSettings(home))
    await rename(unfinished, home)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}

function fontSettings(home: string): string {
  const directories = ['/usr/share/fonts', join(home, 'fonts')].map((directory) => `<dir>${directory}</dir>`)
  return `<?xml version="1.0"?>\n<fontconfig>${directories.join('')}<cachedir>${join(home, 'font-cache')}</cachedir></fontconfig>\n`
}
