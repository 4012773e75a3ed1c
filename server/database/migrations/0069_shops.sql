-- Shops of the business, whose customers and orders the inbox stores. -----------------------------------------------------

create table shops (
  id text primary key,
  kind text not null check (kind in ('shopify', 'woocommerce')),
  -- Shopify: the domain. WooCommerce: the address of the site.
  address text not null,
  name text not null,
  -- The key and the secrets, sealed with the id of the shop.
  credentials_encrypted text not null,
  connected_by text references staff on delete set null,
  connected_at timestamptz not null,
  -- Since when the shop refuses the key, and since when no call reached it.
  key_refused_since timestamptz,
  unreachable_since timestamptz,
  -- The run that reads customers and orders. `run_id` changes with each run, so an old job changes nothing.
  run_id text,
  run_state text not null default 'idle' check (run_state in ('idle', 'queued', 'running')),
  phase text not null default 'customers' check (phase in ('customers', 'orders')),
  -- Where the next page begins; null for the first page of the phase.
  cursor text,
  -- The run reads what changed since; null: everything.
  changed_since timestamptz,
  run_started_at timestamptz,
  -- The rows of the phase that were read, and their number if the shop tells it.
  done integer not null default 0,
  total integer,
  -- Why the last run failed, for staff.
  error text,
  -- All changes up to this moment are stored.
  synced_until timestamptz,
  updated_at timestamptz not null,
  unique (kind, address)
);

-- Which version of a customer or an order is stored. A delivery or a page with an older version changes nothing.
create table shop_rows (
  shop_id text not null references shops on delete cascade,
  kind text not null check (kind in ('client', 'order')),
  external_id text not null,
  -- False: the client of an order without a record of the customer. A record of the customer replaces it.
  is_own_record boolean not null,
  version timestamptz not null,
  -- The number or id that the shop shows.
  number text not null,
  -- Why the row is not stored, for staff; null if it is stored.
  reason text,
  primary key (shop_id, kind, external_id)
);
create index shop_rows_refused on shop_rows (shop_id) where reason is not null;
create index shop_rows_by_external_id on shop_rows (external_id);

-- Webhook deliveries until they are stored.
create table shop_deliveries (
  id bigint generated always as identity primary key,
  shop_id text not null references shops on delete cascade,
  kind text not null check (kind in ('customers', 'orders')),
  body text not null,
  received_at timestamptz not null,
  due_at timestamptz not null,
  attempts integer not null default 0,
  error text
);
create index shop_deliveries_due on shop_deliveries (due_at, id);

alter table alarms drop constraint alarms_kind_check;
alter table alarms add constraint alarms_kind_check
  check (kind in (
    'webhooks', 'token', 'parked', 'queue', 'disk', 'endpoint-failing', 'endpoint-off', 'shop-key', 'shop-unreachable'));
