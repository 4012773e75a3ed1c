-- Web Push (feature 'web-push'). ----------------------------------------------------------------------------------------

-- One row for each browser that is notified while the inbox is closed. Push services delete the subscription of a browser
-- themselves, so `endpoint` and keys are what the browser told last.
create table push_subscriptions (
  id text primary key default gen_random_uuid()::text,
  staff_id text not null references staff on delete cascade,
  -- The session of the last page load on that browser.
  session_id text not null references staff_sessions on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  -- The public key of this server that the subscription was made for.
  server_key text not null,
  created_at timestamptz not null default now()
);
create index push_subscriptions_staff on push_subscriptions (staff_id, created_at);
create index push_subscriptions_session on push_subscriptions (session_id);

-- One row for each tab that a person can see now. A tab renews its row (`visibleTabLifetime`).
create table visible_tabs (
  -- Chosen by the tab.
  id text primary key,
  staff_id text not null references staff on delete cascade,
  seen_at timestamptz not null default now()
);
create index visible_tabs_staff on visible_tabs (staff_id);

-- What happened and was not looked at yet. server/push/pushes.ts decides for whom each row becomes a delivery.
create table due_pushes (
  id bigint generated always as identity primary key,
  primary_user_id text collate "C" not null references conversations on delete cascade,
  kind text not null check (kind in ('message', 'mention', 'returned')),
  -- Of a message.
  message_id text,
  -- Of a mention: who wrote the note, and whom it mentions. The text of a note is never copied.
  written_by text,
  mentions jsonb
);
create index due_pushes_conversation on due_pushes (primary_user_id);

-- One row for each browser and conversation, so that a later event replaces an earlier one that was not delivered.
create table push_deliveries (
  id bigint generated always as identity primary key,
  subscription_id text not null references push_subscriptions on delete cascade,
  primary_user_id text collate "C" not null references conversations on delete cascade,
  -- The id in `due_pushes` of the newest event.
  event_id bigint not null,
  kind text not null,
  message_id text,
  written_by text,
  attempts integer not null default 0,
  due_at timestamptz not null,
  unique (subscription_id, primary_user_id)
);
create index push_deliveries_due on push_deliveries (due_at);
create index push_deliveries_conversation on push_deliveries (primary_user_id);

-- Without subscriptions nothing is stored.
create function push_new_messages() returns trigger language plpgsql as $$
begin
  if not exists (select from push_subscriptions) then return null; end if;
  insert into due_pushes (primary_user_id, kind, message_id)
  select primary_user_id, 'message', message_id from added
  where direction = 'incoming' and not is_historical and not is_read
  order by id;
  return null;
end $$;
create trigger messages_push after insert on messages referencing new table as added
  for each statement execute function push_new_messages();

create function push_mentions() returns trigger language plpgsql as $$
begin
  if not exists (select from push_subscriptions) then return null; end if;
  insert into due_pushes (primary_user_id, kind, written_by, mentions)
  select primary_user_id, 'mention', staff_id, mentions from added where jsonb_array_length(mentions) > 0;
  return null;
end $$;
create trigger notes_push after insert on notes referencing new table as added
  for each statement execute function push_mentions();

-- A snooze that ended by time. A message that ends one is pushed as a message.
create function push_returned() returns trigger language plpgsql as $$
begin
  if not exists (select from push_subscriptions) then return null; end if;
  insert into due_pushes (primary_user_id, kind)
  select primary_user_id, 'returned' from added
  where changed_by is null and returned_at is not null and previous ? 'returned_at';
  return null;
end $$;
create trigger conversation_events_push after insert on conversation_events referencing new table as added
  for each statement execute function push_returned();

-- Whoever signs out, or is signed out, is not notified any more. The sessions of one sign-in belong to one browser.
create function end_pushes_of_session() returns trigger language plpgsql as $$
begin
  delete from push_subscriptions p using staff_sessions s
  where s.id = p.session_id and (s.id = new.id or s.provider_session_id = new.provider_session_id);
  -- Other open tabs of the person say so again.
  delete from visible_tabs where staff_id = new.staff_id;
  return null;
end $$;
create trigger staff_sessions_end_pushes after update of revoked_at on staff_sessions for each row
  when (old.revoked_at is null and new.revoked_at is not null) execute function end_pushes_of_session();

create function end_pushes_of_sign_in() returns trigger language plpgsql as $$
begin
  delete from push_subscriptions p using staff_sessions s
  where s.id = p.session_id and s.provider_session_id = new.id;
  return null;
end $$;
create trigger auth_sessions_end_pushes after update of revoked_at on auth_sessions for each row
  when (old.revoked_at is null and new.revoked_at is not null) execute function end_pushes_of_sign_in();

create function end_pushes_of_staff() returns trigger language plpgsql as $$
begin
  delete from push_subscriptions where staff_id = new.id;
  return null;
end $$;
create trigger staff_end_pushes after update of is_active on staff for each row
  when (not new.is_active) execute function end_pushes_of_staff();

alter function merge_states(text, text) rename to merge_states_and_reports;
create function merge_states(kept text, other text) returns void language sql as $$
  select merge_states_and_reports(kept, other);
  update due_pushes set primary_user_id = kept where primary_user_id = other;
  update push_deliveries d set primary_user_id = kept
    where primary_user_id = other and not exists (
      select from push_deliveries k where k.subscription_id = d.subscription_id and k.primary_user_id = kept
    );
$$;
