import { describe, expect, it } from 'vitest'
import { echoesOf, type Outgoing, recipientOf, temporaryMessage } from '../../../src/domain/send/outgoing.ts'
import { addSent, applyChanges, emptyThread, mergePage } from '../../../src/domain/thread/thread-messages.ts'
import type { Message } from '../../../src/schemas/message.ts'
import { at, conversationOf, messageOf } from '../message-fixture.ts'

/** A seeded generator of numbers between 0 and 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

type World = {
  /** Whether the answer names the message. */
  namesMessages: boolean
  /** When rows carry the key: at once, with a later update, or never. */
  keys: 'at once' | 'later' | 'never'
  /** The share of lost answers. In half of these cases the message is not delivered either. */
  lost: number
  /** Whether a colleague sometimes sends the same text. */
  hasColleague: boolean
  /** The maximum delay of an echo, in seconds. */
  slowestEcho: number
}

const sends = 20
const recipient = recipientOf(conversationOf())

/** Twenty sends within a minute, with their answers and echoes in a random order. */
function play(seed: number, world: World) {
  const random = seeded(seed)
  let thread = mergePage(emptyThread, { messages: [], hasMore: false }, { isNewest: true, adjoins: true })
  let outgoing: Outgoing[] = []
  let claimed: ReadonlySet<string> = new Set()
  const server: Message[] = []
  const queue: { seconds: number; work: () => void }[] = []
  const plan = (seconds: number, work: () => void) => queue.push({ seconds, work })

  const settle = (key: string, messageId: string | null, createdAt: string | null) => {
    const send = outgoing.find((other) => other.key === key)
    if (!send) return
    outgoing = outgoing.filter((other) => other !== send)
    if (messageId !== null) claimed = new Set([...claimed, messageId])
    thread = addSent(thread, temporaryMessage(send, createdAt), messageId)
  }
  const change = (key: string, part: Partial<Outgoing>) => {
    outgoing = outgoing.map((send) => (send.key === key ? { ...send, ...part } : send))
  }
  const hear = (rows: readonly Message[]) => {
    for (const { key, messageId, createdAt, isCertain } of echoesOf(outgoing, rows, claimed)) {
      if (isCertain) settle(key, messageId, createdAt)
      else if (outgoing.some((send) => send.key === key && send.status === 'pending'))
        change(key, { echoId: messageId })
    }
  }
  const receive = (type: 'INSERT' | 'UPDATE', row: Message) => {
    thread = applyChanges(thread, [{ type, record: row }])
    hear([row])
  }

  const echo = (row: Message, seconds: number) => {
    const late = seconds + random() * world.slowestEcho
    const bare = { ...row, idempotency_key: null }
    plan(late, () => receive('INSERT', world.keys === 'at once' ? row : bare))
    if (world.keys === 'later') plan(late + random(), () => receive('UPDATE', row))
    if (random() < 0.2) plan(late + random() * 5, () => receive('INSERT', world.keys === 'at once' ? row : bare))
  }

  const textOf = () => (random() < 0.6 ? 'ok' : 'yes')
  const outgoingRow = (id: string, seconds: number, text: string, key: string | null) =>
    messageOf(id, seconds, { direction: 'outgoing', is_read: true, message_text: text, idempotency_key: key })

  for (let index = 0; index < sends; index += 1) {
    const key = `k${index}`
    const seconds = random() * 60
    const text = textOf()
    plan(seconds, () => {
      outgoing = [
        ...outgoing,
        {
          key,
          recipient,
          text,
          file: null,
          structured: null,
          chosenPageId: 'p1',
          pageId: 'p1',
          psid: 'psid-ana-p1',
          createdAt: at(seconds),
          leftAt: at(seconds),
          status: 'pending',
          failure: null,
          echoId: null,
        },
      ]
    })
    const isLost = random() < world.lost
    const isDelivered = !isLost || random() < 0.5
    const id = `r${index}`
    const taken = seconds + random()
    const row = outgoingRow(id, taken, text, world.keys === 'never' ? null : key)
    if (isDelivered) {
      plan(taken, () => server.push(row))
      echo(row, taken)
    }
    const answered = taken + random() * 3
    plan(answered, () => {
      if (isLost) change(key, { status: 'unconfirmed', echoId: null })
      else settle(key, world.namesMessages ? id : null, world.namesMessages ? row.created_at : null)
    })
    if (world.hasColleague && random() < 0.3) {
      const theirs = outgoingRow(
        `c${index}`,
        taken + random() * 4,
        textOf(),
        world.keys === 'never' ? null : `their-${key}`,
      )
      plan(Date.parse(theirs.created_at) / 1000 - Date.parse(at(0)) / 1000, () => server.push(theirs))
      echo(theirs, taken + 4)
    }
  }

  for (const { work } of queue.sort((a, b) => a.seconds - b.seconds)) work()
  thread = mergePage(thread, { messages: server, hasMore: false }, { isNewest: true, adjoins: false })
  hear(server)
  const sorted = (ids: readonly string[]) => [...ids].sort()
  return {
    shown: sorted(thread.messages.map((message) => message.message_id)),
    held: sorted(server.map((message) => message.message_id)),
    waiting: sorted(outgoing.map((send) => `${send.key} ${send.status}`)),
    undelivered: sorted(
      Array.from({ length: sends }, (_, index) => index)
        .filter((index) => !server.some((row) => row.message_id === `r${index}`))
        .map((index) => `k${index} unconfirmed`),
    ),
  }
}

const worlds: Record<string, { runs: number; world: World }> = {
  'the answer names the message and rows carry the key': {
    runs: 4_000,
    world: { namesMessages: true, keys: 'at once', lost: 0.2, hasColleague: true, slowestEcho: 30 },
  },
  'a row gets its key after the insert': {
    runs: 3_000,
    world: { namesMessages: true, keys: 'later', lost: 0.2, hasColleague: true, slowestEcho: 30 },
  },
  'the answer names nothing and rows carry the key': {
    runs: 2_000,
    world: { namesMessages: false, keys: 'at once', lost: 0.2, hasColleague: true, slowestEcho: 30 },
  },
  'there is neither id nor key, and echoes arrive within the match window': {
    runs: 1_000,
    world: { namesMessages: false, keys: 'never', lost: 0, hasColleague: false, slowestEcho: 5 },
  },
}

describe('Ten thousand runs of twenty sends with answers and echoes in random order', () => {
  it.each(Object.entries(worlds))('show one bubble per message: %s', { timeout: 60_000 }, (_, { runs, world }) => {
    for (let seed = 1; seed <= runs; seed += 1) {
      const { shown, held, waiting, undelivered } = play(seed, world)
      expect({ seed, shown, waiting }).toEqual({ seed, shown: held, waiting: undelivered })
    }
  })
})
