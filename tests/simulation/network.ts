import { Duplex } from 'node:stream'
import { currentProcess, type Kernel, never, type Process } from './kernel.ts'
import { createRandom, digestOf } from './random.ts'

/** What answers at an address. */
export type Listener = {
  process: Process
  handle(request: Request, connection: { destroy(): void; remoteAddress: string }): Promise<Response>
  upgrade(request: UpgradeRequest, socket: Duplex): void
}
type UpgradeRequest = {
  method: string
  url: string
  headers: Record<string, string>
  socket: { remoteAddress: string }
}

/** What happens to one request; see `Fate`. */
export type Exchange = { from: string; to: string; method: string; path: string }

/** Milliseconds for the way there and back, and what is lost. `copies`: how often the request arrives. */
export type Fate = {
  there: number
  back: number
  loses: 'nothing' | 'request' | 'answer'
  copies: number
}

/** A lost packet is noticed as a broken connection after this. Milliseconds. */
const resetAfter = 3_000

export type Network = ReturnType<typeof createSimulatedNetwork>

/** HTTP and WebSockets between the processes of a simulation. */
export function createSimulatedNetwork({ kernel, seed }: { kernel: Kernel; seed: number }) {
  const random = createRandom(seed, 'network')
  /** By origin. Of several listeners, as behind a load balancer, each request and each socket gets one. */
  const listeners = new Map<string, Set<Listener>>()
  const sockets = new Set<SimulatedSocket>()
  const silencedAt = new Map<string, number>()
  const rules = { fateOf: (_: Exchange): Partial<Fate> => ({}), isReachable: (_: string, __: string) => true }

  const latency = () => 1 + random.between(0, 40) + (random.chance(0.02) ? random.between(100, 900) : 0)

  function choose(origin: string): Listener | undefined {
    const living = [...(listeners.get(origin) ?? [])].filter(({ process }) => process.isAlive)
    return living.length === 0 ? undefined : random.pick(living)
  }

  const failed = () => new TypeError('fetch failed')

  async function send(process: Process, input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const { signal } = init
    signal?.throwIfAborted()
    const address = new URL(input instanceof Request ? input.url : input)
    const method = init.method ?? 'GET'
    const body = bodyOf(init.body)
    const headers = new Headers(init.headers)
    headers.set('host', address.host)
    if (body !== null) headers.set('content-length', String(body.byteLength))
    const listener = choose(address.origin)
    const exchange = { from: process.name, to: listener?.process.name ?? address.host, method, path: address.pathname }
    const fate: Fate = { there: latency(), back: latency(), loses: 'nothing', copies: 1, ...rules.fateOf(exchange) }
    const label = `${method} ${address.pathname}${address.search} ${body === null ? '' : digestOf(body)}`

    return new Promise<Response>((resolve, reject) => {
      const back = (delay: number, note: string, run: () => void) =>
        kernel.schedule(process, delay, `${note} ${label}`, run)
      signal?.addEventListener('abort', () => reject(signal.reason))
      if (listener === undefined || !rules.isReachable(process.name, listener.process.name)) {
        back(fate.there, 'no connection', () => reject(failed()))
        return
      }
      if (fate.loses === 'request') {
        back(resetAfter, 'lost request', () => reject(failed()))
        return
      }
      const target = listener.process
      const onEnd = () => back(fate.back, 'connection reset', () => reject(failed()))
      target.onEnd.add(onEnd)
      for (let copy = 0; copy < fate.copies; copy++) {
        const there = fate.there + (copy === 0 ? 0 : latency() * 20)
        kernel.schedule(target, there, `receives ${label}`, async () => {
          let isDestroyed = false
          const request = new Request(address, { method, headers, body: body === null ? null : Buffer.from(body) })
          const connection = {
            remoteAddress: `10.0.0.${1 + (process.name.length % 200)}`,
            destroy: () => {
              isDestroyed = true
            },
          }
          const answered = listener.handle(request, connection).then(async (response) => ({
            status: response.status,
            headers: response.headers,
            bytes: [204, 304].includes(response.status) ? null : new Uint8Array(await response.arrayBuffer()),
          }))
          void answered.then(
            ({ status, headers: received, bytes }) => {
              target.onEnd.delete(onEnd)
              if (copy > 0) return
              if (isDestroyed || fate.loses === 'answer') {
                back(isDestroyed ? fate.back : resetAfter, 'lost answer', () => reject(failed()))
                return
              }
              back(fate.back, `${status} ${bytes === null ? '' : digestOf(bytes)}`, () =>
                resolve(new Response(bytes, { status, headers: received })),
              )
            },
            () => back(fate.back, 'broken answer', () => reject(failed())),
          )
        })
      }
    })
  }

  /** One end of a connection. What is written arrives at the other end, in order. */
  class SimulatedSocket extends Duplex {
    readonly owner: Process
    peer!: SimulatedSocket
    remoteAddress = '10.0.0.1'
    /** Nothing written here arrives any more, and nobody notices. */
    isHalfOpen = false
    private lastArrival = 0

    constructor(owner: Process) {
      super({ autoDestroy: true, allowHalfOpen: false })
      this.owner = owner
      sockets.add(this)
      owner.onEnd.add(() => {
        if (!this.isHalfOpen) this.arrive('reset', () => this.peer.destroy())
        sockets.delete(this)
      })
    }
    /** Runs `run` at the other end, after all that was written before. */
    arrive(label: string, run: () => void): void {
      if (this.isHalfOpen) return
      this.lastArrival = Math.max(this.lastArrival, kernel.now() + latency())
      kernel.scheduleAt(this.peer.owner, this.lastArrival, `socket ${label}`, () => {
        if (!this.peer.destroyed && !this.peer.isHalfOpen) run()
      })
    }
    setTimeout() {
      return this
    }
    setNoDelay() {
      return this
    }
    override _read() {}
    override _write(chunk: Buffer, _: string, done: () => void) {
      const bytes = Buffer.from(chunk)
      if (this.owner.isAlive) this.arrive(digestOf(bytes), () => this.peer.push(bytes))
      done()
    }
    override _writev(chunks: { chunk: Buffer }[], done: () => void) {
      this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), '', done)
    }
    override _final(done: () => void) {
      this.arrive('end', () => this.peer.push(null))
      done()
    }
    override _destroy(_: Error | null, done: () => void) {
      sockets.delete(this)
      if (this.owner.isAlive) this.arrive('reset', () => this.peer.destroy())
      done()
    }
  }

  /** The browser's WebSocket, over a simulated connection. */
  class SimulatedWebSocket extends EventTarget {
    static readonly CONNECTING = 0
    static readonly OPEN = 1
    static readonly CLOSING = 2
    static readonly CLOSED = 3
    readonly CONNECTING = 0
    readonly OPEN = 1
    readonly CLOSING = 2
    readonly CLOSED = 3
    readonly url: string
    readonly protocol = ''
    readonly extensions = ''
    binaryType = 'blob'
    bufferedAmount = 0
    readyState = 0
    onopen: ((event: Event) => void) | null = null
    onmessage: ((event: Event) => void) | null = null
    onerror: ((event: Event) => void) | null = null
    onclose: ((event: Event) => void) | null = null
    readonly #process: Process
    #socket: SimulatedSocket | undefined
    #received = Buffer.alloc(0)
    #isUpgraded = false
    #closing = { code: 1006, reason: '' }

    constructor(url: string | URL) {
      super()
      const process = currentProcess()
      if (process === undefined) throw new Error('only a simulated browser opens sockets here')
      this.#process = process
      this.url = String(url)
      const address = new URL(this.url.replace(/^ws/, 'http'))
      const listener = choose(address.origin)
      if (listener === undefined || !rules.isReachable(process.name, listener.process.name)) {
        kernel.schedule(process, latency(), 'no socket', () => this.#end(true))
        return
      }
      const socket = new SimulatedSocket(process)
      const other = new SimulatedSocket(listener.process)
      socket.peer = other
      other.peer = socket
      this.#socket = socket
      socket.on('data', (bytes: Buffer) => this.#take(bytes))
      socket.on('error', () => undefined)
      socket.on('close', () => this.#end(!this.#isUpgraded))
      const headers = {
        host: address.host,
        upgrade: 'websocket',
        connection: 'Upgrade',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      }
      const path = `${address.pathname}${address.search}`
      const request = { method: 'GET', url: path, headers, socket: { remoteAddress: '127.0.0.1' } }
      socket.arrive('upgrade', () => listener.upgrade(request, other))
    }

    send(text: string): void {
      if (this.readyState === 1) this.#write(1, Buffer.from(text))
    }

    close(code = 1000, reason = ''): void {
      if (this.readyState >= 2) return
      const wasOpen = this.readyState === 1
      this.readyState = 2
      this.#closing = { code, reason }
      if (!wasOpen) return void this.#socket?.destroy()
      const payload = Buffer.alloc(2)
      payload.writeUInt16BE(code)
      this.#write(8, payload)
      // A browser waits for the answer, but not for ever.
      kernel.schedule(this.#process, 10_000, 'socket close timeout', () => this.#socket?.destroy())
    }

    #write(kind: number, payload: Buffer): void {
      const head = [0x80 | kind]
      if (payload.length < 126) head.push(0x80 | payload.length)
      else if (payload.length < 65_536) head.push(0x80 | 126, payload.length >> 8, payload.length & 255)
      else throw new Error('the simulated browser writes no frame of this size')
      // A mask of zeros leaves the payload as it is.
      this.#socket?.write(Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload]))
    }

    #take(bytes: Buffer): void {
      this.#received = Buffer.concat([this.#received, bytes])
      if (!this.#isUpgraded) {
        const end = this.#received.indexOf('\r\n\r\n')
        if (end < 0) return
        if (!this.#received.subarray(0, end).toString().startsWith('HTTP/1.1 101')) return void this.#socket?.destroy()
        this.#received = this.#received.subarray(end + 4)
        this.#isUpgraded = true
        this.readyState = 1
        this.#emit('open', {})
      }
      for (let frame = this.#readFrame(); frame !== null; frame = this.#readFrame()) this.#handle(frame)
    }

    /** Servers do not mask. */
    #readFrame(): { kind: number; payload: Buffer } | null {
      const [first, second] = this.#received
      if (first === undefined || second === undefined) return null
      let [length, start] = [second & 127, 2]
      if (length === 126) [length, start] = [this.#received.length < 4 ? Infinity : this.#received.readUInt16BE(2), 4]
      else if (length === 127)
        [length, start] = [this.#received.length < 10 ? Infinity : Number(this.#received.readBigUInt64BE(2)), 10]
      if (this.#received.length < start + length) return null
      const payload = this.#received.subarray(start, start + length)
      this.#received = this.#received.subarray(start + length)
      return { kind: first & 15, payload }
    }

    #handle({ kind, payload }: { kind: number; payload: Buffer }): void {
      if (kind === 1) this.#emit('message', { data: payload.toString() })
      if (kind === 9) this.#write(10, payload)
      if (kind === 8) {
        const code = payload.length < 2 ? 1005 : payload.readUInt16BE(0)
        if (this.readyState === 1) {
          this.#closing = { code, reason: payload.subarray(2).toString() }
          this.readyState = 2
          this.#write(8, payload.subarray(0, 2))
        }
        this.#socket?.end()
      }
    }

    #end(isError: boolean): void {
      if (this.readyState === 3) return
      this.readyState = 3
      if (isError) this.#emit('error', {})
      this.#emit('close', { ...this.#closing, wasClean: this.#closing.code !== 1006 })
    }

    #emit(name: 'open' | 'message' | 'error' | 'close', values: object): void {
      const event = Object.assign(new Event(name), values)
      this[`on${name}`]?.(event)
      this.dispatchEvent(event)
    }
  }

  return {
    rules,
    WebSocket: SimulatedWebSocket,
    fetch: (process: Process, input: RequestInfo | URL, init?: RequestInit): Promise<Response> =>
      process.isAlive ? send(process, input, init) : never(),

    /** Makes a process answer at an origin until it ends. */
    listen(origin: string, listener: Listener): void {
      const all = listeners.get(origin) ?? new Set()
      listeners.set(origin, all)
      all.add(listener)
      listener.process.onEnd.add(() => all.delete(listener))
    },

    /** Removes a listener of a process that closes in order. */
    unlisten(origin: string, process: Process): void {
      for (const listener of listeners.get(origin) ?? []) {
        if (listener.process === process) listeners.get(origin)?.delete(listener)
      }
    },

    /** Sockets that a process holds. */
    socketsOf: (process: Process) => [...sockets].filter(({ owner }) => owner === process),

    /** When a socket of a process last went silent, in milliseconds of true time. */
    silencedAt: (process: string) => silencedAt.get(process) ?? Number.NEGATIVE_INFINITY,

    /** Nothing more arrives over these sockets of a process, in either direction, and neither end is told. */
    silence(process: Process): void {
      for (const socket of sockets) {
        if (socket.owner !== process) continue
        socket.isHalfOpen = true
        socket.peer.isHalfOpen = true
        for (const { owner } of [socket, socket.peer]) silencedAt.set(owner.name, kernel.now())
      }
    },
  }
}

function bodyOf(body: RequestInit['body'] | undefined): Uint8Array | null {
  if (body === undefined || body === null) return null
  if (typeof body === 'string') return Buffer.from(body)
  if (body instanceof URLSearchParams) return Buffer.from(body.toString())
  if (body instanceof Uint8Array) return body
  throw new Error('the simulated network carries texts and bytes')
}
