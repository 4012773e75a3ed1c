-- Filters of the conversation list that a staff member saved under a name. Nobody else reads them. ------------------------

create table saved_filters (
  staff_id text not null references staff on delete cascade,
  -- Chosen by the browser, so that a repeated write creates no second filter.
  id text not null,
  name text not null,
  -- The name in the form in which it is compared, because lower() depends on the locale of the database.
  name_key text not null,
  view text not null,
  -- These may name what was deleted since: then the browser says so.
  page_id text,
  label_id text,
  -- A staff member, or 'nobody'.
  assigned_to text,
  unread_only boolean not null,
  created_at timestamptz not null,
  primary key (staff_id, id),
  unique (staff_id, name_key)
);

-- Tells the other tabs and devices of a person that the filters changed, without the names, because every member of staff
-- may listen.
create table saved_filter_versions (
  staff_id text primary key references staff on delete cascade,
  version integer not null
);
create trigger saved_filter_versions_announce after insert on saved_filter_versions referencing new table as added
  for each statement when (announces_changes()) execute function announce_inserted();
create trigger saved_filter_versions_announce_update after update on saved_filter_versions
  for each row when (announces_changes()) execute function announce_change();
