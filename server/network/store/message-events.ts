import { sql, type Transaction } from 'kysely'
import type { Reaction } from '../../../src/schemas/reactions-receipts-replies.ts'
import type { Tables } from '../../database/tables.ts'
import { clockTolerance } from './clock-tolerance.ts'
import type { Database } from './store.ts'

type Trx = Transaction<Tables>

/** Of the identity `fbUserId`: the person's reaction, or that of the page. */
export type IdentifiedReaction = Reaction & { messageId: string; fbUserId: string }

/**
 * That a person received or read the messages up to a time, or read them up to a message (Instagram). `at` is when they
 * read; a delivery has a time only.
 */
export type IdentifiedReceipt = { fbUserId: string; at: Date } & (
  | { kind: 'delivered' | 'read'; upTo: Date }
  | { kind: 'read'; messageId: string }
)

/**
 * Stores reactions, each side's last one by its time, whatever the order of arrival. A reaction to a message that is not
 * stored yet waits for the message. One statement if all messages are stored.
 */
export async function storeReactions(trx: Trx, reactions: readonly IdentifiedReaction[]): Promise<void> {
  if (reactions.length === 0) return
  const stored = await reactTo(trx, reactions)
  const early = reactions.filter(({ messageId }) => !stored.has(messageId))
  if (early.length === 0) return
  await lockAgainstMessages(trx, early)
  const arrived = await reactTo(trx, early)
  await keepEarly(
    trx,
    early
      .filter(({ messageId }) => !arrived.has(messageId))
      .map(({ messageId, fbUserId, by, emoji, at }) => ({ messageId, fbUserId, kind: by, emoji, at })),
  )
}

/** The ids of those messages that are stored. */
async function reactTo(trx: Database, reactions: readonly IdentifiedReaction[]): Promise<ReadonlySet<string>> {
  const given = reactions.map(({ messageId, fbUserId, by, emoji, at }) => ({
    message_id: messageId,
    fb_user_id: fbUserId,
    reaction: { by, emoji, at },
  }))
  const { rows } = await sql<{ message_id: string }>`
    with given as materialized (
      select message_id, fb_user_id, jsonb_agg(reaction) as reactions
      from json_to_recordset(${JSON.stringify(given)}::json) as given (message_id text, fb_user_id text, reaction jsonb)
      group by message_id, fb_user_id
    ),
    -- In the order of ids, so that two writers do not deadlock.
    stored as materialized (
      select message_id from messages where message_id in (select message_id from given)
      order by message_id for no key update
    ),
    changed as (
      update messages m set reactions = merged_reactions(m.reactions, given.reactions)
      from given
      where m.message_id = given.message_id and m.fb_user_id = given.fb_user_id
        and m.message_id in (select message_id from stored)
        and merged_reactions(m.reactions, given.reactions) is distinct from m.reactions
    )
    select message_id from stored`.execute(trx)
  return new Set(rows.map(({ message_id }) => message_id))
}

/**
 * Stores receipts: one statement for all of them. An older watermark changes nothing, so receipts may come in any order
 * and again.
 */
export async function storeReceipts(trx: Trx, receipts: readonly IdentifiedReceipt[]): Promise<void> {
  const byMessage = receipts.flatMap((receipt) => ('messageId' in receipt ? [receipt] : []))
  const times = await timesOf(trx, byMessage)
  const early = byMessage.filter(({ messageId }) => !times.has(messageId))
  if (early.length > 0) {
    await lockAgainstMessages(trx, early)
    for (const [messageId, at] of await timesOf(trx, early)) times.set(messageId, at)
    const waiting = early.filter(({ messageId }) => !times.has(messageId))
    await keepEarly(
      trx,
      waiting.map(({ messageId, fbUserId, at }) => ({
        messageId,
        fbUserId,
        kind: 'read',
        emoji: null,
        at: at.toISOString(),
      })),
    )
  }
  const timed = receipts.flatMap((receipt) => {
    const upTo = 'upTo' in receipt ? receipt.upTo : times.get(receipt.messageId)
    return upTo === undefined ? [] : [{ fbUserId: receipt.fbUserId, kind: receipt.kind, upTo, at: receipt.at }]
  })
  if (timed.length === 0) return
  const given = timed.map(({ fbUserId, kind, upTo, at }) => ({ fb_user_id: fbUserId, kind, up_to: upTo, at }))
  // We date a message of our own when the network answers, so its watermark may be a little earlier. It counts for the
  // messages whose request had left by then.
  await sql`
    with given as materialized (
      select g.fb_user_id, g.kind, g.at, greatest(g.up_to, (
        select max(m.timestamp_fb) from messages m join sends s on s.idempotency_key = m.idempotency_key
        where m.fb_user_id = g.fb_user_id and m.direction = 'outgoing' and m.timestamp_fb > g.up_to
          and m.timestamp_fb <= g.up_to + make_interval(secs => ${clockTolerance / 1_000}) and s.created_at <= g.up_to
      )) as up_to
      from json_to_recordset(${JSON.stringify(given)}::json) as g (fb_user_id text, kind text, up_to timestamptz,
        at timestamptz)
    ),
    furthest as (
      select fb_user_id, max(up_to) filter (where kind = 'delivered') as delivered_up_to,
        max(up_to) filter (where kind = 'read') as read_up_to
      from given group by fb_user_id
    ),
    of_identities as (
      select f.fb_user_id, f.delivered_up_to, f.read_up_to,
        (select min(g.at) from given g
          where g.fb_user_id = f.fb_user_id and g.kind = 'read' and g.up_to = f.read_up_to) as read_at
      from furthest f
    ),
    locked as materialized (
      select id from fb_users where id in (select fb_user_id from of_identities) order by id for no key update
    )
    select apply_receipts((
      select jsonb_agg(to_jsonb(r)) from of_identities r where r.fb_user_id in (select id from locked)
    ))`.execute(trx)
}

/** The times of the messages that are stored, by id. */
async function timesOf(trx: Trx, receipts: readonly { messageId: string }[]): Promise<Map<string, Date>> {
  if (receipts.length === 0) return new Map()
  const rows = await trx
    .selectFrom('messages')
    .select(['message_id', 'timestamp_fb'])
    .where('message_id', 'in', [...new Set(receipts.map(({ messageId }) => messageId))])
    .execute()
  return new Map(rows.map(({ message_id, timestamp_fb }) => [message_id, timestamp_fb]))
}

/**
 * Waits until transactions that store messages of these people are done, and keeps new ones waiting: the trigger that
 * completes a stored message then sees what was kept for it.
 */
async function lockAgainstMessages(trx: Trx, events: readonly { fbUserId: string }[]): Promise<void> {
  await trx
    .selectFrom('fb_users')
    .select('id')
    .where('id', 'in', [...new Set(events.map(({ fbUserId }) => fbUserId))])
    .orderBy('id')
    .forUpdate()
    .execute()
}

type EarlyEvent = {
  messageId: string
  fbUserId: string
  kind: 'person' | 'page' | 'read'
  emoji: string | null
  at: string
}

/** Keeps what concerns a message that is not stored yet: of each kind the last one. */
async function keepEarly(trx: Trx, events: readonly EarlyEvent[]): Promise<void> {
  if (events.length === 0) return
  const given = events.map(({ messageId, fbUserId, ...event }) => ({
    message_id: messageId,
    fb_user_id: fbUserId,
    ...event,
  }))
  await sql`
    insert into early_events as known (message_id, kind, fb_user_id, emoji, at)
    select distinct on (message_id, kind) message_id, kind, fb_user_id, emoji, at
    from json_to_recordset(${JSON.stringify(given)}::json) as given (message_id text, kind text, fb_user_id text,
      emoji text, at timestamptz)
    where not exists (select from deleted_messages d where d.message_id = given.message_id)
    order by message_id, kind, at desc, emoji collate "C" desc nulls first
    on conflict (message_id, kind) do update set emoji = excluded.emoji, at = excluded.at
      where known.at < excluded.at
        or (known.at = excluded.at and (excluded.emoji is null or known.emoji collate "C" < excluded.emoji))`.execute(
    trx,
  )
}
