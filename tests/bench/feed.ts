import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { firstPainted, forget } from './harness.ts'
import type { StandIn } from './stand-in.ts'
import { eventMessage } from './world.ts'

/** Sends events, half of them to the open conversation and half to others, and asks the page when they were painted. */
export class Feed {
  private readonly page: Page
  private readonly standIn: StandIn
  /** The conversation that is open. */
  open = 0
  private number = 0

  constructor(page: Page, standIn: StandIn) {
    this.page = page
    this.standIn = standIn
  }

  /** From an event to its paint, in milliseconds. */
  async steady(perSecond: number, seconds: number): Promise<number[]> {
    const sent = new Map<string, number>()
    const begun = performance.now()
    for (let count = 0; count < perSecond * seconds; count++) {
      await delay(Math.max(0, begun + (count * 1000) / perSecond - performance.now()))
      this.send(1, sent)
    }
    const durations = await this.durations(sent)
    const share = durations.length / sent.size
    if (share < 0.5) throw new Error(`Only ${Math.round(share * 100)} % of the events were seen on the screen`)
    return durations
  }

  /** The same for `size` events at once; the longest is the time until all was painted. */
  async burst(size: number): Promise<number[]> {
    const sent = new Map<string, number>()
    this.send(size, sent)
    return this.durations(sent)
  }

  private send(count: number, sent: Map<string, number>): void {
    const end = Date.now()
    const messages = Array.from({ length: count }, (_, index) => {
      // No two messages of a conversation are written in one millisecond.
      const at = new Date(end - (count - 1 - index))
      this.number++
      const conversation = this.number % 2 === 0 ? this.open : (this.number * 7) % 500
      return eventMessage(this.number, conversation, at)
    })
    const now = performance.timeOrigin + performance.now()
    for (const { message_id } of messages) sent.set(message_id, now)
    this.standIn.send(messages)
  }

  /** Waits for the last event, then answers how long each took that was ever painted: in a burst most never need to be. */
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
