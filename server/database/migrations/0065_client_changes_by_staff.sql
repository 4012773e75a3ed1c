-- Clients that staff edit, delete and merge. -----------------------------------------------------------------------------

-- `version` counts the changes of the fields that staff edit. `removed_at`: the client was deleted or merged. The row stays
-- for 30 days, so that the removal can be undone; until then nothing but the list of removals shows the client.
alter table clients
  add column version bigint not null default 1,
  add column removed_at timestamptz;

create function number_client() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
create trigger clients_number before update on clients
  for each row when (
    (old.first_name, old.last_name, old.company_name, old.email, old.phone, old.classification)
    is distinct from
    (new.first_name, new.last_name, new.company_name, new.email, new.phone, new.classification)
  ) execute function number_client();

-- `kept_id`: the client that the removed one was merged into; null if it was deleted. `record`: what an undo restores
-- (`Removal` in server/database/client-removals.ts).
create table client_removals (
  client_id text primary key references clients on delete cascade,
  kept_id text references clients on delete cascade,
  removed_at timestamptz not null,
  removed_by text,
  record jsonb not null
);
create index client_removals_age on client_removals (removed_at);
create index client_removals_kept on client_removals (kept_id) where kept_id is not null;

-- The external ids of merged clients. They name the client that was kept, also after the 30 days.
create table client_aliases (
  external_id text primary key,
  client_id text not null references clients on delete cascade
);
create index client_aliases_client on client_aliases (client_id);

-- The notes of a conversation, to be called within a merge and its undo.
create function notes_of(conversation text) returns text[] language sql stable as $$
  select coalesce(array_agg(id order by id), '{}') from notes where primary_user_id = conversation
$$;
create function move_notes(ids text[], from_id text, to_id text) returns void language sql as $$
  update notes set primary_user_id = to_id where id = any(ids) and primary_user_id = from_id
$$;

-- What staff decided about a conversation, and back. A restored assignee or label may be gone by then.
create function decided_state(conversation text) returns jsonb language sql stable as $$
  select jsonb_build_object('done_at', done_at, 'done_by', done_by, 'snoozed_at', snoozed_at, 'snoozed_until', snoozed_until,
    'returned_at', returned_at, 'assigned_to', assigned_to, 'muted_at', muted_at, 'settled_up_to', settled_up_to,
    'settled_incoming_at', settled_incoming_at, 'label_ids', label_ids)
  from conversations where primary_user_id = conversation
$$;
-- A message of the person that came after `since` keeps the conversation open.
create function restore_state(conversation text, state jsonb, since timestamptz) returns void language sql as $$
  update conversations c set
    done_at = case when is_quiet then s.done_at end,
    done_by = case when is_quiet then (select id from staff where id = s.done_by) end,
    snoozed_at = case when is_quiet then s.snoozed_at end,
    snoozed_until = case when is_quiet then s.snoozed_until end,
    returned_at = s.returned_at,
    assigned_to = (select id from staff where id = s.assigned_to),
    muted_at = s.muted_at,
    settled_up_to = s.settled_up_to,
    settled_incoming_at = s.settled_incoming_at,
    label_ids = array(
      select kept.id from unnest(s.label_ids) with ordinality as kept (id, place)
      join labels on labels.id = kept.id and labels.deleted_at is null order by place)
  from jsonb_to_record(state) as s (done_at timestamptz, done_by text, snoozed_at timestamptz, snoozed_until timestamptz,
    returned_at timestamptz, assigned_to text, muted_at timestamptz, settled_up_to bigint, settled_incoming_at timestamptz,
    label_ids text[])
  cross join lateral (
    select not exists (
      select from messages m where m.primary_user_id = conversation and m.direction = 'incoming' and m.timestamp_fb > since
    ) as is_quiet
  ) known
  where c.primary_user_id = conversation
$$;
