import { describe, expect, it } from 'vitest'
import { createHttp, type Http } from '../../src/services/http.ts'

type Asked = readonly [call: string, body?: unknown, headers?: Readonly<Record<string, string>>]

type RequestRow<Service> = {
  claim: string
  /** Takes the signal if the request ends with it. Any other request is never aborted. */
  call: (service: Service, signal: AbortSignal) => Promise<unknown>
  /**
   * The whole request: the method with the path and the query, the body, and the headers beyond those of every call. Null
   * for no request.
   */
  asks: Asked | null
  answer: unknown
  /** The whole result; absent if the call resolves with nothing. */
  gives?: unknown
  /** What the service gave to the browser to save: the arguments of each call. */
  saves?: readonly (readonly string[])[]
  warns?: readonly string[]
}

export const ok = (data: unknown) => ({ success: true, data })
export const done = { success: true }
/** A row of an answer that no schema accepts. */
export const unreadable = { nothing: 'of this is known' }

function expectedRequest([call, body, headers]: Asked) {
  const [method, path] = call.split(' ')
  return {
    url: `/api${path}`,
    method,
    headers: {
      accept: 'application/json',
      authorization: 'Bearer t',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : body,
    cache: 'no-store',
    credentials: 'omit',
  }
}

/** A test for each row, over the JSON client of the product and a server that gives the answer of the row. */
export function describeRequests<Service>(
  title: string,
  create: (http: Http, log: { warn: (text: string) => void }, save: (...saved: string[]) => Promise<void>) => Service,
  rows: readonly RequestRow<Service>[],
) {
  describe(title, () => {
    it.each(rows)('$claim', async ({ call, asks, answer, gives, saves = [], warns = [] }) => {
      const sent: unknown[] = []
      const signals: (AbortSignal | null | undefined)[] = []
      const warnings: string[] = []
      const saved: string[][] = []
      const log = { warn: (text: string) => void warnings.push(text) }
      const http = createHttp({
        baseUrl: '/api',
        log,
        retries: 0,
        tokens: { current: () => ({ token: 't', session: 1 }), isEnding: () => false, renew: () => Promise.reject() },
        fetch: async (url, { signal, ...init } = {}) => {
          sent.push({ url, ...init, body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body })
          signals.push(signal)
          return typeof answer === 'string' ? new Response(answer) : Response.json(answer)
        },
      })
      const leaving = new AbortController()
      const service = create(http, log, async (...file) => void saved.push(file))
      const given = await call(service, leaving.signal)
      leaving.abort()

      expect(sent).toEqual(asks === null ? [] : [expectedRequest(asks)])
      expect(given).toEqual(gives)
      expect(signals.map((signal) => signal?.aborted)).toEqual(sent.map(() => call.length > 1))
      expect({ saved, warnings }).toEqual({ saved: saves, warnings: warns })
    })
  })
}
