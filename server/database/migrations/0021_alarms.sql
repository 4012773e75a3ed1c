-- Incidents, one row each. The unique index makes several processes open one incident once.
create table alarms (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('webhooks', 'token', 'parked', 'queue', 'disk')),
  -- What it is about: a page, a queue or a machine; '' if there is one only.
  subject text not null,
  detail jsonb not null default '{}',
  started_at timestamptz not null,
  -- When the condition was last true.
  seen_at timestamptz not null,
  ended_at timestamptz,
  -- The messages about beginning and end: due until one process has sent them.
  announced_at timestamptz,
  end_announced_at timestamptz,
  announce_due_at timestamptz not null,
  announce_attempts integer not null default 0
);
create unique index alarms_open on alarms (kind, subject) where ended_at is null;
create index alarms_to_announce on alarms (announce_due_at)
  where announced_at is null or (ended_at is not null and end_announced_at is null);
create index alarms_recent on alarms (started_at desc);

-- Whether a page's webhooks arrive: written when a sync stores an incoming message that no webhook brought, and when a
-- webhook brings one after that.
create table webhook_health (
  page_id text primary key references pages on delete cascade,
  missed_at timestamptz not null,
  delivered_at timestamptz
);
