import { setImmediate as nextTurn } from 'node:timers/promises'
import { type AttachableClock, TestClock } from 'pg-boss'
import type { Role } from '../../server/auth/roles.ts'
import type { OpenDatabase } from '../../server/database/database.ts'
import { createJobs } from '../../server/jobs.ts'
import { createLogger, type Logger } from '../../server/logger.ts'
import { createFacebookLogin } from '../../server/network/pages/facebook-login.ts'
import { createPageManagement } from '../../server/network/pages/page-management.ts'
import { createPagePictures } from '../../server/network/pictures/page-pictures.ts'
import { createPictures } from '../../server/network/pictures/pictures.ts'
import { createAutoSync } from '../../server/network/sync/auto-sync.ts'
import { createHistorySyncs } from '../../server/network/sync/history-syncs.ts'
import { createRecentSync } from '../../server/network/sync/recent-sync.ts'
import type { Sync } from '../../server/network/sync/sync.ts'
import { requestAs, wholeApi } from './api-harness.ts'
import { databaseIdle } from './database-work.ts'
import { keysOf } from './derived-keys.ts'
import { appId, appSecret, type Harness, openHarness } from './network-harness.ts'
import { type SignedIn, signInEachRole } from './sign-in.ts'

const step = 1_000

type Answer = { status: number; body: Record<string, unknown>; headers: Headers }

/** The shared clock for one process. After the process is killed its timers never fire. */
function killableClock(clock: TestClock) {
  let isKilled = false
  const unlessKilled = (run: () => void) => () => {
    if (!isKilled) run()
  }
  const own: AttachableClock = {
    now: () => clock.now(),
    setTimeout: (run, milliseconds) => clock.setTimeout(unlessKilled(run), milliseconds),
    setInterval: (run, milliseconds) => clock.setInterval(unlessKilled(run), milliseconds),
    clearTimeout: (handle) => clock.clearTimeout(handle),
    clearInterval: (handle) => clock.clearInterval(handle),
    attach: (target) => clock.attach(target),
  }
  return {
    own,
    kill: () => {
      isKilled = true
    },
  }
}

/** One process of the inbox: its job queue and its API. */
async function openProcess(
  harness: Harness,
  database: OpenDatabase,
  {
    sync = harness.sync,
    timeZone,
    logger,
    sharedClock,
  }: { sync?: Sync; timeZone: string; logger: Logger; sharedClock: TestClock },
) {
  const { graph, pageTokens, normalizeUrl, calls, clock } = harness
  const { db } = database
  const { own, kill } = killableClock(sharedClock)
  const jobs = createJobs(database, { logger, clock: own })
  const pictures = createPictures({ db, graph, calls, normalizeUrl, clock, logger })
  const recent = createRecentSync({ db, sync, clock, logger })
  const historySyncs = createHistorySyncs({ db, jobs, sync, clock, logger })
  const autoSync = createAutoSync({ db, jobs, recent, clock, logger })
  const pagePictures = createPagePictures({ db, jobs, pictures, timeZone, logger })
  const management = createPageManagement({
    db,
    graph,
    pageTokens,
    normalizeUrl,
    erasures: harness.erasures,
    calls,
    appToken: `${appId}|${appSecret}`,
    clock,
    logger,
  })
  const facebookLogin = createFacebookLogin({
    db,
    graph,
    management,
    keys: keysOf(9),
    account: {
      appId,
      appToken: `${appId}|${appSecret}`,
      configId: 'configuration',
      version: 'v26.0',
      dialogUrl: () => `${harness.address}/sandbox`,
      pagesUrl: (origin) => origin,
    },
    clock,
  })
  await jobs.start()
  for (const worker of [historySyncs, autoSync, pagePictures]) {
    await worker.createQueue()
    await worker.work()
  }
  const api = wholeApi(db, {
    sending: harness.newSending(),
    pictures,
    erasures: harness.erasures,
    pageWork: { management, facebookLogin, pagePictures, historySyncs, recent, autoSync },
    clock,
    logger,
  })

  return {
    api,
    jobs,
    historySyncs,
    autoSync,
    isBusy: () => jobs.getWipData().some(({ count }) => count > 0),

    async call(who: SignedIn, method: string, path: string, body?: unknown): Promise<Answer> {
      const response = await requestAs(who, api, method, `/facebook${path}`, body)
      return { status: response.status, body: await response.json(), headers: response.headers }
    },

    kill,

    close: () => jobs.stop({ graceful: true, timeout: 2_000 }),
  }
}

export type Process = Awaited<ReturnType<typeof openProcess>>

/** The network harness with one or more processes of the inbox, on a manual clock. */
export async function openPageHarness(
  database: OpenDatabase,
  options: { start?: number; paced?: boolean; timeZone?: string } = {},
) {
  const { timeZone = 'Asia/Manila', ...rest } = options
  const logged: string[] = []
  const logger = createLogger('info', { write: (line: string) => void logged.push(line) })
  const harness = await openHarness(database, rest)
  const sharedClock = new TestClock(harness.clock.now())
  const processes: Process[] = []
  const open = async (on: OpenDatabase = database, sync?: Sync) => {
    const process = await openProcess(harness, on, {
      timeZone,
      logger,
      sharedClock,
      ...(sync === undefined ? {} : { sync }),
    })
    processes.push(process)
    return process
  }
  const first = await open()
  const staff = await signInEachRole(harness.db)

  /** Advances the time of all processes and runs what is due. */
  async function pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= step) {
      harness.clock.advance(Math.min(step, left))
      await sharedClock.tick(Math.min(step, left))
      await databaseIdle()
    }
  }

  /** Like `pass`, but waits for the work of each step. */
  async function passAndSettle(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= step) {
      await pass(Math.min(step, left))
      while (processes.some((process) => process.isBusy())) await nextTurn()
    }
  }

  /** Jumps to a time without running anything in between. */
  async function jumpTo(moment: number): Promise<void> {
    harness.clock.advance(moment - harness.clock.now())
    await sharedClock.setTime(moment)
  }

  /** Advances the time until a condition holds. */
  async function passUntil(condition: () => Promise<boolean> | boolean, timeout = 10 * 60_000): Promise<void> {
    const end = harness.clock.now() + timeout
    while (!(await condition())) {
      if (harness.clock.now() > end) throw new Error('the condition was not met in time')
      await pass(step)
    }
  }

  return {
    ...harness,
    harness,
    staff,
    logged,
    first,
    open,
    pass,
    passAndSettle,
    passUntil,
    jumpTo,
    /** Kills a process. */
    kill: (process: Process) => {
      process.kill()
      processes.splice(processes.indexOf(process), 1)
    },
    /** Stops a process gracefully. */
    async stop(process: Process) {
      processes.splice(processes.indexOf(process), 1)
      await process.close()
    },
    as: (role: Role, method: string, path: string, body?: unknown) => first.call(staff[role], method, path, body),
    quiet: () => passUntil(() => processes.every((process) => !process.isBusy())),

    /**
     * `lost`: readable messages of the page that the inbox lacks. `invented`: stored messages that the network does not
     * have.
     */
    async differences(pageId: string): Promise<{ lost: string[]; invented: string[] }> {
      const [network, inbox] = await Promise.all([
        harness.control<{ mid: string; readable: boolean }[]>('GET', `/pages/${pageId}/messages`),
        harness.db.selectFrom('messages').select('message_id').where('page_id', '=', pageId).execute(),
      ])
      const [there, here] = [new Set(network.map(({ mid }) => mid)), new Set(inbox.map(({ message_id }) => message_id))]
      return {
        lost: network.flatMap(({ mid, readable }) => (readable && !here.has(mid) ? [mid] : [])),
        invented: [...here].filter((mid) => !there.has(mid)),
      }
    },

    async close() {
      for (const process of processes) await process.close()
      await harness.close()
    },
  }
}

export type PageHarness = Awaited<ReturnType<typeof openPageHarness>>
