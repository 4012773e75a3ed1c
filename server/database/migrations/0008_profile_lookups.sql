-- People whose profile is still to be read from the network, one row for each identity. The row is written with the
-- identity and deleted once the profile is read, so a restart forgets none and all processes share the work.
create table profile_lookups (
  fb_user_id text primary key references fb_users on delete cascade,
  -- When the next call may be made. A process that makes the call moves this forward first.
  -- After the last failed call: when the row is deleted, so that the person's next message starts again.
  due_at timestamptz not null,
  -- Calls that brought no profile.
  failures integer not null default 0,
  created_at timestamptz not null
);
create index profile_lookups_due on profile_lookups (due_at);
