import type { Clock } from './clock.ts'
import { codeOf } from './database/transaction.ts'
import type { Logger } from './logger.ts'

type Settings = {
  /** Processes everything that is due. Checks `isRunning` between items. */
  work: (isRunning: () => boolean) => Promise<void>
  /** Deletes old rows; called once an hour. Checks `isRunning` between batches. */
  sweep: (isRunning: () => boolean) => Promise<void>
  /** Milliseconds between runs without `wake`. */
  pollInterval: number
  /** Logged when `work` throws. `work` is retried after `pollInterval`. */
  failureMessage: string
  clock: Clock
  logger: Pick<Logger, 'error'>
}

const sweepInterval = 60 * 60_000

/** Runs `work` on `wake` and every `pollInterval`, one run at a time. */
export function createWorkLoop({ work, sweep, pollInterval, failureMessage, clock, logger }: Settings) {
  let running = false
  let wakeRequested = false
  let current: Promise<void> | null = null
  let cancelTimer: () => void = () => undefined
  let sweptAt = 0

  function wake(): void {
    wakeRequested = true
    if (!running || current) return
    cancelTimer()
    current = run()
  }

  async function run(): Promise<void> {
    while (wakeRequested && running) {
      wakeRequested = false
      try {
        await work(() => running)
        if (clock.now() - sweptAt >= sweepInterval) {
          sweptAt = clock.now()
          await sweep(() => running)
        }
      } catch (error) {
        logger.error({ reason: codeOf(error) }, failureMessage)
      }
    }
    current = null
    if (running) cancelTimer = clock.after(pollInterval, wake)
  }

  return {
    /** Starts the loop; the first run is immediate. */
    start(): void {
      running = true
      wake()
    },

    /** Runs `work` now instead of after the poll interval. */
    wake,

    /** Resolves when no run is active. */
    async settled(): Promise<void> {
      while (current) await current
    },

    /** Stops after the current item. */
    async stop(): Promise<void> {
      running = false
      cancelTimer()
      await current
    },
  }
}
