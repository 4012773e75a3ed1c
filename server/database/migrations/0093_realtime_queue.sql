-- How committed changes reach the processes: by NOTIFY, or through a queue whose rows a process publishes to NATS. -------

-- One row. The triggers read it, so the writers of both releases announce in each way that a process needs.
create table realtime_transport (
  is_only boolean primary key default true check (is_only),
  -- Names the streams of this database: several may share a NATS server. A restore gives it another one.
  id text not null default gen_random_uuid()::text,
  -- `since`: when a process switched NOTIFY, or the queue, on. `needed_at`: when one last needed it.
  notifies boolean not null default true,
  notifies_since timestamptz not null default '-infinity',
  notify_needed_at timestamptz not null default now(),
  queues boolean not null default false,
  queues_since timestamptz not null default '-infinity',
  queue_needed_at timestamptz not null default now()
);
insert into realtime_transport default values;

-- Rows are deleted by the transaction that publishes them.
create table realtime_queue (
  id bigint generated always as identity primary key,
  payload text not null,
  -- Presence is published without being kept.
  is_kept boolean not null,
  created_at timestamptz not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Announces to all processes when the transaction commits. The notice tells the process whose connection this is that it
-- has to publish after the commit.
create function tell_processes(told text, is_kept boolean default true) returns void language plpgsql as $$
declare
  transport realtime_transport;
begin
  select * into transport from realtime_transport;
  if transport.notifies then
    perform pg_notify('realtime', told);
  end if;
  if transport.queues then
    insert into realtime_queue (payload, is_kept) values (told, tell_processes.is_kept);
    if current_setting('inbox.queued', true) is distinct from 'on' then
      perform set_config('inbox.queued', 'on', true);
      raise notice 'inbox: queued';
    end if;
  end if;
end $$;

create or replace function announce(table_name text, operation text, record json, old_record json)
returns void language plpgsql as $$
declare
  change text := json_build_object(
    'schema', 'public',
    'table', table_name,
    'type', operation,
    'commit_timestamp', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'record', record,
    'old_record', old_record
  )::text;
  stored bigint;
begin
  if octet_length(change) >= 7000 then
    insert into realtime_outbox (change) values (change::jsonb) returning id into stored;
    change := json_build_object('outbox', stored)::text;
  end if;
  perform tell_processes(change, table_name <> 'presence');
end $$;

create or replace function announce_ended_session() returns trigger language plpgsql as $$
begin
  perform tell_processes(json_build_object('access', json_build_object('sessionId', old.id))::text);
  return null;
end $$;

create or replace function announce_changed_access() returns trigger language plpgsql as $$
begin
  if old.supabase_id is not null then
    perform tell_processes(json_build_object('access', json_build_object('userId', old.supabase_id))::text);
  end if;
  return null;
end $$;
