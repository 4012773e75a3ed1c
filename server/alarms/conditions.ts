import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Alarm } from '../../src/schemas/alarm.ts'
import type { Db } from '../database/database.ts'
import { hostOf } from '../webhooks-out/addresses.ts'
import { failingDays } from '../webhooks-out/deliveries.ts'

const minute = 60_000
/**
 * Milliseconds that a delivery or an automatic reply may wait, that an endpoint may fail, and that a shop may be out of
 * reach. Retries of an automatic reply end after 15 minutes.
 */
const maxWait = { webhooks: 5 * minute, autoReplies: 20 * minute, endpoint: 24 * 60 * minute, shops: 30 * minute }
/** Bytes and share of the disk that must be free. */
const minFree = { bytes: 1_000_000_000, share: 0.05 }

export type Condition = { kind: Alarm['kind']; subject: string; detail: Record<string, string | number> }

/** The conditions that hold now, as all processes see them in the database. */
export async function readConditions(db: Db, now: number): Promise<Condition[]> {
  const before = (milliseconds: number) => new Date(now - milliseconds)
  const { rows } = await sql<Condition>`
    select 'webhooks' as kind, page_id as subject, jsonb_build_object('page', page_name) as detail
      from webhook_health join pages using (page_id)
      where is_active and (delivered_at is null or delivered_at <= missed_at)
    union all
    select 'token', page_id, jsonb_build_object('page', page_name)
      from pages where is_active and token_invalid_since is not null
    union all
    select 'parked', '', jsonb_build_object('count', count(*))
      from (
        select 1 from webhook_inbox where processed_at is null and due_at = 'infinity'
        union all select 1 from shop_deliveries where due_at = 'infinity'
      ) parked having count(*) > 0
    union all
    select 'queue', 'webhooks', jsonb_build_object('count', count(*))
      from webhook_inbox where processed_at is null and due_at < 'infinity' and received_at < ${before(maxWait.webhooks)}
      having count(*) > 0
    union all
    select 'queue', 'auto_replies', jsonb_build_object('count', count(*))
      from auto_replies where state in ('due', 'sending') and created_at < ${before(maxWait.autoReplies)}
      having count(*) > 0
    union all
    select 'endpoint-failing', id, jsonb_build_object('url', url, 'since', failing_since)
      from webhook_endpoints where is_active and failing_since < ${before(maxWait.endpoint)}
    union all
    select 'endpoint-off', id, jsonb_build_object('url', url, 'reason', disabled_reason)
      from webhook_endpoints where disabled_reason is not null
    union all
    select 'shop-key', id, jsonb_build_object('shop', name) from shops where key_refused_since is not null
    union all
    select 'shop-unreachable', id, jsonb_build_object('shop', name)
      from shops where unreachable_since < ${before(maxWait.shops)}
    order by kind, subject
  `.execute(db)
  return rows
}

/** Whether the disk of a directory is nearly full. Without the directory the server writes nothing to this machine. */
export async function readDisk(
  directory: string,
  machine: string,
  read: (directory: string) => Promise<{ bavail: number; blocks: number; bsize: number }> = statfs,
): Promise<Condition[]> {
  const disk = await read(directory).catch(() => null)
  if (disk === null) return []
  const { bavail, blocks, bsize } = disk
  const free = bavail * bsize
  if (free >= minFree.bytes && bavail >= blocks * minFree.share) return []
  return [{ kind: 'disk', subject: machine, detail: { megabytes: Math.floor(free / 1_000_000) } }]
}

const named = z.object({
  page: z.catch(z.string(), ''),
  shop: z.catch(z.string(), ''),
  count: z.catch(z.number(), 0),
  megabytes: z.catch(z.number(), 0),
  url: z.catch(z.string(), ''),
  reason: z.catch(z.string(), ''),
})

/** The sentence for administrators. */
export function textOf({ kind, subject, detail }: Condition): string {
  const { page, shop, count, megabytes, url, reason } = named.parse(detail)
  switch (kind) {
    case 'webhooks':
      return `${page} no longer receives webhooks: a sync found messages that no webhook brought. Check the app's webhook settings at Meta; until then messages arrive with the syncs only.`
    case 'token':
      return `The network refuses the token of ${page}. Renew it in the page manager; until then nothing can be sent from this page.`
    case 'parked':
      return `${count} webhook ${count === 1 ? 'delivery' : 'deliveries'} could not be stored and ${count === 1 ? 'was' : 'were'} set aside. See "Parked deliveries" in docs/operations.md.`
    case 'queue':
      return subject === 'webhooks'
        ? `${count} webhook ${count === 1 ? 'delivery waits' : 'deliveries wait'} for more than five minutes. Check the log and the database.`
        : `${count} automatic ${count === 1 ? 'reply waits' : 'replies wait'} for more than 20 minutes. Check the log.`
    case 'endpoint-failing':
      return `The webhook to ${hostOf(url)} has not worked for a day. Look at its log in "Webhooks"; after ${failingDays} days of failures it is switched off.`
    case 'endpoint-off':
      return reason === 'gone'
        ? `The webhook to ${hostOf(url)} was switched off: the receiver answered that it is gone. Switch it on in "Webhooks", or delete it.`
        : `The webhook to ${hostOf(url)} was switched off: it has not worked for ${failingDays} days. Repair the receiver and switch it on in "Webhooks".`
    case 'shop-key':
      return `The shop ${shop} refuses its key. Connect it again with a new key in the dialog Shops; until then its orders do not arrive.`
    case 'shop-unreachable':
      return `The shop ${shop} has not been reachable for more than 30 minutes. Look whether it is online; until then its orders may be missing here.`
    case 'disk':
      return `The disk of ${subject} is nearly full: ${megabytes} MB are free. Make room, or the server stops storing messages.`
  }
}
