-- What each staff member wants to be notified about. Nobody else reads it.
create table notification_settings (
  staff_id text primary key references staff on delete cascade,
  settings jsonb not null,
  -- Increases with every write.
  version integer not null,
  updated_at timestamptz not null
);
