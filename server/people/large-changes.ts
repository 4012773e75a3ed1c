import { type RawBuilder, sql } from 'kysely'

/** Matches rows of `realtime_outbox` whose record has one of the texts as a field. */
export const changeNames = (texts: readonly string[]): RawBuilder<boolean> => sql<boolean>`exists (
  select from jsonb_each_text(change -> 'record') as field (name, value)
  where field.value = any(array[${sql.join(texts)}]::text[]))`
