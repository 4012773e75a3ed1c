-- When a member of staff last signed in or renewed a session.
alter table staff add column last_seen_at timestamptz;
