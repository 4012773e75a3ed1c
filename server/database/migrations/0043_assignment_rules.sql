-- Assignment by rules (business_settings 'assignment-rules') and by first answer. ---------------------------------------

-- Conversations that begin to wait while nobody takes care of them, and answers to such conversations (`staff_id`: who
-- answered). server/assignments.ts decides about each row once.
create table due_assignments (
  id bigint generated always as identity primary key,
  primary_user_id text collate "C" not null references conversations on delete cascade,
  staff_id text references staff on delete cascade
);
create index due_assignments_conversation on due_assignments (primary_user_id);
create index due_assignments_staff on due_assignments (staff_id);

-- When a rule last chose each staff member.
create table assignment_turns (
  staff_id text primary key references staff on delete cascade,
  at timestamptz not null
);

-- Whether a rule or a first answer changed the state. `inbox.by_rule` says so in its transaction.
alter table conversation_events add column by_rule boolean not null default false;

create or replace function record_states() returns trigger language plpgsql as $$
begin
  insert into conversation_events (id, primary_user_id, changed_by, waiting_since, done_at, done_by, snoozed_at,
    snoozed_until, returned_at, assigned_to, muted_at, label_ids, by_rule, previous)
  select n.state_version, n.primary_user_id, nullif(current_setting('inbox.staff', true), ''), n.waiting_since,
    n.done_at, n.done_by, n.snoozed_at, n.snoozed_until, n.returned_at, n.assigned_to, n.muted_at, n.label_ids,
    coalesce(current_setting('inbox.by_rule', true), '') = 'on',
    (select json_object_agg(key, was.value)::jsonb
      from jsonb_each(conversation_state(o)) was join jsonb_each(conversation_state(n)) became using (key)
      where was.value is distinct from became.value)
  from old_rows o join new_rows n using (primary_user_id)
  where n.state_version <> o.state_version
  order by n.state_version;
  insert into due_assignments (primary_user_id)
  select n.primary_user_id from old_rows o join new_rows n using (primary_user_id)
  where o.waiting_since is null and n.waiting_since is not null and n.assigned_to is null
    and exists (
      select from business_settings where name = 'assignment-rules' and jsonb_array_length(settings -> 'rules') > 0
    )
  order by n.primary_user_id;
  return null;
end $$;

create function assigns_first_answer() returns boolean language sql stable as $$
  select exists (
    select from business_settings where name = 'assignment-rules' and settings ->> 'assigns_first_answer' = 'true'
  )
$$;

create function note_first_answers() returns trigger language plpgsql as $$
begin
  insert into due_assignments (primary_user_id, staff_id)
  select a.primary_user_id, s.id from added a join staff s on s.id = a.author ->> 'id'
  where a.direction = 'outgoing' and not a.is_historical and a.author ->> 'kind' = 'staff' and assigns_first_answer();
  return null;
end $$;
create trigger messages_note_first_answers after insert on messages referencing new table as added
  for each statement execute function note_first_answers();

-- An echo that was stored without its key.
create function note_later_answer() returns trigger language plpgsql as $$
begin
  insert into due_assignments (primary_user_id, staff_id)
  select new.primary_user_id, s.id from staff s where s.id = new.author ->> 'id' and assigns_first_answer();
  return null;
end $$;
create trigger messages_note_later_answer after update of idempotency_key on messages
  for each row when (old.idempotency_key is null and new.author ->> 'kind' = 'staff' and not new.is_historical)
  execute function note_later_answer();
