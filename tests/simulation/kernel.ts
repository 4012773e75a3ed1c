import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { createRandom, hashOf, type Random } from './random.ts'

/** A computer. Its clock may differ from the true time, and it may sleep. */
export type Machine = {
  readonly name: string
  /** Milliseconds by which its clock is ahead of the true time. */
  clockOffset: number
  /** Milliseconds of true time. Until then nothing runs on it. */
  sleepsUntil: number
}

/** A program running on a machine. Nothing of it runs once it has ended. */
export type Process = {
  readonly name: string
  readonly machine: Machine
  isAlive: boolean
  /** Called once when the process ends. */
  readonly onEnd: Set<() => void>
  /** Numbers for what the process itself draws: ids, keys, waits. */
  readonly random: Random
  /** The browser's globals; undefined for a server. */
  browser: BrowserGlobals | undefined
  /** Ends the process at the nth of these from now; see `Kernel.reach`. */
  endAt: { kind: Point; count: number } | null
}

type BrowserGlobals = {
  window: EventTarget
  document: object
  navigator: object
  indexedDB: object
  BroadcastChannel: object
  /** The browser itself, which outlives its tabs. */
  background: Process
}

/** Where a process may be killed. */
export type Point = 'call' | 'statement' | 'timer'

type Event = {
  /** Microseconds of true time. */
  at: number
  tie: number
  sequence: number
  process: Process
  label: string
  run: () => unknown
  isCancelled: boolean
}

const realSetImmediate = setImmediate
/** Resolves when microtasks and next-tick callbacks are done. */
const turn = () => new Promise<void>((resolve) => realSetImmediate(resolve))

const current = new AsyncLocalStorage<Process>()

/** The process whose code is running; undefined for code of the test itself. */
export const currentProcess = (): Process | undefined => current.getStore()

/** A promise that is never settled: the answer to code of a process that has ended. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {})

export type Kernel = ReturnType<typeof createKernel>

/**
 * The scheduler of a simulation. It releases one event at a time, ordered by time and, between processes, by the seed. The
 * next event is released when everything that the last one started has come to rest, including real asynchronous work that
 * `run` returns a promise for.
 */
export function createKernel({
  seed,
  start,
  keepLog = false,
}: {
  seed: number
  /** Milliseconds since 1970. */
  start: number
  /** Keeps all lines of the log, to compare two runs. Otherwise the last 200. */
  keepLog?: boolean
}) {
  let now = start * 1_000
  let sequence = 0
  let released = 0
  const heap: Event[] = []
  const hash = createHash('sha256')
  const lines: string[] = []
  const random = createRandom(seed, 'kernel')

  const isBefore = (one: Event, other: Event) =>
    one.at !== other.at
      ? one.at < other.at
      : one.tie !== other.tie
        ? one.tie < other.tie
        : one.sequence < other.sequence

  function push(event: Event): void {
    let index = heap.push(event) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = heap[parent] as Event
      if (!isBefore(event, above)) break
      heap[index] = above
      index = parent
    }
    heap[index] = event
  }

  function pop(): Event | undefined {
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Event, heap[child] as Event)) child += 1
      if (!isBefore(heap[child] as Event, last)) break
      heap[index] = heap[child] as Event
      index = child
    }
    heap[index] = last
    return first
  }

  function log(line: string): void {
    const full = `${(now / 1_000 - start).toFixed(3)} ${line}`
    hash.update(`${full}\n`)
    lines.push(full)
    if (!keepLog && lines.length > 400) lines.splice(0, 200)
  }

  function scheduleAt(process: Process, at: number, label: string, run: () => unknown): () => void {
    const microseconds = Math.max(now, Math.round(at * 1_000))
    sequence += 1
    const event: Event = {
      at: microseconds,
      // Events of one process keep their order; between processes the seed decides.
      tie: hashOf(`${seed} ${microseconds} ${process.name}`),
      sequence,
      process,
      label,
      run,
      isCancelled: false,
    }
    push(event)
    return () => {
      event.isCancelled = true
    }
  }

  function end(process: Process): void {
    if (!process.isAlive) return
    process.isAlive = false
    log(`${process.name} ends`)
    for (const callback of process.onEnd) callback()
    process.onEnd.clear()
  }

  /** Releases the next event. False if there is none until `limit` (milliseconds). */
  async function step(limit: number): Promise<boolean> {
    for (;;) {
      const next = heap[0]
      if (next === undefined || next.at > limit * 1_000) {
        now = Math.max(now, Math.round(limit * 1_000))
        return false
      }
      pop()
      if (next.isCancelled || !next.process.isAlive) continue
      const wakesAt = next.process.machine.sleepsUntil * 1_000
      if (wakesAt > next.at) {
        next.at = wakesAt
        push(next)
        continue
      }
      now = next.at
      released += 1
      log(`${next.process.name} ${next.label}`)
      const work = current.run(next.process, next.run)
      if (work instanceof Promise) await work
      await turn()
      return true
    }
  }

  return {
    random,
    /** True time in milliseconds. */
    now: () => now / 1_000,
    /** What a machine's clock shows, in whole milliseconds. */
    timeOn: (machine: Machine) => Math.floor(now / 1_000) + machine.clockOffset,
    /** How many events have been released. */
    count: () => released,
    /** The hash of all log lines so far. */
    fingerprint: () => hash.copy().digest('hex'),
    lines: () => lines,
    log,

    /**
     * Drops all events, because code that outlives the simulation refers to the kernel and would keep the data of the
     * events in memory.
     */
    clear: () => {
      heap.length = 0
    },

    /** Runs `run` on a process after so many milliseconds of true time. Returns a function that cancels it. */
    schedule: (process: Process, delay: number, label: string, run: () => unknown) =>
      scheduleAt(process, now / 1_000 + delay, label, run),
    scheduleAt,

    /** Starts a process. Its code runs in events that are scheduled for it. */
    start(machine: Machine, name: string, life = 0): Process {
      return {
        name,
        machine,
        isAlive: true,
        onEnd: new Set(),
        random: createRandom(seed, `${name} ${life}`),
        browser: undefined,
        endAt: null,
      }
    },

    /** Ends a process at once. Code of it that still runs reaches nothing outside. */
    end,

    /** A process is about to make a call, send a statement or run a timer. Returns whether it is still alive. */
    reach(process: Process, kind: Point): boolean {
      if (process.isAlive && process.endAt?.kind === kind) {
        process.endAt.count -= 1
        if (process.endAt.count <= 0) {
          process.endAt = null
          end(process)
        }
      }
      return process.isAlive
    },

    /** Releases events until a time (milliseconds of true time) or until `isDone` holds. */
    async runUntil(limit: number, isDone: () => boolean = () => false): Promise<void> {
      while (!isDone() && (await step(limit))) {
        // Each step releases one event.
      }
    },

    /** Runs real asynchronous work as one event of a process, such as starting the embedded database. */
    async perform<T>(process: Process, label: string, work: () => Promise<T>): Promise<T> {
      let value: { of: T } | undefined
      scheduleAt(process, now / 1_000, label, async () => {
        value = { of: await work() }
      })
      while (value === undefined && (await step(now / 1_000))) {
        // Each step releases one event.
      }
      if (value === undefined) throw new Error(`${label} was not released`)
      return value.of
    },

    /** Runs `work` as code of a process and releases events until its promise is settled. */
    async complete<T>(process: Process, label: string, work: () => Promise<T>, limit = 600_000): Promise<T> {
      let outcome: { value: T } | { error: unknown } | undefined
      scheduleAt(process, now / 1_000, label, () => {
        work().then(
          (value) => {
            outcome = { value }
          },
          (error: unknown) => {
            outcome = { error }
          },
        )
      })
      const until = now / 1_000 + limit
      while (outcome === undefined && (await step(until))) {
        // Each step releases one event.
      }
      if (outcome === undefined) throw new Error(`${label} did not end within ${limit} ms of simulated time`)
      if ('error' in outcome) throw outcome.error
      return outcome.value
    },
  }
}
