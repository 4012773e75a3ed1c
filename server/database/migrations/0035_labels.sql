-- Coloured labels on conversations and clients, set by staff and by keyword rules. --------------------------------------

create table labels (
  id text primary key default gen_random_uuid()::text,
  name text not null,
  -- The name as it is compared: unique without regard to case.
  name_key text not null,
  colour text not null,
  -- A message of a person with one of these words or phrases puts the label on the conversation.
  keywords text[] not null default '{}',
  created_at timestamptz not null default now(),
  -- A deleted label is taken off conversations and clients in batches; then the row is deleted.
  deleted_at timestamptz
);
create unique index labels_name on labels (name_key) where deleted_at is null;

create trigger labels_announce after insert on labels referencing new table as added
  for each statement when (announces_changes()) execute function announce_inserted();
create trigger labels_announce_update after update on labels
  for each row when (announces_changes() and old.* is distinct from new.*) execute function announce_change();

-- The labels are part of a conversation's state: one version orders all changes.
alter table conversations add column label_ids text[] not null default '{}';
create index conversations_labels on conversations using gin (label_ids) where label_ids <> '{}';
alter table conversation_events add column label_ids text[] not null default '{}';

create or replace function conversation_state(c conversations) returns jsonb language sql immutable parallel safe as $$
  select jsonb_build_object('waiting_since', c.waiting_since, 'done_at', c.done_at, 'done_by', c.done_by,
    'snoozed_at', c.snoozed_at, 'snoozed_until', c.snoozed_until, 'returned_at', c.returned_at,
    'assigned_to', c.assigned_to, 'muted_at', c.muted_at, 'label_ids', c.label_ids)
$$;

drop trigger conversations_number_state on conversations;
create trigger conversations_number_state before update on conversations
  for each row when (
    (old.waiting_since, old.done_at, old.done_by, old.snoozed_at, old.snoozed_until, old.returned_at, old.assigned_to,
      old.muted_at, old.label_ids)
    is distinct from
    (new.waiting_since, new.done_at, new.done_by, new.snoozed_at, new.snoozed_until, new.returned_at, new.assigned_to,
      new.muted_at, new.label_ids)
  ) execute function number_state();

create or replace function record_states() returns trigger language plpgsql as $$
begin
  insert into conversation_events (id, primary_user_id, changed_by, waiting_since, done_at, done_by, snoozed_at,
    snoozed_until, returned_at, assigned_to, muted_at, label_ids, previous)
  select n.state_version, n.primary_user_id, nullif(current_setting('inbox.staff', true), ''), n.waiting_since,
    n.done_at, n.done_by, n.snoozed_at, n.snoozed_until, n.returned_at, n.assigned_to, n.muted_at, n.label_ids,
    (select json_object_agg(key, was.value)::jsonb
      from jsonb_each(conversation_state(o)) was join jsonb_each(conversation_state(n)) became using (key)
      where was.value is distinct from became.value)
  from old_rows o join new_rows n using (primary_user_id)
  where n.state_version <> o.state_version
  order by n.state_version;
  return null;
end $$;

-- The two lists without repetitions, those of the first list first.
create function joined_labels(one text[], other text[]) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(id order by place), '{}') from (
    select id, min(place) as place from unnest(one || other) with ordinality as listed (id, place) group by id
  ) known
$$;

-- A merge keeps the labels of both.
alter function merge_states(text, text) rename to merge_states_without_labels;
create function merge_states(kept text, other text) returns void language sql as $$
  update conversations c set label_ids = joined_labels(c.label_ids, o.label_ids)
  from conversations o
  where c.primary_user_id = kept and o.primary_user_id = other and not c.label_ids @> o.label_ids;
  select merge_states_without_labels(kept, other);
$$;

-- The labels of a client. A client that never had a label has no row.
create table client_labels (
  client_id text primary key references clients on delete cascade,
  label_ids text[] not null,
  -- Increases with every change.
  version bigint not null default 1
);
create index client_labels_labels on client_labels using gin (label_ids);
create trigger client_labels_announce after insert on client_labels referencing new table as added
  for each statement when (announces_changes()) execute function announce_inserted();
create trigger client_labels_announce_update after update on client_labels
  for each row when (announces_changes() and old.version <> new.version) execute function announce_change();
