import { sql } from 'kysely'
import { type SuggestionReason, suggestionLimits } from '../../src/schemas/client-suggestion.ts'
import { phoneNumberOf, readablePhone } from '../phones.ts'
import { findClients } from './clients.ts'
import type { Db } from './database.ts'

/**
 * What the messages of a person may say about who they are: phone numbers in their one form, email addresses, order
 * numbers, and `shopOrders`: numbers without the name of the shop, in capitals.
 */
export type MentionedNames = { phones: string[]; emails: string[]; orders: string[]; shopOrders: string[] }

const phonePattern = /\+?\d[\d ().-]{5,20}\d/g
const emailPattern = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4}/gu
const orderPattern = /[\p{L}\p{N}](?:[\p{L}\p{N}/_-]{0,38}[\p{L}\p{N}])?/gu
/**
 * People know the number that the shop shows, without the name of the shop. Prices and quantities look like such a
 * number, so a number counts only after a # or the word order.
 */
const shopOrderPattern =
  /(?:#\s?|(?<![\p{L}\p{N}])order(?:\s+(?:number|num|no|id))?[\s.:#]+)([\p{L}\p{N}](?:[\p{L}\p{N}/_-]{0,38}[\p{L}\p{N}])?)/giu

/** Reads texts, the newest first. `country`: of phone numbers without a country code. */
export function mentionedNames(texts: readonly string[], country: string): MentionedNames {
  const found = (pattern: RegExp) => texts.flatMap((text) => text.match(pattern) ?? [])
  const first = (values: readonly string[]) => [...new Set(values)].slice(0, suggestionLimits.values)
  return {
    phones: first(found(phonePattern).flatMap((text) => phoneNumberOf(text, country) ?? [])),
    emails: first(found(emailPattern).map((text) => text.toLowerCase())),
    // People write a number with small letters too. A word without a digit is no number.
    orders: first(
      found(orderPattern)
        .filter((text) => /\d/.test(text))
        .flatMap((text) => [text, text.toUpperCase()]),
    ),
    shopOrders: first(
      texts
        .flatMap((text) => [...text.matchAll(shopOrderPattern)].flatMap(([, number]) => number ?? []))
        .filter((text) => /\d/.test(text))
        .map((text) => text.toUpperCase()),
    ),
  }
}

/**
 * Clients that an unlinked conversation may belong to, most reasons first, each with its reasons. Empty if the conversation
 * is linked. Reads the newest messages of the person, then the indexes of clients, orders and linked names with one query.
 */
export async function suggestClients(db: Db, primaryUserId: string, country: string) {
  const conversation = await db
    .selectFrom('conversations')
    .select('client_id')
    .where('primary_user_id', '=', primaryUserId)
    .executeTakeFirst()
  if (conversation === undefined || conversation.client_id !== null) return []
  const messages = await db
    .selectFrom('messages')
    .select(sql<string | null>`written_text(message_text, content)`.as('text'))
    .where('primary_user_id', '=', primaryUserId)
    .where('direction', '=', 'incoming')
    .where('message_text', 'is not', null)
    .orderBy('timestamp_fb', 'desc')
    .orderBy('message_id', 'desc')
    .limit(suggestionLimits.messages)
    .execute()
  const texts = messages.flatMap(({ text }) => text ?? [])
  const { phones, emails, orders, shopOrders } = mentionedNames(texts, country)
  const most = suggestionLimits.values
  const { rows } = await sql<{ client_id: string; reasons: SuggestionReason[] }>`
    with found as (
      (select id as client_id, 1 as rank, 'phone' as kind, phone_e164 as value from clients
        where phone_e164 = any(${phones}::text[]) limit ${most})
      union all
      (select id, 2, 'email', email from clients where lower(email) = any(${emails}::text[]) limit ${most})
      union all
      (select client_id, 3, 'order', order_number from orders where order_number = any(${orders}::text[]) limit ${most})
      union all
      (select client_id, 3, 'order', order_number from orders
        where order_number like '% %' and upper(substring(order_number from ' #?([^ ]+)$')) = any(${shopOrders}::text[])
        limit ${most})
      union all
      (select other.client_id, 4, 'name', other.name from fb_users own
        join fb_users other on search_form(other.name) = search_form(own.name) and other.page_id <> own.page_id
        where own.primary_user_id = ${primaryUserId} and other.client_id is not null and other.name is not null
        limit ${most})
    )
    select client_id, jsonb_agg(distinct jsonb_build_object('kind', kind, 'value', value)) as reasons
    from found join clients on clients.id = client_id
    where clients.removed_at is null and not exists (
      select from dismissed_suggestions dismissed
      where dismissed.primary_user_id = ${primaryUserId} and dismissed.client_id = found.client_id)
    group by client_id
    order by count(distinct kind) desc, min(rank), client_id limit ${suggestionLimits.suggestions}`.execute(db)
  const clients = await findClients(
    db,
    rows.map(({ client_id }) => client_id),
  )
  const readable = ({ kind, value }: SuggestionReason): SuggestionReason => ({
    kind,
    value: kind === 'phone' ? (readablePhone(value, country) ?? value) : value,
  })
  return rows.flatMap(({ client_id, reasons }) => {
    const client = clients.get(client_id)
    return client === undefined ? [] : [{ client, reasons: reasons.map(readable) }]
  })
}

/** Never suggests the client for the conversation again. False if one of them does not exist. */
export async function dismissSuggestion(trx: Db, primaryUserId: string, clientId: string): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from conversations where primary_user_id = ${primaryUserId})
      and exists (select from clients where id = ${clientId} and removed_at is null) as known`.execute(trx)
  if (rows[0]?.known !== true) return false
  await trx
    .insertInto('dismissed_suggestions')
    .values({ primary_user_id: primaryUserId, client_id: clientId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return true
}
