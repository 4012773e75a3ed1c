import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Builder, Capabilities, WebDriver } from 'selenium-webdriver'
import { reservePort } from '../../scripts/ports.ts'
import { Marionette } from './marionette.ts'

export type Scheme = 'light' | 'dark'

export type Browser = {
  name: string
  /** The programs that it needs and that are not installed. */
  missing: readonly string[]
  /** Starts a new browser of a person who prefers these colours; `stop` ends all its processes. */
  start(scheme: Scheme): Promise<{ driver: WebDriver; stop(): Promise<void> }>
}

type Run = (program: string, args: readonly string[], env?: Record<string, string>) => ChildProcess

type Start<Program extends string> = (of: {
  /** The path of each program. */
  programs: Readonly<Record<Program, string>>
  scheme: Scheme
  /** An empty directory for this browser alone. */
  directory: string
  run: Run
}) => Promise<WebDriver>

const startsWithin = 30_000
const size = { width: 1440, height: 900 }

const chromium = browser(
  'Chromium',
  { chromium: onPath('chromium'), chromedriver: onPath('chromedriver') },
  async ({ programs, scheme, directory, run }) => {
    const port = await reservePort()
    run(programs.chromedriver, [`--port=${port}`])
    const args = [
      '--headless',
      // Root and containers have no sandbox for Chromium, and often a too small /dev/shm.
      '--no-sandbox',
      '--disable-dev-shm-usage',
      `--user-data-dir=${directory}`,
      ...(scheme === 'dark' ? ['--force-dark-mode'] : []),
    ]
    return connectTo(port, { browserName: 'chrome', 'goog:chromeOptions': { binary: programs.chromium, args } })
  },
)

const firefox = browser(
  'Firefox',
  { firefox: onPath('firefox-esr') ?? onPath('firefox') },
  async ({ programs, scheme, directory, run }) => {
    const settings = {
      // Firefox chooses a port and writes it into a file.
      'marionette.port': 0,
      'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1,
    }
    const lines = Object.entries(settings).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${value});`)
    await writeFile(join(directory, 'user.js'), lines.join('\n'))
    run(programs.firefox, ['--headless', '--marionette', '--no-remote', '--profile', directory])
    const portFile = join(directory, 'MarionetteActivePort')
    const port = await until('Firefox listens', async () => Number(await readFile(portFile, 'utf8').catch(() => 0)))
    return WebDriver.createSession(await Marionette.connect(port), new Capabilities())
  },
)

const webkit = browser(
  'WebKit',
  {
    MiniBrowser: globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser')[0],
    WebKitWebDriver: onPath('WebKitWebDriver'),
    Xvfb: onPath('Xvfb'),
  },
  async ({ programs, scheme, directory, run }) => {
    const port = await reservePort()
    const { stdout } = run(programs.Xvfb, ['-displayfd', '1', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'])
    if (stdout === null) throw new Error('Xvfb has no output')
    const [display] = await once(stdout, 'data', { signal: AbortSignal.timeout(startsWithin) })
    run(programs.WebKitWebDriver, [`--port=${port}`], { DISPLAY: `:${String(display).trim()}`, HOME: directory })
    const args = ['--automation', ...(scheme === 'dark' ? ['--dark-mode'] : [])]
    const options = { binary: programs.MiniBrowser, args }
    return connectTo(port, { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': options })
  },
)

export const browsers: readonly Browser[] = [chromium, firefox, webkit]

function browser<Program extends string>(
  name: string,
  found: Readonly<Record<Program, string | undefined>>,
  launch: Start<Program>,
): Browser {
  const isInstalled = (programs: typeof found): programs is Readonly<Record<Program, string>> =>
    !Object.values(programs).includes(undefined)
  const start = async (scheme: Scheme) => {
    if (!isInstalled(found)) throw new Error(`${name} is not installed`)
    const directory = await mkdtemp(join(tmpdir(), 'staff-inbox-browser-'))
    const groups: number[] = []
    const end = () => groups.splice(0).forEach(killGroup)
    const stop = async () => {
      process.removeListener('exit', end)
      end()
      // The last files may still be written.
      await rm(directory, { recursive: true, force: true, maxRetries: 5 })
    }
    const run: Run = (program, args, env = {}) => {
      const own = { ...process.env, ...env }
      const child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'ignore'], env: own })
      if (child.pid !== undefined) groups.push(child.pid)
      return child
    }
    process.once('exit', end)
    try {
      const driver = await launch({ programs: found, scheme, directory, run })
      await driver
        .manage()
        .window()
        .setRect({ x: 0, y: 0, ...size })
      return { driver, stop }
    } catch (error) {
      await stop()
      throw error
    }
  }
  return { name, missing: Object.keys(found).filter((program) => !Reflect.get(found, program)), start }
}

/** The browsers of a driver belong to its process group. */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

async function connectTo(port: number, capabilities: object): Promise<WebDriver> {
  const url = `http://127.0.0.1:${port}`
  await until('the driver listens', async () => (await fetch(`${url}/status`).catch(() => null))?.ok)
  return new Builder().usingServer(url).withCapabilities(capabilities).build()
}

/** Reads until the value is truthy. */
async function until<Value>(what: string, read: () => Promise<Value>): Promise<NonNullable<Value>> {
  for (const end = Date.now() + startsWithin; Date.now() < end; await wait(50)) {
    const value = await read()
    if (value) return value
  }
  throw new Error(`It took more than ${startsWithin} ms until ${what}`)
}

function onPath(name: string): string | undefined {
  const directories = (process.env['PATH'] ?? '').split(delimiter)
  return directories.map((directory) => join(directory, name)).find((file) => existsSync(file))
}
