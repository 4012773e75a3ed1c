import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import type { FakeServer } from './fake-server.ts'
import { firstPainted, forget } from './harness.ts'
import { eventMessage } from './world.ts'

/** Sends events, half of them to the open conversation, and reads when the browser painted them. */
export class Feed {
  private readonly page: Page
  private readonly fakeServer: FakeServer
  /** The index of the open conversation. */
  open = 0
  private number = 0

  constructor(page: Page, fakeServer: FakeServer) {
    this.page = page
    this.fakeServer = fakeServer
  }

  /** Sends events at a constant rate. Returns the milliseconds from each event to its paint. */
  async steady(perSecond: number, seconds: number): Promise<number[]> {
    const sent = new Map<string, number>()
    const start = performance.now()
    for (let count = 0; count < perSecond * seconds; count++) {
      await delay(Math.max(0, start + (count * 1000) / perSecond - performance.now()))
      this.send(1, sent)
    }
    const durations = await this.durations(sent)
    const share = durations.length / sent.size
    if (share < 0.5) throw new Error(`Only ${Math.round(share * 100)} % of the events were painted`)
    return durations
  }

  /** Like `steady` for `size` simultaneous events; the longest time is the time until all were painted. */
  async burst(size: number): Promise<number[]> {
    const sent = new Map<string, number>()
    this.send(size, sent)
    return this.durations(sent)
  }

  private send(count: number, sent: Map<string, number>): void {
    const end = Date.now()
    const messages = Array.from({ length: count }, (_, index) => {
      // Messages of a conversation have different times.
      const at = new Date(end - (count - 1 - index))
      this.number++
      const conversation = this.number % 2 === 0 ? this.open : (this.number * 7) % 500
      return eventMessage(this.number, conversation, at)
    })
    const now = performance.timeOrigin + performance.now()
    for (const { message_id } of messages) sent.set(message_id, now)
    this.fakeServer.send(messages)
  }

  /** Waits for the last event. Returns the times of the painted events; in a burst most are never painted. */
  private async durations(sent: ReadonlyMap<string, number>): Promise<number[]> {
    const last = [...sent.keys()].at(-1)
    if (last === undefined) return []
    await firstPainted(this.page, last)
    await delay(1_500)
    const painted = await this.page.evaluate(() => [...window.paintedAt])
    await forget(this.page)
    return painted.flatMap(([token, at]) => {
      const sentAt = sent.get(token)
      return sentAt === undefined ? [] : [at - sentAt]
    })
  }
}
