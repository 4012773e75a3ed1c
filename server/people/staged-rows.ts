import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { nationalDigits } from '../phones.ts'

/**
 * Deletes the rows of CSV imports that are about the client: those with the email address or the phone number in any cell,
 * those that name the client or an order of the client in the column that the import reads for that, and those that change
 * the client by what the check found. The same text in another column, such as a quantity, names nobody. To be called before
 * the client is deleted.
 */
export async function forgetStagedRowsOf(
  trx: Db,
  client: { id: string; external_id: string | null; email: string | null; phone: string | null },
  country: string,
): Promise<void> {
  const email = client.email?.trim().toLowerCase() || null
  // Every notation of a number ends with these digits.
  const digits = nationalDigits(client.phone, country)
  await sql`
    with order_names as materialized (
      select lower(trim(name)) as name from (
        select external_id as name from orders where client_id = ${client.id} and external_id is not null
        union all select order_number from orders where client_id = ${client.id}
      ) known
    ), named_columns as materialized (
      select i.id as import_id, field.value::integer as place,
        (i.kind, field.key) in (('clients', 'id'), ('orders', 'client')) as of_client,
        (i.kind, field.key) in (('orders', 'id'), ('orders', 'order_number'), ('items', 'order'), ('payments', 'order'))
          as of_order
      from csv_imports i, jsonb_each_text(i.mapping -> 'fields') field
    )
    delete from csv_import_rows staged where staged.target = ${client.id} or exists (
      select from jsonb_array_elements_text(staged.cells) cell
      where lower(trim(cell)) = ${email}::text
        or right(regexp_replace(cell, '[^0-9]', '', 'g'), ${digits?.length ?? 0}::integer) = ${digits}::text
    ) or exists (
      select from named_columns named where named.import_id = staged.import_id and (
        (named.of_client and lower(trim(staged.cells ->> named.place)) = lower(trim(${client.external_id}::text)))
        or (named.of_order and lower(trim(staged.cells ->> named.place)) in (select name from order_names))
      )
    )`.execute(trx)
}

/**
 * Deletes what is stored about the versions of the client and of the client's orders in shops. To be called before the
 * client is deleted.
 */
export async function forgetShopRowsOf(trx: Db, client: { id: string; external_id: string | null }): Promise<void> {
  await sql`
    delete from shop_rows where (kind = 'client' and external_id = ${client.external_id}::text)
      or (kind = 'order' and external_id in (
        select external_id from orders where client_id = ${client.id} and external_id is not null))`.execute(trx)
}
