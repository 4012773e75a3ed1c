import { createHmac } from 'node:crypto'
import type * as z from 'zod/mini'
import { GraphError } from './graph-error.ts'
import { errorResponse, usageHeader } from './graph-shapes.ts'

export type GraphCallOptions = {
  /** Without the version and without a trailing slash. */
  baseUrl: string
  version: string
  /** If set, every call carries an `appsecret_proof`. */
  appSecret?: string | undefined
  /** Milliseconds. */
  timeout?: number
  fetch?: typeof fetch
}

/** Makes one call and validates the response. Throws GraphError. */
export type GraphCall = <Schema extends z.ZodMiniType>(
  name: string,
  token: string | null,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  parameters: Record<string, string>,
  schema: Schema,
  options?: { body?: unknown; timeout?: number },
) => Promise<z.output<Schema>>

/** The token of a call goes in the Authorization header only, never in a URL. */
export function createGraphCall({
  baseUrl,
  version,
  appSecret,
  timeout = 15_000,
  fetch: request = fetch,
}: GraphCallOptions): GraphCall {
  const proofOf = (token: string) =>
    createHmac('sha256', appSecret ?? '')
      .update(token)
      .digest('hex')

  return async (name, token, method, path, parameters, schema, { body, timeout: callTimeout = timeout } = {}) => {
    const address = new URL(`${baseUrl}/${version}/${path}`)
    for (const [key, value] of Object.entries(parameters)) address.searchParams.set(key, value)
    const headers: Record<string, string> = { accept: 'application/json' }
    if (token !== null) {
      headers['authorization'] = `Bearer ${token}`
      if (appSecret !== undefined) address.searchParams.set('appsecret_proof', proofOf(token))
    }
    if (body !== undefined) headers['content-type'] = 'application/json'

    let status: number
    let text: string
    let usage: string | null
    try {
      const response = await request(address, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(callTimeout),
        redirect: 'error',
      })
      status = response.status
      text = await response.text()
      usage = response.headers.get('x-business-use-case-usage')
    } catch (error) {
      const late = error instanceof Error && error.name === 'TimeoutError'
      throw GraphError.unanswered(name, late ? `none within ${callTimeout} ms` : 'the connection failed')
    }
    const answer = parseJson(text)
    const refused = errorResponse.safeParse(answer)
    if (refused.success) {
      const { code, error_subcode } = refused.data.error
      throw GraphError.refused(name, status, code, error_subcode ?? null, pauseOf(usage))
    }
    if (status < 200 || status > 299) throw GraphError.unanswered(name, `HTTP ${status}`, status)
    const read = schema.safeParse(answer)
    if (!read.success) throw GraphError.unanswered(name, 'an unexpected response', status)
    return read.data
  }
}

/** The longest pause that the usage header asks for, in milliseconds; null if none. */
function pauseOf(header: string | null): number | null {
  const usage = usageHeader.safeParse(header === null ? undefined : parseJson(header))
  if (!usage.success) return null
  const minutes = Object.values(usage.data)
    .flat()
    .map(({ estimated_time_to_regain_access }) => estimated_time_to_regain_access ?? 0)
  const longest = Math.max(0, ...minutes)
  return longest > 0 ? longest * 60_000 : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
