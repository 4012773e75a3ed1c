import { sql } from 'kysely'
import { comparable, containsKeyword } from '../../src/domain/comparable.ts'
import { labelLimits } from '../../src/schemas/labels-of-row.ts'
import type { Db } from './database.ts'

type Rule = { labelId: string; keywords: readonly string[] }

/** The rules of the last batch: normalising keywords costs more than matching. */
let known: { source: string; rules: readonly Rule[] } = { source: '[]', rules: [] }

function rulesOf(rows: readonly { id: string; keywords: readonly string[] }[]): readonly Rule[] {
  const source = JSON.stringify(rows)
  if (known.source !== source)
    known = { source, rules: rows.map(({ id, keywords }) => ({ labelId: id, keywords: keywords.map(comparable) })) }
  return known.rules
}

/** A message of a person that was stored now. */
export type LabelledMessage = { fbUserId: string; text: string }

/**
 * Puts the labels on the conversations whose messages contain a keyword, with one statement for the batch. A conversation
 * takes no more than `labelLimits.ofRow`. Call it in the transaction that stored the messages, which holds the locks of
 * their conversations.
 */
export async function applyLabelRules(trx: Db, messages: readonly LabelledMessage[]): Promise<void> {
  if (messages.length === 0) return
  const rows = await trx
    .selectFrom('labels')
    .select(['id', 'keywords'])
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`keywords <> '{}'`)
    .orderBy('id')
    .execute()
  const rules = rulesOf(rows)
  if (rules.length === 0) return
  const found = messages.flatMap(({ fbUserId, text }) => {
    const compared = comparable(text)
    return rules
      .filter(({ keywords }) => keywords.some((keyword) => containsKeyword(compared, keyword)))
      .map(({ labelId }) => ({ fb_user_id: fbUserId, label_id: labelId }))
  })
  if (found.length === 0) return
  // A label that is deleted meanwhile is put on no more: its row is locked by the deletion, or read again as deleted.
  await sql`
    with found as materialized (
      select distinct f.primary_user_id, wanted.label_id
      from json_to_recordset(${JSON.stringify(found)}::json) as wanted (fb_user_id text, label_id text)
      join fb_users f on f.id = wanted.fb_user_id
    ),
    kept as materialized (
      select id from labels where id in (select label_id from found) and deleted_at is null order by id for share
    ),
    wanted as (
      select primary_user_id, array_agg(label_id order by label_id) as label_ids
      from found join kept on kept.id = found.label_id group by primary_user_id
    )
    update conversations c set label_ids = (joined_labels(c.label_ids, wanted.label_ids))[:${sql.lit(labelLimits.ofRow)}]
    from wanted
    where c.primary_user_id = wanted.primary_user_id and not c.label_ids @> wanted.label_ids
      and cardinality(c.label_ids) < ${sql.lit(labelLimits.ofRow)}`.execute(trx)
}
