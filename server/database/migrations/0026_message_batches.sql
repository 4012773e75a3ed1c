-- Messages are stored in batches. What happens for each message happens for the whole batch in one statement. ----------

-- Deliveries of one lane are stored in the order of their ids: it is a hash of the person's id. Null: written by a release
-- that knows no lanes, or without a person.
alter table webhook_inbox add column lane integer;
drop index webhook_inbox_open;
create index webhook_inbox_waiting on webhook_inbox (id) where processed_at is null;
create index webhook_inbox_lane on webhook_inbox (lane, id) where processed_at is null;

create index sends_message on sends (message_id) where message_id is not null;

-- The search text changes with names only. In `conversations` every message would write its index again. The column there
-- stays for the previous release, without an index.
create table conversation_search (
  primary_user_id text collate "C" primary key references conversations on delete cascade,
  search_text text not null
);
insert into conversation_search select primary_user_id, search_text from conversations;
create index conversation_search_text on conversation_search using gin (search_text gin_trgm_ops);
drop index conversations_search;

alter function refresh_names(text[]) rename to refresh_shown_names;
create function refresh_names(ids text[]) returns void language plpgsql as $$
begin
  perform refresh_shown_names(ids);
  insert into conversation_search as known
    select primary_user_id, search_text from conversations where primary_user_id = any(ids) order by primary_user_id
    on conflict (primary_user_id) do update set search_text = excluded.search_text
      where known.search_text <> excluded.search_text;
end $$;

-- Announcements. All of a statement are announced together, in the order of the rows. ----------------------------------

create function announce(table_name text, operation text, record json, old_record json) returns void language plpgsql as $$
declare
  change text := json_build_object(
    'schema', 'public',
    'table', table_name,
    'type', operation,
    'commit_timestamp', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'record', record,
    'old_record', old_record
  )::text;
  stored bigint;
begin
  if octet_length(change) < 7000 then
    perform pg_notify('realtime', change);
  else
    insert into realtime_outbox (change) values (change::jsonb) returning id into stored;
    perform pg_notify('realtime', json_build_object('outbox', stored)::text);
  end if;
end $$;

create function announce_inserted() returns trigger language plpgsql as $$
begin
  perform announce(tg_table_name, 'INSERT', to_json(a), '{}') from added a;
  return null;
end $$;

create function announce_deleted() returns trigger language plpgsql as $$
declare
  key text := case tg_table_name when 'messages' then 'message_id' else 'id' end;
begin
  perform announce(tg_table_name, 'DELETE', '{}', json_build_object(key, to_json(r) -> key)) from removed r;
  return null;
end $$;

-- For updates, which are filtered by row.
create or replace function announce_change() returns trigger language plpgsql as $$
declare
  key text := case tg_table_name when 'messages' then 'message_id' else 'id' end;
begin
  perform announce(tg_table_name, 'UPDATE', to_json(new), json_build_object(key, to_json(old) -> key));
  return null;
end $$;

drop trigger messages_announce on messages;
create trigger messages_announce after insert on messages referencing new table as added
  for each statement when (announces_changes()) execute function announce_inserted();
create trigger messages_announce_delete after delete on messages referencing old table as removed
  for each statement when (announces_changes()) execute function announce_deleted();
drop trigger fb_users_announce on fb_users;
create trigger fb_users_announce after insert on fb_users referencing new table as added
  for each statement when (announces_changes()) execute function announce_inserted();
create trigger fb_users_announce_delete after delete on fb_users referencing old table as removed
  for each statement when (announces_changes()) execute function announce_deleted();
drop trigger conversation_events_announce on conversation_events;
create trigger conversation_events_announce after insert on conversation_events referencing new table as added
  for each statement when (announces_changes()) execute function announce_inserted();

-- Summaries and states. -----------------------------------------------------------------------------------------------

-- Who names the conversation has locked the identity, as this trigger does for the others (server/network/store/store.ts).
drop trigger messages_place on messages;
create trigger messages_place before insert on messages
  for each row when (new.primary_user_id is null) execute function place_message();

create function record_states() returns trigger language plpgsql as $$
begin
  insert into conversation_events (id, primary_user_id, changed_by, waiting_since, done_at, done_by, snoozed_at,
    snoozed_until, returned_at, assigned_to, muted_at, previous)
  select n.state_version, n.primary_user_id, nullif(current_setting('inbox.staff', true), ''), n.waiting_since,
    n.done_at, n.done_by, n.snoozed_at, n.snoozed_until, n.returned_at, n.assigned_to, n.muted_at,
    (select json_object_agg(key, was.value)::jsonb
      from jsonb_each(conversation_state(o)) was join jsonb_each(conversation_state(n)) became using (key)
      where was.value is distinct from became.value)
  from old_rows o join new_rows n using (primary_user_id)
  where n.state_version <> o.state_version
  order by n.state_version;
  return null;
end $$;
drop trigger conversations_record_state on conversations;
drop function record_state();
create trigger conversations_record_state after update on conversations
  referencing old table as old_rows new table as new_rows
  for each statement execute function record_states();

-- An answer ends the wait. A new message of the person begins one, reopens the conversation and ends its snooze. The order
-- of the messages and their grouping into statements change nothing.
create or replace function summarise_inserted_messages() returns trigger language plpgsql as $$
begin
  -- In the order of ids, so that two writers do not deadlock. What was stored before the locks were given is visible to
  -- the next statements. `no key`: an inserted message has locked the key of its conversation.
  perform from conversations where primary_user_id in (select primary_user_id from added)
    order by primary_user_id for no key update;

  update conversations c set
    total_messages = c.total_messages + change.total,
    incoming_messages = c.incoming_messages + change.incoming,
    unread_messages = c.unread_messages + change.unread,
    last_message_id = case when is_newer then latest.message_id else c.last_message_id end,
    last_message_at = case when is_newer then latest.timestamp_fb else c.last_message_at end,
    last_message_text = case when is_newer then message_preview(latest.message_text, latest.attachments)
      else c.last_message_text end,
    last_message_direction = case when is_newer then latest.direction else c.last_message_direction end,
    last_message_page_id = case when is_newer then latest.page_id else c.last_message_page_id end,
    last_incoming_at = greatest(c.last_incoming_at, change.incoming_at),
    answered_at = greatest(c.answered_at, change.answered_at),
    waiting_since = case
      when change.answered_at is not null then first_unanswered(c.primary_user_id,
        greatest(c.answered_at, change.answered_at), c.settled_up_to, c.settled_incoming_at)
      else least(c.waiting_since, change.unanswered_at)
    end,
    done_at = case when has_news then null else c.done_at end,
    done_by = case when has_news then null else c.done_by end,
    snoozed_at = case when has_news then null else c.snoozed_at end,
    snoozed_until = case when has_news then null else c.snoozed_until end,
    returned_at = case when change.answered_at is not null then null else c.returned_at end
  from (
    select k.primary_user_id, k.last_message_at, k.last_message_id, k.last_incoming_at,
      count(*) as total,
      count(*) filter (where a.direction = 'incoming') as incoming,
      count(*) filter (where a.direction = 'incoming' and not a.is_read) as unread,
      max(a.timestamp_fb) filter (where a.direction = 'incoming') as incoming_at,
      bool_or(a.direction = 'incoming' and not a.is_historical) as has_live,
      max(a.timestamp_fb) filter (where is_answer(a.direction, a.idempotency_key)) as answered_at,
      min(a.timestamp_fb) filter (
        where a.direction = 'incoming' and a.timestamp_fb >= coalesce(k.answered_at, '-infinity')
          and (k.settled_up_to is null or not a.is_historical
            or a.timestamp_fb > coalesce(k.settled_incoming_at, '-infinity'))
      ) as unanswered_at
    from added a join conversations k using (primary_user_id)
    group by k.primary_user_id
  ) change
  join (
    select distinct on (primary_user_id) * from added order by primary_user_id, timestamp_fb desc, message_id desc
  ) latest using (primary_user_id)
  cross join lateral (
    select
      change.last_message_at is null
        or (change.last_message_at, change.last_message_id) < (latest.timestamp_fb, latest.message_id) as is_newer,
      change.has_live
        or coalesce(change.incoming_at > coalesce(change.last_incoming_at, '-infinity'), false) as has_news
  ) compared
  where c.primary_user_id = change.primary_user_id;

  update conversation_pages p set
    total_messages = p.total_messages + change.total,
    incoming_messages = p.incoming_messages + change.incoming,
    unread_messages = p.unread_messages + change.unread,
    last_incoming_at = greatest(p.last_incoming_at, change.incoming_at),
    fb_user_id = case when is_newer then latest.fb_user_id else p.fb_user_id end,
    last_message_id = case when is_newer then latest.message_id else p.last_message_id end,
    last_message_at = case when is_newer then latest.timestamp_fb else p.last_message_at end,
    last_message_text = case when is_newer then message_preview(latest.message_text, latest.attachments)
      else p.last_message_text end,
    last_message_direction = case when is_newer then latest.direction else p.last_message_direction end
  from (
    select k.primary_user_id, k.page_id, k.last_message_at, k.last_message_id,
      count(*) as total,
      count(*) filter (where a.direction = 'incoming') as incoming,
      count(*) filter (where a.direction = 'incoming' and not a.is_read) as unread,
      max(a.timestamp_fb) filter (where a.direction = 'incoming') as incoming_at
    from added a join conversation_pages k using (primary_user_id, page_id)
    group by k.primary_user_id, k.page_id
  ) change
  join (
    select distinct on (primary_user_id, page_id) * from added
    order by primary_user_id, page_id, timestamp_fb desc, message_id desc
  ) latest using (primary_user_id, page_id)
  cross join lateral (
    select change.last_message_at is null
      or (change.last_message_at, change.last_message_id) < (latest.timestamp_fb, latest.message_id) as is_newer
  ) compared
  where p.primary_user_id = change.primary_user_id and p.page_id = change.page_id;

  insert into page_total_changes (page_id, total_messages, incoming_messages, unread_messages)
    select page_id, count(*), count(*) filter (where direction = 'incoming'),
      count(*) filter (where direction = 'incoming' and not is_read)
    from added group by page_id;
  return null;
end $$;
