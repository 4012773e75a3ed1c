-- Text ids throughout: the network's ids exceed what JSON numbers hold.
create extension if not exists pg_trgm;

-- The business's own people. ------------------------------------------------------------------

-- Accounts of the stand-in identity provider (unused when a real one is set).
create table auth_users (
  id text primary key default gen_random_uuid()::text,
  email text not null,
  password_hash text not null,
  email_confirmed_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index auth_users_email on auth_users (lower(email));

create table auth_sessions (
  id text primary key default gen_random_uuid()::text,
  user_id text not null references auth_users on delete cascade,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);

-- Staff of the product. `supabase_id` is the identity provider's user id.
create table staff (
  id text primary key default gen_random_uuid()::text,
  email text not null,
  name text,
  role text not null,
  permissions text[] not null default '{}',
  is_active boolean not null default true,
  supabase_id text unique,
  legacy_password_hash text,
  created_at timestamptz not null default now()
);
create unique index staff_email on staff (lower(email));

create table staff_sessions (
  id text primary key default gen_random_uuid()::text,
  staff_id text not null references staff on delete cascade,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);

-- Refresh tokens of both issuers. Only the hash is kept; a token works once, and for 10 s more
-- it answers with its successor; used later it betrays a theft and revokes its session.
create table refresh_tokens (
  token_hash text primary key,
  issuer text not null check (issuer in ('provider', 'product')),
  session_id text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index refresh_tokens_session on refresh_tokens (session_id);

-- Pages and the people who write to them. -----------------------------------------------------

create table pages (
  page_id text primary key,
  page_name text not null,
  page_access_token_encrypted text not null,
  -- The Instagram account behind the page, whose webhooks carry this id instead of the page's.
  instagram_id text unique,
  is_active boolean not null default true,
  page_username text,
  page_category text,
  page_profile_pic_url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table clients (
  id text primary key default gen_random_uuid()::text,
  first_name text not null,
  last_name text not null,
  company_name text,
  email text,
  phone text,
  classification text not null default 'new',
  is_active boolean not null default true,
  created_at timestamptz not null default now()
);

create table orders (
  id text primary key default gen_random_uuid()::text,
  order_number text not null unique,
  client_id text not null references clients on delete cascade,
  status text not null,
  total_amount numeric(14, 2) not null,
  items jsonb not null default '[]',
  created_at timestamptz not null default now()
);
create index orders_client on orders (client_id, created_at desc);

create table payments (
  id text primary key default gen_random_uuid()::text,
  order_id text not null references orders on delete cascade,
  amount numeric(14, 2) not null,
  status text not null,
  created_at timestamptz not null default now()
);
create index payments_order on payments (order_id);

-- A conversation is a group of one or more identities of one person. What the list sorts and
-- shows is kept here by triggers; aggregating messages would take seconds at a million of them.
create table conversations (
  primary_user_id text primary key,
  unified_name text,
  client_id text unique references clients on delete set null,
  search_text text not null default '',
  page_ids text[] not null default '{}',
  last_message_id text,
  last_message_at timestamptz,
  last_message_text text,
  last_message_direction text,
  last_message_page_id text,
  unread_messages integer not null default 0,
  total_messages integer not null default 0,
  incoming_messages integer not null default 0,
  created_at timestamptz not null default now()
);
create index conversations_recent on conversations (last_message_at desc nulls last, primary_user_id desc);
create index conversations_unread on conversations (last_message_at desc nulls last, primary_user_id desc)
  where unread_messages > 0;
create index conversations_search on conversations using gin (search_text gin_trgm_ops);

-- One identity: a person on one page. A psid means nothing on another page.
create table fb_users (
  id text primary key default gen_random_uuid()::text,
  page_id text not null references pages on delete cascade,
  psid text not null,
  platform text not null default 'messenger' check (platform in ('messenger', 'instagram')),
  primary_user_id text not null references conversations on delete cascade,
  name text,
  first_name text,
  last_name text,
  profile_pic text,
  client_id text references clients on delete set null,
  created_at timestamptz not null default now(),
  unique (page_id, psid)
);
create index fb_users_conversation on fb_users (primary_user_id);

-- The same summary for one identity: what a list filtered by page shows, and how the best page is found.
create table conversation_pages (
  fb_user_id text primary key references fb_users on delete cascade,
  primary_user_id text not null,
  page_id text not null,
  last_message_id text,
  last_message_at timestamptz,
  last_message_text text,
  last_message_direction text,
  last_incoming_at timestamptz,
  unread_messages integer not null default 0,
  total_messages integer not null default 0,
  incoming_messages integer not null default 0
);
create index conversation_pages_recent on conversation_pages (page_id, last_message_at desc nulls last, primary_user_id desc);
create index conversation_pages_unread on conversation_pages (page_id, last_message_at desc nulls last, primary_user_id desc)
  where unread_messages > 0;
create index conversation_pages_conversation on conversation_pages (primary_user_id);

create table messages (
  message_id text primary key,
  id bigint generated always as identity unique,
  primary_user_id text not null references conversations on delete cascade,
  fb_user_id text not null references fb_users on delete cascade,
  page_id text not null,
  message_text text,
  direction text not null check (direction in ('incoming', 'outgoing')),
  is_read boolean not null default false,
  created_at timestamptz not null default now(),
  timestamp_fb timestamptz not null default now(),
  attachments jsonb,
  idempotency_key text unique
);
create index messages_thread on messages (primary_user_id, timestamp_fb desc, message_id desc);
create index messages_identity on messages (fb_user_id, timestamp_fb desc, message_id desc);
create index messages_unread on messages (fb_user_id) where direction = 'incoming' and not is_read;

-- What staff asked to send. The key is the client's; the same key never leaves twice.
--   sending: a request to the network may be under way    sent: the network named it
--   unknown: no answer came; an echo or a look at the network settles it    failed: the network refused it
create table sends (
  idempotency_key text primary key,
  staff_id text not null,
  page_id text not null,
  psid text not null,
  message_text text not null,
  state text not null check (state in ('sending', 'sent', 'unknown', 'failed')),
  message_id text,
  error jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sends_open on sends (page_id, psid) where state in ('sending', 'unknown');

-- Webhooks as they came, answered at once and worked off after; a delivery survives a crash.
create table webhook_inbox (
  id bigint generated always as identity primary key,
  body jsonb not null,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  attempts integer not null default 0,
  error text
);
create index webhook_inbox_open on webhook_inbox (id) where processed_at is null;

-- Realtime. -----------------------------------------------------------------------------------

-- A change as listeners get it. NOTIFY carries less than 8,000 bytes, so a larger row waits here
-- under its id until the sweep; readers never delete, or the second listener would miss it.
create table realtime_outbox (
  id bigint generated always as identity primary key,
  change jsonb not null,
  created_at timestamptz not null default now()
);

create function announce_change() returns trigger language plpgsql as $$
declare
  change jsonb;
  stored bigint;
begin
  change := jsonb_build_object(
    'schema', tg_table_schema,
    'table', tg_table_name,
    'type', tg_op,
    'commit_timestamp', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'record', case when tg_op = 'DELETE' then '{}'::jsonb else to_jsonb(new) end,
    'old_record', case
      when tg_op = 'INSERT' then '{}'::jsonb
      when tg_table_name = 'messages' then jsonb_build_object('message_id', to_jsonb(old) -> 'message_id')
      else jsonb_build_object('id', to_jsonb(old) -> 'id')
    end
  );
  if octet_length(change::text) < 7000 then
    perform pg_notify('realtime', change::text);
  else
    insert into realtime_outbox (change) values (change) returning id into stored;
    perform pg_notify('realtime', json_build_object('outbox', stored)::text);
  end if;
  return null;
end $$;

create trigger messages_announce after insert or update or delete on messages
  for each row execute function announce_change();
create trigger fb_users_announce after insert or update or delete on fb_users
  for each row execute function announce_change();

-- Summaries. ----------------------------------------------------------------------------------

-- One place keeps the counts, whichever path a message takes into the table.
create function summarise_inserted_message() returns trigger language plpgsql as $$
declare
  incoming integer := (new.direction = 'incoming')::integer;
  unread integer := (new.direction = 'incoming' and not new.is_read)::integer;
begin
  update conversation_pages set
    total_messages = total_messages + 1,
    incoming_messages = incoming_messages + incoming,
    unread_messages = unread_messages + unread,
    last_incoming_at = case when incoming = 1 then greatest(last_incoming_at, new.timestamp_fb) else last_incoming_at end
    where fb_user_id = new.fb_user_id;
  update conversation_pages set
    last_message_id = new.message_id, last_message_at = new.timestamp_fb,
    last_message_text = new.message_text, last_message_direction = new.direction
    where fb_user_id = new.fb_user_id
      and (last_message_at is null or (last_message_at, last_message_id) < (new.timestamp_fb, new.message_id));
  update conversations set
    total_messages = total_messages + 1,
    incoming_messages = incoming_messages + incoming,
    unread_messages = unread_messages + unread
    where primary_user_id = new.primary_user_id;
  update conversations set
    last_message_id = new.message_id, last_message_at = new.timestamp_fb,
    last_message_text = new.message_text, last_message_direction = new.direction, last_message_page_id = new.page_id
    where primary_user_id = new.primary_user_id
      and (last_message_at is null or (last_message_at, last_message_id) < (new.timestamp_fb, new.message_id));
  return null;
end $$;
create trigger messages_summarise_insert after insert on messages
  for each row execute function summarise_inserted_message();

create function summarise_read_message() returns trigger language plpgsql as $$
declare
  change integer := (not new.is_read)::integer - (not old.is_read)::integer;
begin
  update conversation_pages set unread_messages = unread_messages + change where fb_user_id = new.fb_user_id;
  update conversations set unread_messages = unread_messages + change where primary_user_id = new.primary_user_id;
  return null;
end $$;
create trigger messages_summarise_read after update of is_read on messages
  for each row when (new.direction = 'incoming' and old.is_read is distinct from new.is_read)
  execute function summarise_read_message();

create function summarise_deleted_message() returns trigger language plpgsql as $$
declare
  incoming integer := (old.direction = 'incoming')::integer;
  unread integer := (old.direction = 'incoming' and not old.is_read)::integer;
  latest messages;
begin
  select * into latest from messages where fb_user_id = old.fb_user_id order by timestamp_fb desc, message_id desc limit 1;
  update conversation_pages set
    total_messages = total_messages - 1,
    incoming_messages = incoming_messages - incoming,
    unread_messages = unread_messages - unread,
    last_message_id = latest.message_id, last_message_at = latest.timestamp_fb,
    last_message_text = latest.message_text, last_message_direction = latest.direction
    where fb_user_id = old.fb_user_id;
  select * into latest from messages where primary_user_id = old.primary_user_id order by timestamp_fb desc, message_id desc limit 1;
  update conversations set
    total_messages = total_messages - 1,
    incoming_messages = incoming_messages - incoming,
    unread_messages = unread_messages - unread,
    last_message_id = latest.message_id, last_message_at = latest.timestamp_fb,
    last_message_text = latest.message_text, last_message_direction = latest.direction, last_message_page_id = latest.page_id
    where primary_user_id = old.primary_user_id;
  return null;
end $$;
create trigger messages_summarise_delete after delete on messages
  for each row execute function summarise_deleted_message();
