-- Who is looking at a conversation, and who is writing. ----------------------------------------------------------------

-- One row for each tab that shows a conversation. A tab renews its row every few seconds; a row that is not renewed counts
-- no longer (`presenceLifetime`) and is swept later.
create table presence (
  -- Chosen by the tab.
  id text primary key,
  staff_id text not null references staff on delete cascade,
  primary_user_id text collate "C" not null references conversations on delete cascade,
  is_typing boolean not null,
  seen_at timestamptz not null default now()
);
create index presence_conversation on presence (primary_user_id);
create index presence_staff on presence (staff_id);

create trigger presence_announce after insert on presence referencing new table as added
  for each statement when (announces_changes()) execute function announce_inserted();
create trigger presence_announce_delete after delete on presence referencing old table as removed
  for each statement when (announces_changes()) execute function announce_deleted();
-- A renewal announces nothing.
create trigger presence_announce_update after update on presence
  for each row when (old.primary_user_id <> new.primary_user_id or old.is_typing <> new.is_typing)
  execute function announce_change();
