-- Texts that staff insert into a reply. --------------------------------------------------------------------------------

create table saved_replies (
  id text primary key default gen_random_uuid()::text,
  name text not null,
  -- The name in the form in which it is compared, because lower() depends on the locale of the database.
  name_key text not null unique,
  text text not null,
  -- Null: for all pages.
  page_ids text[] check (cardinality(page_ids) > 0),
  -- The number of sent messages that were written with it.
  uses integer not null default 0,
  created_by text references staff on delete set null,
  created_at timestamptz not null default now(),
  updated_by text references staff on delete set null,
  updated_at timestamptz not null default now()
);

-- The messages that `uses` counts, so that each counts once.
create table saved_reply_uses (
  reply_id text not null references saved_replies on delete cascade,
  idempotency_key text not null references sends on delete cascade,
  primary key (reply_id, idempotency_key)
);
create index saved_reply_uses_send on saved_reply_uses (idempotency_key);

-- A deleted page leaves the saved replies; those of that page alone are deleted with it.
create function forget_pages_of_saved_replies() returns trigger language plpgsql as $$
begin
  delete from saved_replies where page_ids <@ array(select page_id from removed);
  update saved_replies r
  set page_ids = array(select kept from unnest(r.page_ids) kept where kept not in (select page_id from removed) order by kept)
  where page_ids && array(select page_id from removed);
  return null;
end $$;
create trigger pages_forget_saved_replies after delete on pages referencing old table as removed
  for each statement execute function forget_pages_of_saved_replies();
