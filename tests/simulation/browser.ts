import { IDBFactory } from 'fake-indexeddb'
// The classes that idb looks for.
import 'fake-indexeddb/auto'
import { currentProcess, type Kernel, type Machine, type Process } from './kernel.ts'
import { createRandom } from './random.ts'

/** Milliseconds until another tab hears of a change of the storage, or of a message to all tabs. */
const latency = { least: 0, most: 30 }

/** The locks that the tabs of one browser share. A tab that ends releases its own. */
/** The locks that the tabs of one browser share. A tab that ends releases its own. */
function createLocks(kernel: Kernel) {
  type Held = { name: string; process: Process | undefined }
  let held: Held[] = []
  const waiting: { name: string; process: Process | undefined; grant: () => void }[] = []
  const next = () => {
    for (const one of [...waiting]) {
      if (held.some(({ name }) => name === one.name)) continue
      waiting.splice(waiting.indexOf(one), 1)
      if (one.process?.isAlive) one.grant()
    }
  }
  return {
    async request(name: string, ...rest: unknown[]): Promise<unknown> {
      const work = rest.at(-1) as (lock: object | null) => unknown
      const { signal, ifAvailable } = (rest.length > 1 ? rest[0] : {}) as {
        signal?: AbortSignal
        ifAvailable?: boolean
      }
      const process = currentProcess()
      signal?.throwIfAborted()
      if (ifAvailable && held.some((lock) => lock.name === name)) return work(null)
      await new Promise<void>((resolve, reject) => {
        const entry = {
          name,
          process,
          grant: () => {
            held.push({ name, process })
            if (process !== undefined) kernel.schedule(process, 0, `lock ${name.slice(0, 24)}`, resolve)
          },
        }
        waiting.push(entry)
        signal?.addEventListener('abort', () => {
          if (!waiting.includes(entry)) return
          waiting.splice(waiting.indexOf(entry), 1)
          reject(signal.reason)
        })
        next()
      })
      try {
        return await work({ name, mode: 'exclusive' })
      } finally {
        held = held.filter((lock) => lock.name !== name || lock.process !== process)
        next()
      }
    },
    query: async () => ({ held: held.map(({ name }) => ({ name, mode: 'exclusive' })), pending: [] }),
    release(process: Process) {
      held = held.filter((lock) => lock.process !== process)
      next()
    },
  }
}

export type SimulatedBrowser = ReturnType<typeof createSimulatedBrowser>

/** What the tabs of one browser share: the storage with its events, locks, channels, IndexedDB and the connection. */
export function createSimulatedBrowser({ kernel, seed, machine }: { kernel: Kernel; seed: number; machine: Machine }) {
  const random = createRandom(seed, machine.name)
  const stored = new Map<string, string>()
  const tabs = new Map<Process, { window: EventTarget }>()
  const indexedDB = new IDBFactory()
  /** The browser itself, which goes on with transactions of tabs that are closed. */
  const background = kernel.start(machine, `${machine.name} browser`)
  let isFull = false
  let hasBeenFull = false
  let isOnline = true

  const locks = createLocks(kernel)

  /** Runs something in the other open tabs, each after a short time. */
  function inOtherTabs(label: string, run: (process: Process, tab: { window: EventTarget }) => void): void {
    const own = currentProcess()
    for (const [process, tab] of tabs) {
      if (process !== own) {
        kernel.schedule(process, random.between(latency.least, latency.most), label, () => run(process, tab))
      }
    }
  }

  const tellOtherTabs = (key: string | null, oldValue: string | null, newValue: string | null) =>
    inOtherTabs('storage event', (_, { window }) => {
      window.dispatchEvent(Object.assign(new Event('storage'), { key, oldValue, newValue }))
    })

  const storage: Storage = {
    get length() {
      return stored.size
    },
    key: (index) => [...stored.keys()][index] ?? null,
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, text) => {
      if (isFull) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
      const before = stored.get(key) ?? null
      if (!(currentProcess()?.isAlive ?? false)) return
      stored.set(key, String(text))
      if (before !== String(text)) tellOtherTabs(key, before, String(text))
    },
    removeItem: (key) => {
      const before = stored.get(key)
      if (before === undefined || !(currentProcess()?.isAlive ?? false)) return
      stored.delete(key)
      tellOtherTabs(key, before, null)
    },
    clear: () => {
      if (!(currentProcess()?.isAlive ?? false)) return
      stored.clear()
      tellOtherTabs(null, null, null)
    },
  }

  const channels = new Set<SimulatedBroadcastChannel>()
  class SimulatedBroadcastChannel extends EventTarget {
    readonly name: string
    readonly owner = currentProcess()
    onmessage: ((event: Event) => void) | null = null
    constructor(name: string) {
      super()
      this.name = name
      channels.add(this)
    }
    postMessage(message: unknown): void {
      const data: unknown = structuredClone(message)
      for (const channel of channels) {
        const { owner } = channel
        if (channel === this || channel.name !== this.name || owner === undefined) continue
        kernel.schedule(owner, random.between(latency.least, latency.most), `channel ${this.name}`, () => {
          if (!channels.has(channel)) return
          const event = Object.assign(new Event('message'), { data })
          channel.onmessage?.(event)
          channel.dispatchEvent(event)
        })
      }
    }
    close(): void {
      channels.delete(this)
    }
  }

  const navigator = {
    locks,
    userAgent: 'simulated',
    // No sound.
    userActivation: { hasBeenActive: false },
    get onLine() {
      return isOnline
    },
  }

  const globals = { navigator, indexedDB, BroadcastChannel: SimulatedBroadcastChannel, background }
  background.browser = { ...globals, window: new EventTarget(), document: {} }

  return {
    machine,
    storage,
    navigator,
    globals,
    /** What the browser keeps over closed tabs. */
    stored,
    /** The values in a store of IndexedDB, by key. */
    saved: (database: string, store: string): Map<unknown, unknown> => recordsIn(indexedDB, database, store),

    addTab(process: Process, tab: { window: EventTarget }): void {
      tabs.set(process, tab)
      process.onEnd.add(() => {
        tabs.delete(process)
        for (const channel of channels) if (channel.owner === process) channels.delete(channel)
        locks.release(process)
      })
    },
    dispatchToTabs(name: string): void {
      for (const [process, { window }] of tabs) {
        kernel.schedule(process, 0, name, () => void window.dispatchEvent(new Event(name)))
      }
    },

    setOnline(online: boolean): void {
      isOnline = online
      this.dispatchToTabs(online ? 'online' : 'offline')
    },
    isOnline: () => isOnline,
    fillStorage(full: boolean): void {
      isFull = full
      hasBeenFull ||= full
    },
    /** Whether the storage was ever full, so that something may not have been kept. */
    hasBeenFull: () => hasBeenFull,
  }
}

/** Reads from the inside of fake-indexeddb, because a transaction would be a part of the simulation. */
function recordsIn(factory: IDBFactory, database: string, store: string): Map<unknown, unknown> {
  type Inside = {
    _databases: Map<string, { rawObjectStores: Map<string, { records: { values(): Iterable<Row> } }> }>
  }
  type Row = { key: unknown; value: unknown }
  const { _databases } = factory as unknown as Inside
  const rows = _databases.get(database)?.rawObjectStores.get(store)?.records.values() ?? []
  return new Map(Array.from(rows, ({ key, value }) => [key, value]))
}
