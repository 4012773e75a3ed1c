import { type ColumnType, type Generated, type Kysely, sql } from 'kysely'
import type { ShopKind, ShopPhase } from '../../../src/schemas/shop.ts'
import type { Db } from '../../database/database.ts'
import type { Moment } from '../../database/tables/columns.ts'

/** A customer or an order of a stand-in, from which both APIs make their answers. Amounts in cents. */
export type StandInCustomer = {
  firstName: string
  lastName: string
  email: string
  phone: string
  company: string
}
export type StandInOrder = {
  /** The id of the customer; null for a guest. */
  customer: number | null
  buyer: StandInCustomer | null
  currency: string
  items: { name: string; quantity: number; price: number }[]
  state: 'open' | 'paid' | 'fulfilled' | 'cancelled'
  refunded: number
  createdAt: string
}
export type StandInRow<Data> = { id: number; data: Data; updated_at: Date }

type StandInTables = {
  'sandbox.shop_rows': {
    shop: ShopKind
    kind: ShopPhase
    id: number
    data: ColumnType<unknown, string, string>
    updated_at: Moment
  }
  'sandbox.shop_hooks': {
    id: ColumnType<number, never, never>
    shop: ShopKind
    topic: string
    address: string
    secret: string
  }
  'sandbox.shop_posts': {
    id: ColumnType<number, never, never>
    hook_id: number
    body: string
    due_at: Moment
    attempts: Generated<number>
  }
  'sandbox.shop_faults': {
    shop: ShopKind
    faults: ColumnType<unknown, string, string>
  }
}

export type StandInDb = Kysely<StandInTables>

/** Creates the tables of the stand-ins if they are missing. */
export async function openStandInTables(db: Db): Promise<StandInDb> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(74112011)`.execute(trx)
    for (const statement of statements) await sql.raw(statement).execute(trx)
  })
  return db.withTables<StandInTables>()
}

const statements = [
  'create schema if not exists sandbox',
  `create table if not exists sandbox.shop_rows (
    shop text not null,
    kind text not null,
    id bigint not null,
    data jsonb not null,
    updated_at timestamptz not null,
    primary key (shop, kind, id)
  )`,
  `create table if not exists sandbox.shop_hooks (
    id bigint generated always as identity primary key,
    shop text not null,
    topic text not null,
    address text not null,
    secret text not null
  )`,
  `create table if not exists sandbox.shop_posts (
    id bigint generated always as identity primary key,
    hook_id bigint not null references sandbox.shop_hooks on delete cascade,
    body text not null,
    due_at timestamptz not null,
    attempts integer not null default 0
  )`,
  `create table if not exists sandbox.shop_faults (
    shop text primary key,
    faults jsonb not null
  )`,
]
