import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { phoneDigits } from './phone-digits.ts'

/**
 * Deletes the rows of CSV imports with a cell that equals the external id, e-mail address or phone number of the client, or
 * the external id or number of an order of the client. To be called before the client is deleted.
 */
export async function forgetStagedRowsOf(
  trx: Db,
  client: { id: string; external_id: string | null; email: string | null; phone: string | null },
): Promise<void> {
  const digits = phoneDigits(client.phone)
  await sql`
    with names as materialized (
      select lower(trim(name)) as name from (
        select unnest(${[client.external_id, client.email].filter((name) => name?.trim())}::text[]) as name
        union all select external_id from orders where client_id = ${client.id} and external_id is not null
        union all select order_number from orders where client_id = ${client.id}
      ) known
    )
    delete from csv_import_rows where exists (
      select from jsonb_array_elements_text(cells) cell
      where lower(trim(cell)) in (select name from names)
        or right(regexp_replace(cell, '[^0-9]', '', 'g'), 10) = ${digits}::text
    )`.execute(trx)
}
