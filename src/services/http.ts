import * as z from 'zod/mini'
import { Failure } from '../domain/failure.ts'
import { limits } from '../domain/limits.ts'

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

type ReadRequest<Schema extends z.ZodMiniType> = {
  schema: Schema
  /** Undefined, null and '' are left out. */
  query?: Query | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /** Abort it and the call rejects with a Failure of kind `aborted`. */
  signal?: AbortSignal | undefined
}

type SendRequest<Schema extends z.ZodMiniType> = ReadRequest<Schema> & { body?: unknown }

/**
 * The JSON API (spec section 7). Every call resolves with its parsed answer or rejects with a `Failure`, and with
 * nothing else. A read is retried where the connection broke; anything else is sent once.
 */
export type Http = {
  get<Schema extends z.ZodMiniType>(path: string, request: ReadRequest<Schema>): Promise<z.infer<Schema>>
  post<Schema extends z.ZodMiniType>(path: string, request: SendRequest<Schema>): Promise<z.infer<Schema>>
  put<Schema extends z.ZodMiniType>(path: string, request: SendRequest<Schema>): Promise<z.infer<Schema>>
  delete<Schema extends z.ZodMiniType>(path: string, request: SendRequest<Schema>): Promise<z.infer<Schema>>
}

/** The token of one session. `session` tells whether a later token is still the same person's. */
export type BearerToken = { token: string; session: number }

export type BearerTokens = {
  /**
   * Null if calls may leave; otherwise a promise for which they wait: nobody is confirmed as signed in yet. Rejects with a
   * Failure of kind `aborted` if another person is signed in then, or nobody.
   */
  ready?(): Promise<void> | null
  current(): BearerToken | null
  /** Whether to have it refreshed before the next call. */
  isEnding(): boolean
  /**
   * The token that replaces the one used. Rejects with a Failure: of kind `aborted` where that session is over, else the
   * reason why there is none now.
   */
  renew(used: BearerToken): Promise<BearerToken>
}

export type HttpSettings = {
  /** Without a slash at its end. */
  baseUrl: string
  /** The tokens of the authenticated client; the anonymous one has none. */
  tokens?: BearerTokens
  /** A call of that session was refused although its token was fresh. */
  onUnauthorised?: (session: number) => void
  log: { warn: (text: string) => void }
  /** Milliseconds for a call and its retries. */
  timeout?: number
  /** How often a read is retried at most. */
  retries?: number
  fetch?: typeof fetch
  wait?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>
  random?: () => number
}

type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  request: SendRequest<z.ZodMiniType>
}

/** Milliseconds before the first retry of a read; doubled for the second. */
const firstRetryAfter = 300

/** A read waits no longer than this, without a word, because the server asked it to come back later. Milliseconds. */
const longestRetryAfter = 2_000

/** Resolves after so many milliseconds, or as soon as the signal is aborted. */
export function waitFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal?.addEventListener('abort', done)
  })
}

function queryOf(query: Query | undefined): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

/** Seconds or a date, as milliseconds from now. */
function retryAfterOf(answer: Response): number | undefined {
  const header = answer.headers.get('retry-after')
  if (header === null) return undefined
  const seconds = Number(header)
  const milliseconds = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - Date.now()
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a refusal says of itself. The fields about permissions stand under `details` or beside it. */
function refusalIn(body: unknown) {
  if (!isRecord(body)) return {}
  const { success: _success, data: _data, error, code, details, ...beside } = body
  return {
    error: typeof error === 'string' ? error : undefined,
    code: typeof code === 'string' ? code : undefined,
    details: { ...beside, ...(isRecord(details) ? details : {}) },
  }
}

/**
 * A JSON client (spec section 7): 30000 ms, a bearer token or a logged warning, every answer through its schema.
 * The token is refreshed before a call when it is about to end, and once after a 401, with one retry.
 */
export function createHttp(settings: HttpSettings): Http {
  const { baseUrl, tokens, onUnauthorised, log, timeout = limits.apiTimeout, retries = 2 } = settings
  const send = settings.fetch ?? ((input, init) => fetch(input, init))
  const wait = settings.wait ?? waitFor
  const random = settings.random ?? Math.random

  async function attempt(
    { method, path, request }: Call,
    bearer: BearerToken | null,
    limit: AbortSignal,
  ): Promise<unknown> {
    const { schema, query, headers, body, signal } = request
    try {
      const answer = await send(`${baseUrl}${path}${queryOf(query)}`, {
        method,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(bearer ? { authorization: `Bearer ${bearer.token}` } : {}),
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        cache: 'no-store',
        credentials: 'omit',
      })
      const json = readJson(await answer.text())
      if (!answer.ok) {
        throw new Failure({
          kind: 'status',
          method,
          path,
          status: answer.status,
          retryAfter: retryAfterOf(answer),
          ...refusalIn(json),
        })
      }
      const parsed = z.safeParse(schema, json)
      if (parsed.success) return parsed.data
      throw new Failure({ kind: 'badAnswer', method, path, status: answer.status, ...refusalIn(json) })
    } catch (error) {
      if (signal?.aborted) throw new Failure({ kind: 'aborted', method, path })
      if (error instanceof Failure) throw error
      throw new Failure({ kind: limit.aborted ? 'timeout' : 'noAnswer', method, path })
    }
  }

  /** Milliseconds to wait before the read is retried; null where it is not. */
  function pauseBefore(failure: unknown, tried: number): number | null {
    if (!(failure instanceof Failure) || tried > retries) return null
    if (failure.status === 429 && failure.retryAfter !== undefined && failure.retryAfter <= longestRetryAfter) {
      return failure.retryAfter
    }
    return failure.kind === 'noAnswer' ? firstRetryAfter * 2 ** (tried - 1) * (0.5 + random() / 2) : null
  }

  /** All attempts share one time limit, so that the person is told after 30 s, whichever attempt is under way. */
  async function attempts(call: Call, bearer: BearerToken | null): Promise<unknown> {
    const { signal } = call.request
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), timeout)
    try {
      for (let tried = 1; ; tried++) {
        try {
          return await attempt(call, bearer, limit.signal)
        } catch (failure) {
          const pause = call.method === 'GET' ? pauseBefore(failure, tried) : null
          if (pause === null) throw failure
          await wait(pause, signal ? AbortSignal.any([signal, limit.signal]) : limit.signal)
        }
      }
    } finally {
      clearTimeout(timer)
    }
  }

  async function bearerFor({ method, path }: Call, source: BearerTokens): Promise<BearerToken | null> {
    const held = source.current()
    if (!held) {
      log.warn(`${method} ${path} is called without a token`)
      return null
    }
    if (!source.isEnding()) return held
    try {
      return await source.renew(held)
    } catch (failure) {
      if (failure instanceof Failure && failure.kind === 'aborted') throw failure
      // No fresh one now: the server says whether the old one still does.
      return held
    }
  }

  async function authenticated(call: Call, source: BearerTokens): Promise<unknown> {
    const starting = source.ready?.()
    if (starting) await starting
    const bearer = await bearerFor(call, source)
    const isUnauthorised = (failure: unknown) => failure instanceof Failure && failure.status === 401
    try {
      return await attempts(call, bearer)
    } catch (failure) {
      if (!bearer || !isUnauthorised(failure)) throw failure
      const renewed = await source.renew(bearer)
      try {
        return await attempts(call, renewed)
      } catch (second) {
        if (isUnauthorised(second)) onUnauthorised?.(renewed.session)
        throw second
      }
    }
  }

  const call = <Schema extends z.ZodMiniType>(
    method: Call['method'],
    path: string,
    request: SendRequest<Schema>,
  ): Promise<z.infer<Schema>> => {
    const one: Call = { method, path, request }
    // The schema in the request is what parsed it.
    return (tokens ? authenticated(one, tokens) : attempts(one, null)) as Promise<z.infer<Schema>>
  }

  return {
    get: (path, request) => call('GET', path, request),
    post: (path, request) => call('POST', path, request),
    put: (path, request) => call('PUT', path, request),
    delete: (path, request) => call('DELETE', path, request),
  }
}

/**
 * A list in which a bad row is dropped and counted while the others stay: `rows(conversation, (dropped) => …)`.
 * `onDropped` is called with the number only.
 */
export const rows = <Row extends z.ZodMiniType>(row: Row, onDropped: (count: number) => void) =>
  z.pipe(
    z.array(z.unknown()),
    z.transform((items: unknown[]) => {
      const good: z.infer<Row>[] = []
      for (const item of items) {
        const parsed = z.safeParse(row, item)
        if (parsed.success) good.push(parsed.data)
      }
      if (good.length < items.length) onDropped(items.length - good.length)
      return good
    }),
  )
