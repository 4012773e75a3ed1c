-- Internal notes of staff on a conversation. Never sent to the customer. ------------------------------------------------

create table notes (
  -- Chosen by the browser, so that a retry stores the note once.
  id text primary key,
  primary_user_id text collate "C" not null references conversations on delete cascade,
  staff_id text references staff on delete set null,
  text text not null,
  -- The ids of the staff members who are mentioned.
  mentions jsonb not null,
  created_at timestamptz not null default now()
);
create index notes_conversation on notes (primary_user_id, created_at, id);
create index notes_created on notes (created_at);

create trigger notes_announce after insert on notes referencing new table as added
  for each statement when (announces_changes()) execute function announce_inserted();
create trigger notes_announce_delete after delete on notes referencing old table as removed
  for each statement when (announces_changes()) execute function announce_deleted();

alter function merge_states(text, text) rename to merge_decisions;

-- A merge moves the notes and the drafts too.
create function merge_states(kept text, other text) returns void language sql as $$
  select merge_decisions(kept, other);
  select merge_drafts(kept, other);
  update notes set primary_user_id = kept where primary_user_id = other;
$$;
