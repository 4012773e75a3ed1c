import type { Clock } from './clock.ts'
import { codeOf } from './database/transaction.ts'
import type { Logger } from './logger.ts'

type Settings = {
  /** Works off what is due; asks `isRunning` between one piece and the next. */
  work: (isRunning: () => boolean) => Promise<void>
  /** Throws away what is no longer needed; once an hour. */
  sweep: () => Promise<void>
  /** Milliseconds until it looks by itself. */
  idlePause: number
  /** What is logged where `work` throws; it is tried again after the pause. */
  failure: string
  clock: Clock
  logger: Pick<Logger, 'error'>
}

const sweepEvery = 60 * 60_000

/** Runs `work` when it is woken and now and then by itself, never twice at a time. */
export function createWorkLoop({ work, sweep, idlePause, failure, clock, logger }: Settings) {
  let running = false
  let wanted = false
  let current: Promise<void> | null = null
  let callOff: () => void = () => undefined
  let sweptAt = 0

  function wake(): void {
    wanted = true
    if (!running || current) return
    callOff()
    current = run()
  }

  async function run(): Promise<void> {
    while (wanted && running) {
      wanted = false
      try {
        await work(() => running)
        if (clock.now() - sweptAt >= sweepEvery) {
          sweptAt = clock.now()
          await sweep()
        }
      } catch (error) {
        logger.error({ reason: codeOf(error) }, failure)
      }
    }
    current = null
    if (running) callOff = clock.after(idlePause, wake)
  }

  return {
    /** Begins, with what an earlier process left. */
    start(): void {
      running = true
      wake()
    },

    /** There is something new; without this it is found after the idle pause. */
    wake,

    /** Resolves when all that was known is worked off. */
    async settled(): Promise<void> {
      while (current) await current
    },

    /** Ends after the piece in hand. */
    async stop(): Promise<void> {
      running = false
      callOff()
      await current
    },
  }
}
