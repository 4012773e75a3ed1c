import type { Page, WebSocketRoute } from '@playwright/test'
import * as z from 'zod/mini'

/** A frame of the realtime protocol: join reference, reference, topic, event, payload. */
const frameOf = z.tuple([z.nullable(z.string()), z.nullable(z.string()), z.string(), z.string(), z.unknown()])

const joined = z.tuple([
  z.unknown(),
  z.unknown(),
  z.string(),
  z.literal('phx_reply'),
  z.object({ response: z.object({ postgres_changes: z.array(z.object({ id: z.number(), table: z.string() })) }) }),
])

type Frame = { ref: string | null; topic: string; event: string; text: string }
/** Decides about a frame: each call of `pass` delivers it, now or later. */
type Rule = (frame: Frame, pass: () => void) => void

const passAll: Rule = (_, pass) => pass()

/** A proxy between the browser and the realtime server that simulates connection faults. */
export class RealtimeProxy {
  /** The topics that the page asked to join, in order. */
  readonly joins: string[] = []
  #rule: Rule = passAll
  #refused: RegExp | null = null
  #sockets: { page: WebSocketRoute; server: WebSocketRoute }[] = []
  #listening: { page: WebSocketRoute; topic: string; id: number; table: string }[] = []
  #resumed = Promise.resolve()
  #resume = () => {}

  /** Intercepts every realtime socket that the browser page opens from now on. */
  static async install(page: Page): Promise<RealtimeProxy> {
    const proxy = new RealtimeProxy()
    await page.routeWebSocket(/\/realtime\/v1\/websocket/, (socket) => proxy.#connect(socket))
    return proxy
  }

  /** Applies a rule to the row changes of the server. */
  interceptChanges(rule: Rule): void {
    this.#rule = (frame, pass) => (frame.event === 'postgres_changes' ? rule(frame, pass) : pass())
  }

  /** Applies a rule to every frame of the server. */
  interceptAll(rule: Rule): void {
    this.#rule = rule
  }

  /** Answers joins of matching topics with an error. */
  rejectJoins(topic: RegExp): void {
    this.#refused = topic
  }

  /** Removes all rules; frames that were held back are lost. */
  reset(): void {
    this.#rule = passAll
    this.#refused = null
  }

  /** Closes every socket from the server's side; new ones wait for `resume`. */
  async disconnect(): Promise<void> {
    const sockets = this.#sockets
    this.freeze()
    await Promise.all(
      sockets.flatMap(({ page, server }) => [page.close({ code: 1012, reason: 'service restart' }), server.close()]),
    )
  }

  /** Drops all frames without closing the sockets; new ones wait for `resume`. */
  freeze(): void {
    this.#sockets = []
    this.#resumed = new Promise((resolve) => {
      this.#resume = resolve
    })
  }

  /** Sends a row change to the browser as the server would. */
  sendChange(table: string, type: 'INSERT' | 'UPDATE', record: object): void {
    for (const { page, topic, id } of this.#listening.filter((listening) => listening.table === table)) {
      const commit_timestamp = new Date().toISOString()
      const data = { schema: 'public', table, type, commit_timestamp, columns: [], record, errors: null }
      page.send(JSON.stringify([null, null, topic, 'postgres_changes', { ids: [id], data }]))
    }
  }

  /** Connects new sockets; frozen ones stay frozen. */
  resume(): void {
    this.#resume()
  }

  async #connect(page: WebSocketRoute): Promise<void> {
    await this.#resumed
    const server = page.connectToServer()
    const socket = { page, server }
    this.#sockets.push(socket)
    const isFrozen = () => !this.#sockets.includes(socket)
    page.onMessage((message) => {
      if (!isFrozen()) this.#fromPage(page, server, String(message))
    })
    server.onMessage((message) => {
      const text = String(message)
      if (isFrozen()) return
      for (const { id, table } of bindingsIn(text))
        this.#listening.push({ page, topic: readFrame(text).topic, id, table })
      this.#rule(readFrame(text), () => {
        if (!isFrozen()) page.send(text)
      })
    })
    page.onClose((code, reason) => {
      if (!isFrozen()) void server.close({ ...(code && { code }), ...(reason && { reason }) })
    })
    server.onClose((code, reason) => {
      if (!isFrozen()) void page.close({ ...(code && { code }), ...(reason && { reason }) })
    })
  }

  #fromPage(page: WebSocketRoute, server: WebSocketRoute, text: string): void {
    const { ref, topic, event } = readFrame(text)
    if (event === 'phx_join') this.joins.push(topic)
    if (event === 'phx_join' && this.#refused?.test(topic)) {
      const answer = { status: 'error', response: { reason: 'ChannelRateLimitReached: Too many channels' } }
      page.send(JSON.stringify([ref, ref, topic, 'phx_reply', answer]))
    } else server.send(text)
  }
}

/** The bindings in a join reply; empty for other frames. */
function bindingsIn(text: string): { id: number; table: string }[] {
  const answer = joined.safeParse(JSON.parse(text))
  return answer.success ? answer.data[4].response.postgres_changes : []
}

function readFrame(text: string): Frame {
  const [, ref, topic, event] = frameOf.parse(JSON.parse(text))
  return { ref, topic, event, text }
}
