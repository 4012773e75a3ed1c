-- Reports: how long people waited, what was closed, how much was written, what was asked. ------------------------------
-- The rows have no text of a person. They stay when messages, people and pages are removed.

-- Who wrote a message: 'customer', 'staff:<id>', 'automatic', 'outside' (for example Business Suite) or 'unknown'.
create function writer_of(direction text, author jsonb) returns text language sql immutable parallel safe as $$
  select case
    when direction = 'incoming' then 'customer'
    when author is null then 'unknown'
    when author ->> 'kind' = 'staff' then 'staff:' || (author ->> 'id')
    else author ->> 'kind'
  end
$$;

-- One row for each wait: from the first message of a person that nobody had answered to the answer. The rows are derived
-- from the messages, so neither the order in which messages are stored nor their grouping changes them.
create table waits (
  -- The lowest `messages.id` of the messages that wait.
  first_id bigint primary key,
  -- Null: the conversation was removed.
  primary_user_id text collate "C" references conversations on delete set null,
  page_id text not null,
  began_at timestamptz not null,
  -- The first automatic reply, and the title of its FAQ entry.
  automatic_at timestamptz,
  automatic_title text,
  -- answered: by staff or outside; done: closed without an answer; removed: the messages are gone.
  ended text check (ended in ('answered', 'done', 'removed')),
  ended_at timestamptz,
  -- As `writer_of` says.
  ended_by text
);
create index waits_conversation on waits (primary_user_id, began_at);
create index waits_begun on waits (began_at);

-- One row for each Done that staff did not take back.
create table resolutions (
  id bigint generated always as identity primary key,
  primary_user_id text collate "C" references conversations on delete set null,
  page_id text,
  -- The first message of the person after the Done before, and after any silence of 7 days. Null: there was none.
  opened_at timestamptz,
  closed_at timestamptz not null,
  closed_by text,
  -- As in `conversations`. Null: settles no message, because the conversation was merged.
  settled_up_to bigint,
  settled_incoming_at timestamptz
);
create index resolutions_conversation on resolutions (primary_user_id, closed_at);
create index resolutions_closed on resolutions (closed_at);

-- Messages by quarter of an hour, because the offsets of time zones are multiples of it. Changes are appended and folded
-- by a sweep, because writers deadlock on a counter row.
create table message_volumes (
  quarter timestamptz not null,
  page_id text not null,
  writer text not null,
  messages integer not null,
  primary key (quarter, page_id, writer) include (messages)
);
create table message_volume_changes (like message_volumes);
create view current_message_volumes as
  select quarter, page_id, writer, messages from message_volumes
  union all
  select quarter, page_id, writer, messages from message_volume_changes;

create function fold_message_volumes() returns void language sql as $$
  with folded as (delete from message_volume_changes returning *)
  insert into message_volumes as v (quarter, page_id, writer, messages)
    select quarter, page_id, writer, sum(messages) from folded group by quarter, page_id, writer
    order by quarter, page_id, writer
    on conflict (quarter, page_id, writer) do update set messages = v.messages + excluded.messages
$$;

-- Incoming messages that ask something. Equal questions have the same hash. The rows go with their messages.
create table message_questions (
  message_id text collate "C" primary key references messages on delete cascade,
  page_id text not null,
  asked_at timestamptz not null,
  form_hash bigint not null
);
create index message_questions_asked on message_questions (asked_at) include (form_hash, page_id);
create index message_questions_form on message_questions (form_hash, asked_at desc);

-- A page that is connected again gets its history again. What was counted before counts once.
create table removed_pages (
  page_id text primary key,
  removed_at timestamptz not null
);
create function note_removed_page() returns trigger language plpgsql as $$
begin
  insert into removed_pages values (old.page_id, now())
    on conflict (page_id) do update set removed_at = excluded.removed_at;
  return null;
end $$;
create trigger pages_note_removal after delete on pages for each row execute function note_removed_page();

-- What was stored before this migration is counted in the background. One row.
create table report_progress (
  id integer primary key check (id = 1),
  -- The last conversation whose waits are derived. Null: all are.
  conversations_after text collate "C",
  -- The last message that is counted, of those up to `messages_until`.
  messages_after bigint not null,
  messages_until bigint not null,
  -- The last message that was looked at for a question.
  questions_after bigint not null
);

-- Whether Done settled a message.
create function is_settled(message_id bigint, is_historical boolean, at timestamptz, r resolutions) returns boolean
  language sql immutable parallel safe as $$
  select coalesce(message_id <= r.settled_up_to or is_historical and at <= r.settled_incoming_at, false)
$$;

-- Derives the waits of conversations again, each from `since` on. The caller locks the conversations.
create function refresh_waits(ids text[], since timestamptz[]) returns void language sql as $$
  with wanted as materialized (select * from unnest(ids, since) as wanted (id, since)),
  -- Waits that were not over at `since`. Their first messages may be removed already.
  carried as materialized (
    select wanted.id, w.* from wanted join waits w on w.primary_user_id = wanted.id and w.began_at <= wanted.since
      and (w.ended is null or w.ended <> 'removed' and w.ended_at >= wanted.since)
  ),
  bounds as materialized (
    select id, least(since, (select min(began_at) from carried where carried.id = wanted.id)) as start from wanted
  ),
  seen as materialized (
    select found.*, count(*) filter (where is_answer) over (
      partition by id order by at, not is_answer rows between unbounded preceding and 1 preceding
    ) as answers_before
    from (
      select b.id, m.id as number, true as is_stored, m.page_id, m.timestamp_fb as at, m.direction, m.author, m.is_historical,
        is_answer(m.direction, m.idempotency_key) as is_answer
      from bounds b join messages m on m.primary_user_id = b.id and m.timestamp_fb >= b.start
      union all
      select id, first_id, false, page_id, began_at, 'incoming', null, false, false from carried
    ) found
  ),
  answers as (
    select distinct on (id, answers_before) id, answers_before, at, author from seen where is_answer
    order by id, answers_before, at, number
  ),
  asked as (
    select s.id, s.answers_before, s.number, s.is_stored, s.page_id, s.at,
      case when is_answered then 'answered' when settled.at is not null then 'done' end as ended,
      case when is_answered then a.at else settled.at end as ended_at,
      case when is_answered then writer_of('outgoing', a.author) else settled.by end as ended_by
    from seen s
    left join answers a on a.id = s.id and a.answers_before = s.answers_before
    left join lateral (
      select closed.at, closed.by from (
        select r.closed_at as at, 'staff:' || r.closed_by as by from resolutions r
        where r.primary_user_id = s.id and is_settled(s.number, s.is_historical, s.at, r)
        union all
        select c.ended_at, c.ended_by from carried c
        where c.id = s.id and c.first_id = s.number and c.ended = 'done'
      ) closed order by closed.at limit 1
    ) settled on true
    cross join lateral (select coalesce(a.at <= coalesce(settled.at, 'infinity'), false) as is_answered) compared
    where s.direction = 'incoming'
  ),
  derived as materialized (
    select id, answers_before, ended, greatest(ended_at, case when ended_at is not null then min(at) end) as ended_at,
      ended_by, coalesce(min(number) filter (where is_stored), min(number)) as first_id, min(at) as began_at,
      (array_agg(page_id order by at, number))[1] as page_id
    from asked group by id, answers_before, ended, ended_at, ended_by
  ),
  replies as (
    select distinct on (d.first_id) d.first_id, s.at, s.author ->> 'title' as title
    from derived d join seen s on s.id = d.id and s.answers_before = d.answers_before
    where s.direction = 'outgoing' and not s.is_answer and s.at >= d.began_at
      and s.at <= coalesce(d.ended_at, 'infinity')
    order by d.first_id, s.at, s.number
  ),
  desired as materialized (
    select d.*, replies.at as automatic_at, replies.title as automatic_title
    from derived d left join replies using (first_id)
    where not exists (select from removed_pages r where r.page_id = d.page_id and d.began_at <= r.removed_at)
  ),
  outdated as (
    delete from waits w using bounds b
    where w.primary_user_id = b.id and w.began_at >= b.start and w.ended is distinct from 'removed'
      and w.first_id not in (select first_id from derived)
  ),
  changed as (
    update waits w set page_id = d.page_id, began_at = d.began_at, automatic_at = d.automatic_at,
      automatic_title = d.automatic_title, ended = d.ended, ended_at = d.ended_at, ended_by = d.ended_by
    from desired d
    where w.first_id = d.first_id and w.ended is distinct from 'removed'
      and (w.page_id, w.began_at, w.automatic_at, w.automatic_title, w.ended, w.ended_at, w.ended_by) is distinct from
        (d.page_id, d.began_at, d.automatic_at, d.automatic_title, d.ended, d.ended_at, d.ended_by)
  )
  insert into waits (first_id, primary_user_id, page_id, began_at, automatic_at, automatic_title, ended, ended_at, ended_by)
    select first_id, id, page_id, began_at, automatic_at, automatic_title, ended, ended_at, ended_by from desired
    on conflict (first_id) do nothing
$$;

create function quarter_of(at timestamptz) returns timestamptz language sql immutable parallel safe as $$
  select date_bin('15 minutes', at, '2000-01-01 00:00:00+00')
$$;

-- `messages_summarise_insert`, which runs before, has locked the conversations. Most statements bring one more message to
-- a person who waits already: nothing is derived again.
create function note_inserted_messages() returns trigger language plpgsql as $$
declare
  ids text[];
  since timestamptz[];
begin
  insert into message_volume_changes (quarter, page_id, writer, messages)
    select quarter_of(a.timestamp_fb), a.page_id, writer_of(a.direction, a.author), count(*)
    from added a left join removed_pages r on r.page_id = a.page_id
    where r.removed_at is null or a.timestamp_fb > r.removed_at
    group by 1, 2, 3;
  select array_agg(primary_user_id), array_agg(first_at) into ids, since
    from (
      select primary_user_id, min(timestamp_fb) as first_at,
        bool_and(direction = 'incoming' and not is_historical) as are_new_questions
      from added group by primary_user_id
    ) a
    where not (are_new_questions and exists (
      select from waits w where w.primary_user_id = a.primary_user_id and w.began_at <= a.first_at and w.ended is null
    ));
  if ids is not null then perform refresh_waits(ids, since); end if;
  return null;
end $$;
create trigger messages_wait_insert after insert on messages referencing new table as added
  for each statement execute function note_inserted_messages();

-- A key that arrives later names the author, or says that the answer was automatic.
create function note_author() returns trigger language plpgsql as $$
begin
  if exists (select from report_progress where new.id <= messages_after or new.id > messages_until) then
    insert into message_volume_changes (quarter, page_id, writer, messages) values
      (quarter_of(new.timestamp_fb), new.page_id, writer_of(old.direction, old.author), -1),
      (quarter_of(new.timestamp_fb), new.page_id, writer_of(new.direction, new.author), 1);
  end if;
  perform from conversations where primary_user_id = new.primary_user_id for no key update;
  perform refresh_waits(array[new.primary_user_id], array[new.timestamp_fb]);
  return null;
end $$;
create trigger messages_wait_author after update of idempotency_key on messages
  for each row when (old.author is distinct from new.author) execute function note_author();

-- The first message of the person that a Done at `closed` resolves.
create function opening_of(conversation text, before resolutions, closed timestamptz) returns timestamptz
  language sql stable as $$
  with open as (
    select timestamp_fb as at, direction, lag(timestamp_fb) over (order by timestamp_fb) as previous from messages
    where primary_user_id = conversation and timestamp_fb <= closed
      and not is_settled(id, is_historical, timestamp_fb, before)
  )
  select min(at) from open where direction = 'incoming'
    and at >= coalesce((select max(at) from open where at - previous > interval '7 days'), '-infinity')
$$;

create function record_resolution() returns trigger language plpgsql as $$
declare
  before resolutions;
begin
  -- Staff took Done back. A new message of the person, or a merge, leaves the resolution.
  if old.done_at is not null and coalesce(current_setting('inbox.staff', true), '') <> '' then
    delete from resolutions where primary_user_id = new.primary_user_id and closed_at = old.done_at;
    update waits set ended = null, ended_at = null, ended_by = null
      where primary_user_id = new.primary_user_id and ended = 'done' and ended_at >= old.done_at;
  end if;
  if new.done_at is not null then
    select * into before from resolutions where primary_user_id = new.primary_user_id order by closed_at desc limit 1;
    insert into resolutions
      (primary_user_id, page_id, opened_at, closed_at, closed_by, settled_up_to, settled_incoming_at)
      values (new.primary_user_id, new.last_message_page_id, opening_of(new.primary_user_id, before, new.done_at),
        new.done_at, new.done_by, new.settled_up_to, new.settled_incoming_at);
  end if;
  perform refresh_waits(array[new.primary_user_id],
    array[least(old.waiting_since, new.waiting_since, new.done_at, old.done_at)]);
  return null;
end $$;
create trigger conversations_record_resolution after update of done_at on conversations
  for each row when (old.done_at is distinct from new.done_at) execute function record_resolution();

create function end_removed_waits() returns trigger language plpgsql as $$
begin
  update waits set ended = 'removed', ended_at = greatest(now(), began_at)
    where primary_user_id = old.primary_user_id and ended is null;
  return old;
end $$;
create trigger conversations_end_waits before delete on conversations for each row execute function end_removed_waits();

-- After deletions and merges: the open waits are those of the conversations that wait.
create function reconcile_waits(ids text[]) returns void language plpgsql as $$
declare
  missing text[];
  since timestamptz[];
begin
  update waits w set ended = 'removed', ended_at = greatest(now(), w.began_at)
    from conversations c
    where w.primary_user_id = any(ids) and w.ended is null and c.primary_user_id = w.primary_user_id
      and c.waiting_since is null;
  -- Of two open waits of merged conversations the longer one goes on.
  delete from waits w
    where w.primary_user_id = any(ids) and w.ended is null and exists (
      select from waits longer
      where longer.primary_user_id = w.primary_user_id and longer.ended is null
        and (longer.began_at, longer.first_id) < (w.began_at, w.first_id)
    );
  select array_agg(primary_user_id), array_agg(waiting_since) into missing, since
    from conversations c
    where primary_user_id = any(ids) and waiting_since is not null
      and not exists (select from waits w where w.primary_user_id = c.primary_user_id and w.ended is null);
  if missing is not null then perform refresh_waits(missing, since); end if;
end $$;
alter function recount_conversations(text[]) rename to recount_messages_and_states;
create function recount_conversations(ids text[]) returns void language plpgsql as $$
begin
  perform recount_messages_and_states(ids);
  perform reconcile_waits(ids);
end $$;

-- A Done settled the messages of its own conversation only. What holds for the merged one stands in `conversations`.
alter function merge_states(text, text) rename to merge_states_and_notes;
create function merge_states(kept text, other text) returns void language sql as $$
  select merge_states_and_notes(kept, other);
  update resolutions set primary_user_id = kept, settled_up_to = null, settled_incoming_at = null
    where primary_user_id in (kept, other);
  update resolutions r set settled_up_to = c.settled_up_to, settled_incoming_at = c.settled_incoming_at
    from conversations c
    where c.primary_user_id = kept and r.id = (
      select id from resolutions where primary_user_id = kept order by closed_at desc, id desc limit 1
    );
  update waits set primary_user_id = kept where primary_user_id = other;
$$;

-- Background work on what was stored before. Each call does one bounded part. --------------------------------------------

-- Derives the waits of the next conversations, at most `batch`. Returns whether more follow.
create function derive_next_waits(batch integer) returns boolean language plpgsql as $$
declare
  after text;
  ids text[];
begin
  select conversations_after into after from report_progress for update skip locked;
  if after is null then return false; end if;
  select array_agg(primary_user_id order by primary_user_id) into ids from (
    select primary_user_id from conversations where primary_user_id > after order by primary_user_id limit batch
  ) next;
  if ids is null then
    update report_progress set conversations_after = null;
    return false;
  end if;
  perform from conversations where primary_user_id = any(ids) order by primary_user_id for no key update;
  -- The Dones before: their events, unless staff took them back.
  insert into resolutions
    (primary_user_id, page_id, opened_at, closed_at, closed_by, settled_up_to, settled_incoming_at)
  select c.primary_user_id, c.last_message_page_id,
    opening_of(c.primary_user_id, row(null, null, null, null, null, null, known.previous_up_to, null)::resolutions,
      known.done_at),
    known.done_at, known.done_by, known.up_to, null
  from (
    select closed.*, lag(up_to) over (partition by primary_user_id order by done_at) as previous_up_to from (
      select e.primary_user_id, e.done_at, e.done_by, (
          select max(m.id) from messages m
          where m.primary_user_id = e.primary_user_id and m.created_at <= e.done_at
        ) as up_to
      from conversation_events e
      where e.primary_user_id = any(ids) and e.done_at is not null and e.previous ? 'done_at'
        and not exists (
          select from conversation_events later
          where later.primary_user_id = e.primary_user_id and later.changed_by is not null and later.done_at is null
            and (later.previous ->> 'done_at')::timestamptz = e.done_at
        )
    ) closed
  ) known
  join conversations c using (primary_user_id)
  where not exists (
    select from resolutions r where r.primary_user_id = c.primary_user_id and r.closed_at = known.done_at
  );
  perform refresh_waits(ids, array_fill('-infinity'::timestamptz, array[cardinality(ids)]));
  update report_progress set conversations_after = ids[cardinality(ids)];
  return true;
end $$;

-- Counts the next messages, at most `batch`. Returns whether more follow.
create function count_next_messages(batch integer) returns boolean language plpgsql as $$
declare
  progress report_progress;
  last bigint;
begin
  select * into progress from report_progress for update skip locked;
  if not found or progress.messages_after >= progress.messages_until then return false; end if;
  select max(id) into last from (
    select id from messages where id > progress.messages_after and id <= progress.messages_until order by id limit batch
  ) next;
  if last is null then
    update report_progress set messages_after = messages_until;
    return false;
  end if;
  insert into message_volume_changes (quarter, page_id, writer, messages)
    select quarter_of(timestamp_fb), page_id, writer_of(direction, author), count(*)
    from messages where id > progress.messages_after and id <= last group by 1, 2, 3;
  update report_progress set messages_after = last;
  return true;
end $$;

insert into report_progress
  select 1, case when exists (select from conversations) then '' end, 0, coalesce(max(id), 0), 0 from messages;
