import { createRequire, syncBuiltinESMExports } from 'node:module'
import { currentProcess, type Kernel, never, type Process } from './kernel.ts'
import type { Network } from './network.ts'
import { createSimulatedUploads } from './uploads.ts'

const nodeCrypto: typeof import('node:crypto') = createRequire(import.meta.url)('node:crypto')

/** Simulated milliseconds that a password hash takes. */
const hashDuration = 300

/** A timer of node and, as a number, of a browser. */
class SimulatedTimer {
  readonly id: number
  cancel: () => void = () => undefined
  constructor(id: number) {
    this.id = id
  }
  ref() {
    return this
  }
  unref() {
    return this
  }
  hasRef() {
    return true
  }
  [Symbol.toPrimitive]() {
    return this.id
  }
}

/**
 * Replaces what reaches outside of the program: time, timers, random numbers, `fetch`, `WebSocket`, and the globals of a
 * browser. Code that runs as part of a simulated process gets the simulation's; any other code the real ones. Work that the
 * runtime does in other threads (WebCrypto, password hashes) ends in an event of its own. Returns a function that restores
 * the real ones.
 */
export function replaceGlobals(kernel: Kernel, network: Network): () => void {
  const restore: (() => void)[] = []
  function replace(target: object, name: string, descriptor: PropertyDescriptor): void {
    const before = Object.getOwnPropertyDescriptor(target, name)
    Object.defineProperty(target, name, { configurable: true, enumerable: true, ...descriptor })
    restore.push(() => {
      if (before === undefined) Reflect.deleteProperty(target, name)
      else Object.defineProperty(target, name, before)
    })
  }
  const put = (target: object, name: string, value: unknown) => replace(target, name, { value, writable: true })

  const timeOf = (process: Process) => kernel.timeOn(process.machine)

  const RealDate = Date
  class SimulatedDate extends RealDate {
    constructor(...values: unknown[]) {
      const process = currentProcess()
      if (values.length === 0 && process !== undefined) super(timeOf(process))
      else super(...(values as [number]))
    }
    static override now(): number {
      const process = currentProcess()
      return process === undefined ? RealDate.now() : timeOf(process)
    }
    static override [Symbol.hasInstance](value: unknown): boolean {
      return Function.prototype[Symbol.hasInstance].call(RealDate, value)
    }
  }
  put(globalThis, 'Date', SimulatedDate)
  const realNow = performance.now.bind(performance)
  put(performance, 'now', () => {
    const process = currentProcess()
    return process === undefined ? realNow() : kernel.now()
  })

  const realOrigin = performance.timeOrigin
  replace(performance, 'timeOrigin', { get: () => (currentProcess() === undefined ? realOrigin : 0) })

  const timers = new Map<number, SimulatedTimer>()
  let lastTimer = 0
  function startTimer(process: Process, delay: number, label: string, run: () => void, isRepeated: boolean) {
    lastTimer += 1
    const timer = new SimulatedTimer(lastTimer)
    timers.set(timer.id, timer)
    const interval = Number.isFinite(delay) ? Math.max(label === 'immediate' ? 0 : 1, Math.floor(delay)) : 1
    const schedule = () => {
      timer.cancel = kernel.schedule(process, interval, `${label} ${interval}`, () => {
        if (isRepeated) schedule()
        else timers.delete(timer.id)
        if (kernel.reach(process, 'timer')) run()
      })
    }
    if (process.isAlive) schedule()
    return timer
  }
  function cancelTimer(handle: unknown): boolean {
    const timer = handle instanceof SimulatedTimer ? handle : timers.get(Number(handle))
    timer?.cancel()
    if (timer !== undefined) timers.delete(timer.id)
    return timer !== undefined
  }
  type Callback = (...values: unknown[]) => void
  const startWith = (name: 'setTimeout' | 'setInterval', isRepeated: boolean) => {
    const real = globalThis[name] as (run: Callback, delay?: number, ...values: unknown[]) => unknown
    put(globalThis, name, (run: Callback, delay = 0, ...values: unknown[]) => {
      const process = currentProcess()
      if (process === undefined) return real(run, delay, ...values)
      return startTimer(process, delay, isRepeated ? 'interval' : 'timer', () => run(...values), isRepeated)
    })
  }
  startWith('setTimeout', false)
  startWith('setInterval', true)
  const realImmediate = setImmediate as (run: Callback, ...values: unknown[]) => unknown
  put(globalThis, 'setImmediate', (run: Callback, ...values: unknown[]) => {
    const process = currentProcess()
    if (process === undefined) return realImmediate(run, ...values)
    // Of the clients only fake-indexeddb calls it. Its work goes on when the tab that asked for it is closed.
    const { background } = process.browser ?? {}
    if (background !== undefined) return kernel.schedule(background, 0, 'IndexedDB', () => run(...values))
    return startTimer(process, 0, 'immediate', () => run(...values), false)
  })
  for (const name of ['clearTimeout', 'clearInterval', 'clearImmediate'] as const) {
    const real = globalThis[name] as (handle: never) => void
    put(globalThis, name, (handle: unknown) => {
      if (!cancelTimer(handle)) real(handle as never)
    })
  }
  const realTimeout = AbortSignal.timeout.bind(AbortSignal)
  put(AbortSignal, 'timeout', (milliseconds: number) => {
    const process = currentProcess()
    if (process === undefined) return realTimeout(milliseconds)
    const controller = new AbortController()
    const expire = () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
    startTimer(process, milliseconds, 'timer', expire, false)
    return controller.signal
  })

  const realRandom = Math.random
  put(Math, 'random', () => (currentProcess() === undefined ? realRandom() : (currentProcess()?.random.next() ?? 0)))
  const bytesOf = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  function uuid(process: Process): string {
    const bytes = Buffer.alloc(16)
    process.random.fill(bytes)
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }
  function patch<Call extends (...values: never[]) => unknown>(
    target: object,
    name: string,
    simulated: (process: Process, ...values: Parameters<Call>) => unknown,
  ): void {
    const real: Call = Reflect.get(target, name)
    put(target, name, (...values: Parameters<Call>) => {
      const process = currentProcess()
      return process === undefined ? real.apply(target, values) : simulated(process, ...values)
    })
  }
  const fillView = (process: Process, view: ArrayBufferView) => {
    process.random.fill(bytesOf(view))
    return view
  }
  patch(crypto, 'randomUUID', uuid)
  patch(crypto, 'getRandomValues', fillView)
  patch(nodeCrypto, 'randomUUID', uuid)
  patch(nodeCrypto, 'randomFillSync', fillView)
  patch(nodeCrypto, 'randomBytes', (process, size: number) => fillView(process, Buffer.alloc(size)))
  patch(nodeCrypto, 'randomInt', (process, min: number, max?: number) =>
    max === undefined ? process.random.between(0, min - 1) : process.random.between(min, max - 1),
  )
  // A hash of the real cost takes 0.3 s, which a simulation cannot afford. Salt and password still decide the result.
  patch(
    nodeCrypto,
    'scrypt',
    (
      process,
      password: string,
      salt: Buffer,
      length: number,
      _cost: unknown,
      done: (error: null, key: Buffer) => void,
    ) => {
      const key = nodeCrypto.scryptSync(password, salt, length, { N: 2, r: 1, p: 1 })
      kernel.schedule(process, hashDuration, 'password hash', () => done(null, key))
    },
  )
  syncBuiltinESMExports()
  restore.push(syncBuiltinESMExports)

  for (const name of ['digest', 'sign', 'verify', 'importKey', 'deriveBits', 'encrypt', 'decrypt'] as const) {
    const real = crypto.subtle[name].bind(crypto.subtle) as (...values: unknown[]) => Promise<unknown>
    put(crypto.subtle, name, (...values: unknown[]) => {
      const process = currentProcess()
      if (process === undefined) return real(...values)
      return new Promise((resolve, reject) => {
        kernel.schedule(process, 0, `crypto ${name}`, () => real(...values).then(resolve, reject))
      })
    })
  }

  const realArrayBuffer = Blob.prototype.arrayBuffer
  const readBlob = (process: Process, blob: Blob): Promise<ArrayBuffer> =>
    new Promise((resolve, reject) => {
      kernel.schedule(process, 0, `reads ${blob.size} bytes`, () => realArrayBuffer.call(blob).then(resolve, reject))
    })
  put(Blob.prototype, 'arrayBuffer', function (this: Blob) {
    const process = currentProcess()
    return process?.browser === undefined ? realArrayBuffer.call(this) : readBlob(process, this)
  })

  const realFetch = globalThis.fetch
  put(globalThis, 'fetch', (input: RequestInfo | URL, init?: RequestInit) => {
    const process = currentProcess()
    if (process === undefined) return realFetch(input, init)
    return kernel.reach(process, 'call') ? network.fetch(process, input, init) : never<Response>()
  })
  put(globalThis, 'WebSocket', network.WebSocket)
  put(globalThis, 'XMLHttpRequest', createSimulatedUploads())
  replace(globalThis, 'isSecureContext', { get: () => currentProcess()?.browser !== undefined })
  for (const name of ['window', 'document', 'navigator', 'indexedDB', 'BroadcastChannel'] as const) {
    const outside: unknown = Reflect.get(globalThis, name)
    replace(globalThis, name, {
      get: () => {
        const process = currentProcess()
        return process === undefined ? outside : process.browser?.[name]
      },
    })
  }

  return () => {
    for (const undo of restore.reverse()) undo()
  }
}
