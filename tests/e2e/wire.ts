import type { Page, WebSocketRoute } from '@playwright/test'
import * as z from 'zod/mini'

/** A frame of the realtime protocol: who asked, which call it answers, the topic, what it is, and what it says. */
const frameOf = z.tuple([z.nullable(z.string()), z.nullable(z.string()), z.string(), z.string(), z.unknown()])

const joined = z.tuple([
  z.unknown(),
  z.unknown(),
  z.string(),
  z.literal('phx_reply'),
  z.object({ response: z.object({ postgres_changes: z.array(z.object({ id: z.number(), table: z.string() })) }) }),
])

type Frame = { ref: string | null; topic: string; event: string; text: string }
/** What becomes of a frame: nothing, unless it is let pass, now or later, once or often. */
type Rule = (frame: Frame, pass: () => void) => void

const letPass: Rule = (_, pass) => pass()

/** The realtime socket between a page and the server, and all that may go wrong on it. */
export class Wire {
  /** The topics that the page asked to join, in order. */
  readonly joins: string[] = []
  #rule: Rule = letPass
  #refused: RegExp | null = null
  #sockets: { page: WebSocketRoute; server: WebSocketRoute }[] = []
  #listening: { page: WebSocketRoute; topic: string; id: number; table: string }[] = []
  #restored = Promise.resolve()
  #restore = () => {}

  /** Lays itself between the page and every realtime socket that it opens from now on. */
  static async into(page: Page): Promise<Wire> {
    const wire = new Wire()
    await page.routeWebSocket(/\/realtime\/v1\/websocket/, (socket) => wire.#connect(socket))
    return wire
  }

  /** What is done with the changes of rows, which all came from the server in this order. */
  meddle(rule: Rule): void {
    this.#rule = (frame, pass) => (frame.event === 'postgres_changes' ? rule(frame, pass) : pass())
  }

  /** What is done with every frame of the server. */
  meddleWithAll(rule: Rule): void {
    this.#rule = rule
  }

  /** Every join of such a topic is answered with an error, and never reaches the server. */
  refuse(topic: RegExp): void {
    this.#refused = topic
  }

  /** All is as it should be again; what was held back is lost. */
  mend(): void {
    this.#rule = letPass
    this.#refused = null
  }

  /** The server ends every socket, and new ones have to wait. */
  async cut(): Promise<void> {
    const sockets = this.#sockets
    this.goDeaf()
    await Promise.all(
      sockets.flatMap(({ page, server }) => [page.close({ code: 1012, reason: 'service restart' }), server.close()]),
    )
  }

  /** From now on nothing comes or arrives on any socket, none is closed, and new ones have to wait. */
  goDeaf(): void {
    this.#sockets = []
    this.#restored = new Promise((resolve) => {
      this.#restore = resolve
    })
  }

  /** The page is told of a row that came into a table or changed, as if the server had told it. */
  tell(table: string, type: 'INSERT' | 'UPDATE', record: object): void {
    for (const { page, topic, id } of this.#listening.filter((listening) => listening.table === table)) {
      const commit_timestamp = new Date().toISOString()
      const data = { schema: 'public', table, type, commit_timestamp, columns: [], record, errors: null }
      page.send(JSON.stringify([null, null, topic, 'postgres_changes', { ids: [id], data }]))
    }
  }

  /** New sockets come through; those of before stay dead. */
  restore(): void {
    this.#restore()
  }

  async #connect(page: WebSocketRoute): Promise<void> {
    await this.#restored
    const server = page.connectToServer()
    const socket = { page, server }
    this.#sockets.push(socket)
    const isDead = () => !this.#sockets.includes(socket)
    page.onMessage((message) => {
      if (!isDead()) this.#fromPage(page, server, String(message))
    })
    server.onMessage((message) => {
      const text = String(message)
      if (isDead()) return
      for (const { id, table } of bindingsIn(text))
        this.#listening.push({ page, topic: readFrame(text).topic, id, table })
      this.#rule(readFrame(text), () => {
        if (!isDead()) page.send(text)
      })
    })
    page.onClose((code, reason) => {
      if (!isDead()) void server.close({ ...(code && { code }), ...(reason && { reason }) })
    })
    server.onClose((code, reason) => {
      if (!isDead()) void page.close({ ...(code && { code }), ...(reason && { reason }) })
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

/** What the server agreed to tell of, where this is its answer to a join. */
function bindingsIn(text: string): { id: number; table: string }[] {
  const answer = joined.safeParse(JSON.parse(text))
  return answer.success ? answer.data[4].response.postgres_changes : []
}

function readFrame(text: string): Frame {
  const [, ref, topic, event] = frameOf.parse(JSON.parse(text))
  return { ref, topic, event, text }
}
