-- Receipts, reactions and replies to a certain message. -----------------------------------------------------------------

-- What the person received and read: messages up to a time, in the times of `messages`. They only grow.
alter table fb_users add column delivered_up_to timestamptz;
alter table fb_users add column read_up_to timestamptz;
-- When the person read up to there.
alter table fb_users add column read_at timestamptz;

-- A receipt changes no name and no link, so it must not cost their summaries.
create or replace function identities_updated() returns trigger language plpgsql as $$
begin
  if not exists (
    select from before b join after a using (id)
    where to_jsonb(b) - '{delivered_up_to,read_up_to,read_at}'::text[]
      is distinct from to_jsonb(a) - '{delivered_up_to,read_up_to,read_at}'::text[]
  ) then
    return null;
  end if;
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

-- Who reacted last on each side: [{ by: 'person' or 'page', emoji, at }]. `emoji` null: taken back. `at` is text of a fixed
-- form in UTC, so texts sort as times.
alter table messages add column reactions jsonb;

-- Of each side the last one; at the same time a reaction that was taken back. src/domain/thread/merged-reactions.ts is the same.
create function merged_reactions(known jsonb, given jsonb) returns jsonb language sql immutable as $$
  select jsonb_agg(newest.reaction order by newest.reaction ->> 'by')
  from (
    select distinct on (reaction ->> 'by') reaction
    from jsonb_array_elements(coalesce(known, '[]') || given) reaction
    order by reaction ->> 'by', (reaction ->> 'at') collate "C" desc,
      (reaction ->> 'emoji') collate "C" desc nulls first
  ) newest
$$;

-- The message that this one replies to: { message_id, state, direction, author, text }. `state` 'known', 'deleted' or
-- 'unknown'; the fields after it are null unless it is 'known'. A copy that the triggers below keep.
alter table messages add column reply_to jsonb;
create index messages_replies on messages ((reply_to ->> 'message_id')) where reply_to is not null;
alter table sends add column reply_to text;

-- A reply quotes a message of its own chat only.
create function quoted_message(quoted_id text, identity text) returns jsonb language sql stable as $$
  select coalesce(
    (
      select jsonb_build_object('message_id', q.message_id, 'state', 'known', 'direction', q.direction,
        'author', q.author, 'text', left(message_preview(q.message_text, q.attachments), 200))
      from messages q where q.message_id = quoted_id and q.fb_user_id = identity
    ),
    jsonb_build_object('message_id', quoted_id, 'state',
      case when exists (select from deleted_messages d where d.message_id = quoted_id) then 'deleted' else 'unknown' end)
  )
$$;

-- The echo of our own reply may not name the original; the send does.
create function quote_original() returns trigger language plpgsql as $$
declare
  quoted_id text := coalesce(new.reply_to ->> 'message_id',
    (select s.reply_to from sends s where s.idempotency_key = new.idempotency_key));
begin
  if quoted_id is not null then new.reply_to := quoted_message(quoted_id, new.fb_user_id); end if;
  return new;
end $$;
create trigger messages_quote before insert on messages
  for each row when (new.reply_to is not null or new.idempotency_key is not null) execute function quote_original();
create trigger messages_quote_later before update of idempotency_key on messages
  for each row when (new.idempotency_key is not null and new.reply_to is null) execute function quote_original();

-- An edited original is quoted as it reads now.
create function requote_message() returns trigger language plpgsql as $$
begin
  update messages set reply_to = quoted_message(new.message_id, new.fb_user_id)
    where reply_to is not null and reply_to ->> 'message_id' = new.message_id and fb_user_id = new.fb_user_id;
  return null;
end $$;
create trigger messages_requote after update of message_text, attachments on messages
  for each row when (old.message_text is distinct from new.message_text or old.attachments is distinct from new.attachments)
  execute function requote_message();

create function note_removed_originals() returns trigger language plpgsql as $$
begin
  update messages set reply_to = jsonb_build_object('message_id', reply_to ->> 'message_id', 'state', 'deleted')
    where reply_to is not null and reply_to ->> 'message_id' = any(array(select message_id from removed));
  return null;
end $$;
create trigger messages_originals_removed after delete on messages referencing old table as removed
  for each statement execute function note_removed_originals();

-- What the network told about a message before the message: reactions, and on Instagram that the person read up to it.
-- Whoever adds a row locks the identity against new messages first (server/network/store/message-events.ts).
create table early_events (
  message_id text collate "C" not null,
  kind text not null check (kind in ('person', 'page', 'read')),
  fb_user_id text collate "C" not null references fb_users on delete cascade,
  -- Of a reaction.
  emoji text,
  at timestamptz not null,
  primary key (message_id, kind)
);
create index early_events_identity on early_events (fb_user_id);
create index early_events_age on early_events (at);

-- The form of `at` in `reactions`.
create function reaction_of(side text, emoji text, at timestamptz) returns jsonb language sql immutable as $$
  select jsonb_build_object('by', side, 'emoji', emoji,
    'at', to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;

-- Moves forward only. Of two times of reading with one watermark the first counts. `receipts` has a row for each identity.
create function apply_receipts(receipts jsonb) returns void language sql as $$
  update fb_users f set
    delivered_up_to = greatest(f.delivered_up_to, r.delivered_up_to, r.read_up_to),
    read_up_to = greatest(f.read_up_to, r.read_up_to),
    read_at = case
      when r.read_up_to is null or r.read_up_to < f.read_up_to then f.read_at
      when r.read_up_to = f.read_up_to then least(f.read_at, r.read_at)
      else r.read_at
    end
  from jsonb_to_recordset(receipts) as r (fb_user_id text, delivered_up_to timestamptz, read_up_to timestamptz,
    read_at timestamptz)
  where f.id = r.fb_user_id and (
    coalesce(greatest(r.delivered_up_to, r.read_up_to) > coalesce(f.delivered_up_to, '-infinity'), false)
    or coalesce(r.read_up_to > coalesce(f.read_up_to, '-infinity'), false)
    or coalesce(r.read_up_to = f.read_up_to and r.read_at < f.read_at, false)
  )
$$;

-- Runs before the conversations are locked, because identities come first in the order of locks.
create function complete_arrived_messages() returns trigger language plpgsql as $$
declare
  ids text[] := array(select message_id from added);
  early record;
begin
  if exists (select from added where reply_to ->> 'state' = 'unknown') then
    -- The original may be in a transaction that is not committed yet.
    perform from fb_users where id in (select fb_user_id from added where reply_to ->> 'state' = 'unknown')
      order by id for update;
    update messages m set reply_to = quoted_message(m.reply_to ->> 'message_id', m.fb_user_id)
      where m.message_id in (select message_id from added where reply_to ->> 'state' = 'unknown')
        and quoted_message(m.reply_to ->> 'message_id', m.fb_user_id) ->> 'state' <> 'unknown';
  end if;
  update messages m set reply_to = quoted_message(m.reply_to ->> 'message_id', m.fb_user_id)
    where m.reply_to is not null and m.reply_to ->> 'message_id' = any(ids)
      and m.reply_to ->> 'state' <> 'known'
      and quoted_message(m.reply_to ->> 'message_id', m.fb_user_id) ->> 'state' = 'known';
  for early in
    with taken as (delete from early_events where message_id = any(ids) returning *)
    select taken.*, added.timestamp_fb from taken join added using (message_id, fb_user_id)
    order by taken.message_id, taken.kind
  loop
    if early.kind = 'read' then
      perform apply_receipts(jsonb_build_array(jsonb_build_object('fb_user_id', early.fb_user_id,
        'read_up_to', early.timestamp_fb, 'read_at', early.at)));
    else
      update messages
        set reactions = merged_reactions(reactions,
          jsonb_build_array(reaction_of(early.kind, early.emoji, early.at)))
        where message_id = early.message_id;
    end if;
  end loop;
  return null;
end $$;
create trigger messages_arrived after insert on messages referencing new table as added
  for each statement execute function complete_arrived_messages();
