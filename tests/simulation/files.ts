import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { assertKey, type FileStore } from '../../server/files/file-store.ts'
import { FetchRefused, type OpenSource } from '../../server/pictures/open-source.ts'
import { type Kernel, never, type Process } from './kernel.ts'
import { createRandom } from './random.ts'

/** What happens to a request to the store. */
export const storeFaults = ['refuses', 'loses the answer', 'is slow'] as const
type StoreFault = (typeof storeFaults)[number]

/** A lost answer is noticed as a broken connection after this. Milliseconds. */
const resetAfter = 3_000

/** The content of a file of the social network, made from its address. */
const contentOf = (path: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(`file ${path}`.repeat(8)))

/** Answers for the files of the social network; null for another path. */
export const answerFile = (request: Request): Response | null => {
  const { pathname } = new URL(request.url)
  return /^\/media\/(?!sent\/)/.test(pathname) ? new Response(contentOf(pathname)) : null
}

/** Downloads from the social network over the simulated network, on the process that calls this. */
export const openSource: OpenSource = async (address, signal) => {
  const response = await fetch(address, { signal })
  if (!response.ok) throw new FetchRefused('no answer')
  const content = Readable.from([Buffer.from(await response.arrayBuffer())])
  return content as unknown as Awaited<ReturnType<OpenSource>>
}

export type SimulatedFiles = ReturnType<typeof createSimulatedFiles>

/**
 * The store of customers' files that all servers share, as a bucket of an object storage. A request whose caller has ended
 * or given up still arrives.
 */
export function createSimulatedFiles({ kernel, seed, server }: { kernel: Kernel; seed: number; server: Process }) {
  const random = createRandom(seed, 'files')
  const stored = new Map<string, Buffer>()
  const parts = new Map<string, Buffer>()
  let faults: StoreFault[] = []

  const latency = () => 1 + random.between(0, 40)

  function request<Answer>(process: Process, label: string, carryOut: () => Answer, signal?: AbortSignal) {
    if (!kernel.reach(process, 'call')) return never<Answer>()
    const fault = faults.shift()
    const delay = latency() + (fault === 'is slow' ? random.between(10_000, 100_000) : 0)
    return new Promise<Answer>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
      const reply = (after: number, note: string, run: () => void) => kernel.schedule(process, after, note, run)
      const fail = () => reject(Object.assign(new Error('the store failed'), { code: 'ECONNRESET' }))
      kernel.schedule(server, delay, label, () => {
        if (fault === 'refuses') return reply(latency(), 'the store refuses', fail)
        const answer = carryOut()
        if (fault === 'loses the answer') return reply(resetAfter, 'the store is silent', fail)
        return reply(latency(), 'the store answers', () => resolve(answer))
      })
    })
  }

  return {
    /** The store as one process has it. */
    openFor: (process: Process): FileStore => ({
      async put(key, content, signal) {
        assertKey(key)
        const chunks: Uint8Array[] = []
        for await (const chunk of content) chunks.push(chunk)
        await request(process, `put ${key}`, () => void stored.set(key, Buffer.concat(chunks)), signal)
      },
      async beginParts(key) {
        assertKey(key)
        return key
      },
      async putPart({ key }, number, content, signal) {
        const chunks: Uint8Array[] = []
        for await (const chunk of content) chunks.push(chunk)
        const part = `${key}.${number}`
        await request(process, `put ${part}`, () => void parts.set(part, Buffer.concat(chunks)), signal)
        return part
      },
      async joinParts({ key }, joined, signal) {
        const all = () => Buffer.concat(joined.map(({ etag }) => parts.get(etag) ?? Buffer.alloc(0)))
        await request(process, `join ${key}`, () => void stored.set(key, all()), signal)
      },
      abortParts: ({ key }) =>
        request(process, `abort ${key}`, () => {
          for (const part of parts.keys()) if (part.startsWith(`${key}.`)) parts.delete(part)
        }),
      async open(key, range) {
        const file = await request(process, `get ${key}`, () => stored.get(key))
        if (file === undefined) return null
        const part = range === undefined ? file : file.subarray(range.start, range.end + 1)
        return new Response(new Uint8Array(part)).body
      },
      delete: (key) => request(process, `delete ${key}`, () => void stored.delete(key)),
    }),

    /** The next requests meet this fault. */
    fail: (fault: StoreFault, times: number) => void faults.push(...Array<StoreFault>(times).fill(fault)),
    endFaults: () => {
      faults = []
    },

    keys: (): string[] => [...stored.keys()],
    /** The SHA-256 of a stored file in hexadecimal form; undefined if there is none. */
    hashOf: (key: string): string | undefined => {
      const file = stored.get(key)
      return file && createHash('sha256').update(file).digest('hex')
    },
  }
}
