import * as z from 'zod/mini'
import { Failure } from '../domain/failure.ts'
import { limits } from '../domain/limits.ts'

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

type ReadRequest<Schema extends z.ZodMiniType> = {
  schema: Schema
  /** Undefined, null and '' are omitted. */
  query?: Query | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /** Replaces the `fetch` of the settings, for an upload that reports its progress and has its own body. */
  fetch?: typeof fetch | undefined
  /** Replaces the time limit of the settings. Milliseconds. */
  timeout?: number | undefined
  /** If it is aborted, the call rejects with a Failure of kind `aborted`. */
  signal?: AbortSignal | undefined
}

type SendRequest<Schema extends z.ZodMiniType> = ReadRequest<Schema> & {
  body?: unknown
  /** The answer is a text and no JSON; a refusal is JSON. */
  isText?: boolean
}

/**
 * The JSON API (spec section 7). Every call resolves with its parsed answer or rejects with a `Failure`, and with no
 * other error. A read is retried after a broken connection or a short `Retry-After`; all other calls are sent once.
 */
export type Http = {
  get<Schema extends z.ZodMiniType>(path: string, request: ReadRequest<Schema>): Promise<z.infer<Schema>>
  post<Schema extends z.ZodMiniType>(path: string, request: SendRequest<Schema>): Promise<z.infer<Schema>>
  put<Schema extends z.ZodMiniType>(path: string, request: SendRequest<Schema>): Promise<z.infer<Schema>>
  delete<Schema extends z.ZodMiniType>(path: string, request: SendRequest<Schema>): Promise<z.infer<Schema>>
}

/** The token of one session. `session` tells whether a later token belongs to the same user. */
export type BearerToken = { token: string; session: number }

export type BearerTokens = {
  /**
   * Null if calls may be sent. Otherwise a promise that calls wait for, because the user is not confirmed as signed in
   * yet. Rejects with a Failure of kind `aborted` if another user or no user is signed in afterwards.
   */
  ready?(): Promise<void> | null
  current(): BearerToken | null
  /** Whether the token must be refreshed before the next call. */
  isEnding(): boolean
  /**
   * The token that replaces `used`. Rejects with a Failure: of kind `aborted` if that session has ended, otherwise with
   * the reason why no token is available.
   */
  renew(used: BearerToken): Promise<BearerToken>
}

export type HttpSettings = {
  /** Without a trailing slash. */
  baseUrl: string
  /** The token source of the authenticated client; absent for the anonymous client. */
  tokens?: BearerTokens
  /** Called when a call of that session was refused although its token was fresh. */
  onUnauthorised?: (session: number) => void
  log: { warn: (text: string) => void }
  /** The time limit in milliseconds for a call including its retries. */
  timeout?: number
  /** The maximum number of retries of a read. */
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

/** The delay in milliseconds before the first retry of a read; doubled for the second. */
const firstRetryAfter = 300

/** The longest `Retry-After` of a 429, in milliseconds, after which a read is retried automatically. */
const longestRetryAfter = 2_000

/** Resolves after this number of milliseconds, or as soon as the signal is aborted. */
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

/** Parses seconds or a date into milliseconds from now. */
export function retryAfterOf(answer: Response): number | undefined {
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

/** Reads the details of a refusal. The fields about permissions are under `details` or on the top level. */
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
 * Creates a JSON client (spec section 7): time limit 30000 ms, a bearer token or a logged warning, every answer
 * validated by its schema. The token is refreshed before a call if it expires soon, and once after a 401, followed by
 * one retry.
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
    const { schema, query, headers, body, signal, isText } = request
    try {
      const answer = await (request.fetch ?? send)(`${baseUrl}${path}${queryOf(query)}`, {
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
      const text = await answer.text()
      const json = isText && answer.ok ? text : readJson(text)
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

  /** The delay in milliseconds before a read is retried; null if it is not retried. */
  function pauseBefore(failure: unknown, tried: number): number | null {
    if (!(failure instanceof Failure) || tried > retries) return null
    if (failure.status === 429 && failure.retryAfter !== undefined && failure.retryAfter <= longestRetryAfter) {
      return failure.retryAfter
    }
    return failure.kind === 'noAnswer' ? firstRetryAfter * 2 ** (tried - 1) * (0.5 + random() / 2) : null
  }

  /** All attempts share one time limit, so that the user sees an error after 30 s, however many attempts were made. */
  async function attempts(call: Call, bearer: BearerToken | null): Promise<unknown> {
    const { signal } = call.request
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), call.request.timeout ?? timeout)
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
      // If no fresh token is available, send the old one; the server decides whether it is still valid.
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
    // The answer was parsed by the schema of this request, so the type is correct.
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
 * A list schema that drops invalid rows and keeps the others: `rows(conversation, log, 'conversations')`. The log gets
 * only the number of dropped rows.
 */
export const rows = <Row extends z.ZodMiniType>(row: Row, log: { warn: (text: string) => void }, name: string) =>
  z.pipe(
    z.array(z.unknown()),
    z.transform((items: unknown[]) => {
      const good: z.infer<Row>[] = []
      for (const item of items) {
        const parsed = z.safeParse(row, item)
        if (parsed.success) good.push(parsed.data)
      }
      if (good.length < items.length) log.warn(`${items.length - good.length} ${name} could not be read`)
      return good
    }),
  )
