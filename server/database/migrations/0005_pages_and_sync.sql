-- Since when the network refuses a page's token; null again once it is renewed.
alter table pages add column token_invalid_since timestamptz;

-- Whether a historical sync brought a message.
alter table messages add column is_historical boolean not null default false;
create index messages_historical on messages (page_id) where is_historical;

-- When a page may next read its conversations, for all processes together, and how long the network asks for a pause.
create table page_pace (
  page_id text primary key references pages on delete cascade,
  next_call_at timestamptz not null,
  paused_until timestamptz,
  -- Rate limits met one after another.
  refusals integer not null default 0
);

-- Historical syncs and how far they are.
create table history_syncs (
  id text primary key default gen_random_uuid()::text,
  page_id text not null references pages on delete cascade,
  platform text not null check (platform in ('messenger', 'instagram')),
  conversation_limit integer not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  conversations_done integer not null default 0,
  messages_stored integer not null default 0,
  unreadable integer not null default 0,
  -- Where the network goes on, should the sync be interrupted.
  cursor text,
  error text,
  code text,
  started_by text,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create unique index history_syncs_under_way on history_syncs (page_id, platform) where state in ('queued', 'running');
create index history_syncs_page on history_syncs (page_id, created_at desc);

create table auto_sync (
  id integer primary key check (id = 1),
  interval_minutes integer not null default 5 check (interval_minutes between 1 and 60),
  hours_back integer not null default 2 check (hours_back between 1 and 24),
  enabled boolean not null default true,
  last_updated_by text,
  last_updated_at timestamptz
);
insert into auto_sync (id) values (1);

create table auto_sync_runs (
  -- The job's, so that a run that was cut off is taken up again.
  id text primary key,
  state text not null check (state in ('running', 'completed', 'stopped', 'failed')),
  trigger text not null check (trigger in ('schedule', 'forced')),
  started_by text,
  started_at timestamptz not null,
  finished_at timestamptz,
  messages integer not null default 0,
  pages jsonb not null default '[]'
);
create index auto_sync_runs_recent on auto_sync_runs (started_at desc);
