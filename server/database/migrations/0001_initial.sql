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

-- Counted by triggers, because counting the messages would take most of a second at a million of
-- them. A change is a row of its own, added up when read and folded into the totals now and then: a
-- single row to update would make every writer of a page wait for every other. The page '' counts
-- the conversations of the whole inbox.
create table page_totals (
  page_id text primary key,
  conversations integer not null default 0,
  users integer not null default 0,
  linked_users integer not null default 0,
  total_messages integer not null default 0,
  incoming_messages integer not null default 0,
  unread_messages integer not null default 0
);
create table page_total_changes (like page_totals including defaults);

create view current_page_totals as
  select page_id, sum(conversations)::integer as conversations, sum(users)::integer as users,
    sum(linked_users)::integer as linked_users, sum(total_messages)::integer as total_messages,
    sum(incoming_messages)::integer as incoming_messages, sum(unread_messages)::integer as unread_messages
  from (select * from page_totals union all select * from page_total_changes) counts
  group by page_id;

create function fold_page_totals() returns void language sql as $$
  with folded as (delete from page_total_changes returning *)
  insert into page_totals as t
    select page_id, sum(conversations), sum(users), sum(linked_users), sum(total_messages), sum(incoming_messages),
      sum(unread_messages)
    from folded group by page_id order by page_id
    on conflict (page_id) do update set
      conversations = t.conversations + excluded.conversations,
      users = t.users + excluded.users,
      linked_users = t.linked_users + excluded.linked_users,
      total_messages = t.total_messages + excluded.total_messages,
      incoming_messages = t.incoming_messages + excluded.incoming_messages,
      unread_messages = t.unread_messages + excluded.unread_messages
$$;

-- Ids that break ties in an order are compared by bytes, as JavaScript does, whatever the server's locale.

-- A conversation is a group of one or more identities of one person. Triggers make it with its
-- first identity and keep what the list sorts by and shows.
create table conversations (
  primary_user_id text collate "C" primary key,
  unified_name text,
  client_id text unique references clients on delete set null,
  search_text text not null default '',
  page_ids text[] not null default '{}',
  last_message_id text collate "C",
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
  -- Deferred: the conversation of a new identity is made after it.
  primary_user_id text collate "C" not null references conversations on delete cascade deferrable initially deferred,
  name text,
  first_name text,
  last_name text,
  profile_pic text,
  client_id text references clients on delete set null,
  created_at timestamptz not null default now(),
  unique (page_id, psid)
);
create index fb_users_conversation on fb_users (primary_user_id);
create index fb_users_client on fb_users (client_id) where client_id is not null;

-- The same summary for one page of a conversation: what a list filtered by page shows, and how the best
-- page is found. `fb_user_id` is the identity of the last message, for one page may know a person twice
-- (on Messenger and on Instagram).
create table conversation_pages (
  primary_user_id text collate "C" not null references conversations on delete cascade,
  page_id text not null,
  fb_user_id text not null,
  last_message_id text collate "C",
  last_message_at timestamptz,
  last_message_text text,
  last_message_direction text,
  last_incoming_at timestamptz,
  unread_messages integer not null default 0,
  total_messages integer not null default 0,
  incoming_messages integer not null default 0,
  primary key (primary_user_id, page_id)
);
create index conversation_pages_recent on conversation_pages (page_id, last_message_at desc nulls last, primary_user_id desc);
create index conversation_pages_unread on conversation_pages (page_id, last_message_at desc nulls last, primary_user_id desc)
  where unread_messages > 0;

create table messages (
  message_id text collate "C" primary key,
  id bigint generated always as identity unique,
  -- Both are taken from the identity by a trigger.
  primary_user_id text collate "C" not null references conversations on delete cascade,
  page_id text not null,
  fb_user_id text not null references fb_users on delete cascade,
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

create trigger messages_announce after insert or delete on messages
  for each row execute function announce_change();
-- A merge moves a whole thread to another conversation: its identity is announced, not each message.
create trigger messages_announce_update after update on messages
  for each row when (to_jsonb(old) - 'primary_user_id' is distinct from to_jsonb(new) - 'primary_user_id')
  execute function announce_change();
create trigger fb_users_announce after insert or delete on fb_users
  for each row execute function announce_change();
create trigger fb_users_announce_update after update on fb_users
  for each row when (old is distinct from new)
  execute function announce_change();

-- Names and search. ---------------------------------------------------------------------------

-- Text as it is searched: without case and without accents.
create function search_form(value text) returns text language sql immutable parallel safe as $$
  select lower(regexp_replace(normalize(value, nfkd), '[\u0300-\u036f]', '', 'g'))
$$;

create function refresh_names(ids text[]) returns void language plpgsql as $$
begin
  update conversations c set
    unified_name = identities.unified_name,
    page_ids = identities.page_ids,
    search_text = ' ' || search_form(concat_ws(' ', identities.names, client.first_name, client.last_name,
      client.company_name, client.email, client.phone))
  from unnest(ids) as wanted (id)
  cross join lateral (
    select
      (array_agg(known.name order by known.rank) filter (where known.name is not null))[1] as unified_name,
      string_agg(known.name, ' ' order by known.rank) as names,
      array_agg(known.page_id order by known.rank) filter (where known.is_first_on_page) as page_ids
    from (
      select f.page_id,
        coalesce(f.name, nullif(concat_ws(' ', f.first_name, f.last_name), '')) as name,
        row_number() over (order by f.id <> wanted.id, f.created_at, f.id) as rank,
        row_number() over (partition by f.page_id order by f.id <> wanted.id, f.created_at, f.id) = 1 as is_first_on_page
      from fb_users f where f.primary_user_id = wanted.id
    ) known
  ) identities
  left join lateral (
    select clients.* from conversations linked join clients on clients.id = linked.client_id
    where linked.primary_user_id = wanted.id
  ) client on true
  where c.primary_user_id = wanted.id and identities.page_ids is not null;
end $$;

create function client_changed() returns trigger language plpgsql as $$
begin
  perform refresh_names(array(select primary_user_id from conversations where client_id = new.id));
  return null;
end $$;
create trigger clients_changed after update of first_name, last_name, company_name, email, phone on clients
  for each row execute function client_changed();

-- Summaries. ----------------------------------------------------------------------------------

-- One place keeps the counts, whichever path a row takes into its table. The triggers fire once a
-- statement, so that a page of history costs what one message costs. Writers lock in one order, so
-- that they queue: identities, sends, messages, conversations, their pages, and one conversation in a
-- transaction where they can. A merge needs two, and rows of one table come in the plan's order: what
-- collides all the same is run again.

create function message_preview(value text, attachments jsonb) returns text language sql immutable parallel safe as $$
  select coalesce(left(nullif(value, ''), 500), case
    when jsonb_typeof(attachments #> '{data,0,image_data}') = 'object' then 'Photo'
    when jsonb_typeof(attachments #> '{data,0,video_data}') = 'object' then 'Video'
    when jsonb_typeof(attachments #> '{data,0,audio_data}') = 'object' then 'Audio'
    when jsonb_typeof(attachments #> '{data,0}') = 'object' then 'File'
  end)
$$;

-- Messages without an identity are refused by the column, not here. The lock keeps the identity in
-- its conversation until the message is in.
create function place_message() returns trigger language plpgsql as $$
begin
  select primary_user_id, page_id into new.primary_user_id, new.page_id
    from fb_users where id = new.fb_user_id for key share;
  return new;
end $$;
create trigger messages_place before insert on messages for each row execute function place_message();

create function summarise_inserted_messages() returns trigger language plpgsql as $$
declare
  change record;
  latest messages;
begin
  for change in
    select a.primary_user_id, count(*) as total,
      count(*) filter (where a.direction = 'incoming') as incoming,
      count(*) filter (where a.direction = 'incoming' and not a.is_read) as unread,
      (array_agg(a.message_id order by a.timestamp_fb desc, a.message_id desc))[1] as latest_id
    from added a group by a.primary_user_id order by a.primary_user_id
  loop
    select * into latest from messages where message_id = change.latest_id;
    update conversations set
      total_messages = total_messages + change.total,
      incoming_messages = incoming_messages + change.incoming,
      unread_messages = unread_messages + change.unread
      where primary_user_id = change.primary_user_id;
    update conversations set
      last_message_id = latest.message_id,
      last_message_at = latest.timestamp_fb,
      last_message_text = message_preview(latest.message_text, latest.attachments),
      last_message_direction = latest.direction,
      last_message_page_id = latest.page_id
      where primary_user_id = change.primary_user_id
        and (last_message_at is null or (last_message_at, last_message_id) < (latest.timestamp_fb, latest.message_id));
  end loop;
  for change in
    select a.primary_user_id, a.page_id, count(*) as total,
      count(*) filter (where a.direction = 'incoming') as incoming,
      count(*) filter (where a.direction = 'incoming' and not a.is_read) as unread,
      max(a.timestamp_fb) filter (where a.direction = 'incoming') as incoming_at,
      (array_agg(a.message_id order by a.timestamp_fb desc, a.message_id desc))[1] as latest_id
    from added a group by a.primary_user_id, a.page_id order by a.primary_user_id, a.page_id
  loop
    select * into latest from messages where message_id = change.latest_id;
    update conversation_pages set
      total_messages = total_messages + change.total,
      incoming_messages = incoming_messages + change.incoming,
      unread_messages = unread_messages + change.unread,
      last_incoming_at = greatest(last_incoming_at, change.incoming_at)
      where primary_user_id = change.primary_user_id and page_id = change.page_id;
    update conversation_pages set
      fb_user_id = latest.fb_user_id,
      last_message_id = latest.message_id,
      last_message_at = latest.timestamp_fb,
      last_message_text = message_preview(latest.message_text, latest.attachments),
      last_message_direction = latest.direction
      where primary_user_id = change.primary_user_id and page_id = change.page_id
        and (last_message_at is null or (last_message_at, last_message_id) < (latest.timestamp_fb, latest.message_id));
  end loop;
  insert into page_total_changes (page_id, total_messages, incoming_messages, unread_messages)
    select page_id, count(*), count(*) filter (where direction = 'incoming'),
      count(*) filter (where direction = 'incoming' and not is_read)
    from added group by page_id;
  return null;
end $$;
create trigger messages_summarise_insert after insert on messages referencing new table as added
  for each statement execute function summarise_inserted_messages();

create function summarise_read_messages() returns trigger language plpgsql as $$
declare
  change record;
begin
  for change in
    select primary_user_id, page_id, sum(unread)::integer as unread
    from (
      select primary_user_id, page_id, -1 as unread from before where direction = 'incoming' and not is_read
      union all
      select primary_user_id, page_id, 1 from after where direction = 'incoming' and not is_read
    ) changes
    group by primary_user_id, page_id having sum(unread) <> 0 order by primary_user_id, page_id
  loop
    update conversations set unread_messages = unread_messages + change.unread
      where primary_user_id = change.primary_user_id;
    update conversation_pages set unread_messages = unread_messages + change.unread
      where primary_user_id = change.primary_user_id and page_id = change.page_id;
  end loop;
  insert into page_total_changes (page_id, unread_messages)
    select page_id, sum(unread)
    from (
      select page_id, -1 as unread from before where direction = 'incoming' and not is_read
      union all
      select page_id, 1 from after where direction = 'incoming' and not is_read
    ) changes
    group by page_id having sum(unread) <> 0;
  return null;
end $$;
create trigger messages_summarise_update after update on messages
  referencing old table as before new table as after
  for each statement execute function summarise_read_messages();

-- Edited, the last message is shown as it reads now.
create function restate_message() returns trigger language plpgsql as $$
begin
  update conversations set last_message_text = message_preview(new.message_text, new.attachments)
    where primary_user_id = new.primary_user_id and last_message_id = new.message_id;
  update conversation_pages set last_message_text = message_preview(new.message_text, new.attachments)
    where primary_user_id = new.primary_user_id and page_id = new.page_id and last_message_id = new.message_id;
  return null;
end $$;
create trigger messages_restate after update of message_text, attachments on messages
  for each row execute function restate_message();

-- Counts these conversations anew from their messages, page by page.
create function recount_conversations(ids text[]) returns void language plpgsql as $$
begin
  -- What is counted after the lock cannot be outdated by a writer that was ahead.
  perform from conversations where primary_user_id = any(ids) order by primary_user_id for update;
  update conversations c set
    total_messages = counted.total, incoming_messages = counted.incoming, unread_messages = counted.unread,
    last_message_id = latest.message_id, last_message_at = latest.timestamp_fb,
    last_message_text = message_preview(latest.message_text, latest.attachments),
    last_message_direction = latest.direction, last_message_page_id = latest.page_id
  from unnest(ids) as wanted (id)
  cross join lateral (
    select count(*) as total, count(*) filter (where direction = 'incoming') as incoming,
      count(*) filter (where direction = 'incoming' and not is_read) as unread
    from messages where primary_user_id = wanted.id
  ) counted
  left join lateral (
    select * from messages where primary_user_id = wanted.id order by timestamp_fb desc, message_id desc limit 1
  ) latest on true
  where c.primary_user_id = wanted.id;

  delete from conversation_pages where primary_user_id = any(ids);
  insert into conversation_pages (primary_user_id, page_id, fb_user_id, last_message_id, last_message_at,
    last_message_text, last_message_direction, last_incoming_at, total_messages, incoming_messages, unread_messages)
  select known.primary_user_id, known.page_id, coalesce(latest.fb_user_id, known.fb_user_id),
    latest.message_id, latest.timestamp_fb, message_preview(latest.message_text, latest.attachments),
    latest.direction, counted.incoming_at, counted.total, counted.incoming, counted.unread
  from (
    select distinct on (primary_user_id, page_id) primary_user_id, page_id, id as fb_user_id
    from fb_users where primary_user_id = any(ids) order by primary_user_id, page_id, created_at, id
  ) known
  cross join lateral (
    select count(*) as total, count(*) filter (where direction = 'incoming') as incoming,
      count(*) filter (where direction = 'incoming' and not is_read) as unread,
      max(timestamp_fb) filter (where direction = 'incoming') as incoming_at
    from messages where primary_user_id = known.primary_user_id and page_id = known.page_id
  ) counted
  left join lateral (
    select * from messages where primary_user_id = known.primary_user_id and page_id = known.page_id
    order by timestamp_fb desc, message_id desc limit 1
  ) latest on true
  where exists (select from conversations where primary_user_id = known.primary_user_id);
end $$;

create function summarise_deleted_messages() returns trigger language plpgsql as $$
begin
  perform recount_conversations(array(select distinct primary_user_id from removed order by primary_user_id));
  insert into page_total_changes (page_id, total_messages, incoming_messages, unread_messages)
    select page_id, -count(*), -count(*) filter (where direction = 'incoming'),
      -count(*) filter (where direction = 'incoming' and not is_read)
    from removed group by page_id;
  return null;
end $$;
create trigger messages_summarise_delete after delete on messages referencing old table as removed
  for each statement execute function summarise_deleted_messages();

create function name_first_conversation() returns trigger language plpgsql as $$
begin
  new.primary_user_id := coalesce(new.primary_user_id, new.id);
  return new;
end $$;
create trigger fb_users_conversation before insert on fb_users for each row execute function name_first_conversation();

create function identities_inserted() returns trigger language plpgsql as $$
begin
  insert into conversations (primary_user_id)
    select distinct primary_user_id from added order by primary_user_id on conflict do nothing;
  insert into conversation_pages (primary_user_id, page_id, fb_user_id)
    select distinct on (primary_user_id, page_id) primary_user_id, page_id, id
    from added order by primary_user_id, page_id, created_at, id on conflict do nothing;
  perform refresh_names(array(select distinct primary_user_id from added order by primary_user_id));
  insert into page_total_changes (page_id, users, linked_users)
    select page_id, count(*), count(client_id) from added group by page_id;
  return null;
end $$;
create trigger fb_users_inserted after insert on fb_users referencing new table as added
  for each statement execute function identities_inserted();

create function identities_updated() returns trigger language plpgsql as $$
begin
  perform refresh_names(array(select distinct primary_user_id from after order by primary_user_id));
  insert into page_total_changes (page_id, linked_users)
    select page_id, sum(linked)
    from (
      select page_id, -1 as linked from before where client_id is not null
      union all
      select page_id, 1 from after where client_id is not null
    ) changes
    group by page_id having sum(linked) <> 0;
  return null;
end $$;
create trigger fb_users_updated after update on fb_users referencing old table as before new table as after
  for each statement execute function identities_updated();

-- A conversation goes with its last identity.
create function identities_deleted() returns trigger language plpgsql as $$
declare
  ids text[] := array(select distinct primary_user_id from removed order by primary_user_id);
begin
  delete from conversations c where c.primary_user_id = any(ids)
    and not exists (select from fb_users f where f.primary_user_id = c.primary_user_id);
  perform recount_conversations(ids);
  perform refresh_names(ids);
  insert into page_total_changes (page_id, users, linked_users)
    select page_id, -count(*), -count(client_id) from removed group by page_id;
  return null;
end $$;
create trigger fb_users_deleted after delete on fb_users referencing old table as removed
  for each statement execute function identities_deleted();

create function count_conversations() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into page_total_changes (page_id, conversations)
    select '', sign * count(*) from changed having count(*) > 0;
  return null;
end $$;
create trigger conversations_counted_in after insert on conversations referencing new table as changed
  for each statement execute function count_conversations();
create trigger conversations_counted_out after delete on conversations referencing old table as changed
  for each statement execute function count_conversations();

create function count_conversations_of_pages() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into page_total_changes (page_id, conversations)
    select page_id, sign * count(*) from changed group by page_id;
  return null;
end $$;
create trigger conversation_pages_counted_in after insert on conversation_pages referencing new table as changed
  for each statement execute function count_conversations_of_pages();
create trigger conversation_pages_counted_out after delete on conversation_pages referencing old table as changed
  for each statement execute function count_conversations_of_pages();
