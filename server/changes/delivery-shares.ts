import { randomUUID } from 'node:crypto'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Clock } from '../clock.ts'

/** The deliveries whose lane has this remainder, when lanes are divided by `count`. */
type Share = { index: number; count: number }

/** Divides the deliveries of webhooks among processes by person: a hint, for the database decides who stores one. */
export type DeliveryShares = {
  /** The share that this process takes first. Null: it takes all. */
  own(): Share | null
  /** Calls `wake` if one of the lanes is this process's, and wakes the other processes that have one. */
  wakeFor(lanes: readonly (number | null)[], wake: () => void): void
  /** Calls `wake` when another process has stored a delivery of this one's share. */
  onWake(wake: () => void): void
}

/** Without other processes. */
export const wholeShare: DeliveryShares = {
  own: () => null,
  wakeFor: (_, wake) => wake(),
  onWake: () => undefined,
}

/** Milliseconds between the heartbeats of a process. */
const heartbeatInterval = 1_000
/** A process without a heartbeat for this long counts as gone. Milliseconds. */
const goneAfter = 4_000

/** The shares of the processes that are connected to one NATS. */
export function createDeliveryShares({ clock }: { clock: Clock }) {
  const self = randomUUID()
  /** The time of the last heartbeat of each other process. */
  const heartbeats = new Map<string, number>()
  const wakers: (() => void)[] = []
  let sending: { connection: NatsConnection; name: string } | null = null

  /** All processes, in an order that is the same in each. */
  const processes = () => {
    const since = clock.now() - goneAfter
    for (const [id, at] of heartbeats) if (at < since) heartbeats.delete(id)
    return [self, ...heartbeats.keys()].toSorted()
  }

  return {
    own() {
      const all = processes()
      return sending === null || all.length === 1 ? null : { index: all.indexOf(self), count: all.length }
    },

    wakeFor(lanes, wake) {
      const all = processes()
      const owners = new Set(lanes.map((lane) => (lane === null ? self : all[remainderOf(lane, all.length)])))
      if (sending === null || owners.has(self)) wake()
      for (const owner of owners)
        if (owner !== self) sending?.connection.publish(wakeSubject(sending.name, owner ?? ''))
    },

    onWake: (wake) => void wakers.push(wake),

    /** Takes part until the connection is closed. Returns a function that tells the others that this process leaves. */
    join(connection: NatsConnection, name: string): () => void {
      const presence = `${name}.processes`
      const announce = (state: 'alive' | 'leaving') => connection.publish(presence, JSON.stringify({ [state]: self }))
      connection.subscribe(presence, {
        callback: (_, message) => {
          const { alive, leaving } = message.json<{ alive?: string; leaving?: string }>()
          if (leaving !== undefined) heartbeats.delete(leaving)
          if (alive === undefined || alive === self) return
          const isNew = !heartbeats.has(alive)
          heartbeats.set(alive, clock.now())
          if (isNew) announce('alive')
        },
      })
      connection.subscribe(wakeSubject(name, self), {
        callback: () => {
          for (const wake of wakers) wake()
        },
      })
      sending = { connection, name }
      let cancel = () => {}
      const repeat = () => {
        announce('alive')
        cancel = clock.after(heartbeatInterval, repeat)
      }
      repeat()
      return () => {
        cancel()
        sending = null
        heartbeats.clear()
        if (!connection.isClosed()) announce('leaving')
      }
    },
  } satisfies DeliveryShares & Record<string, unknown>
}

const wakeSubject = (name: string, id: string) => `${name}.wake.${id}`

/** Lanes are signed integers; the database has the same formula (webhook-worker.ts). */
export const remainderOf = (lane: number, count: number): number => (lane + 2 ** 31) % count
