-- Clients, orders and payments that other programs store through the API. ------------------------------------------------

-- The id of the row in the other program. It is null for rows that were made here.
alter table clients add column external_id text unique;
alter table orders add column external_id text unique;
alter table payments add column external_id text unique;

-- The keys of other programs.
create table api_keys (
  id text primary key default gen_random_uuid()::text,
  name text not null,
  -- SHA-256 of the secret. The secret itself is shown once and not stored.
  secret_hash text not null unique,
  -- The last characters of the secret, by which people tell keys apart.
  ending text not null,
  scopes jsonb not null,
  -- The name of the member of staff who made the key.
  created_by text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
alter table api_keys enable row level security;
