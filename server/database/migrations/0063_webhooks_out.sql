-- Webhooks to other programs. ---------------------------------------------------------------------------------------------

-- Where events are posted. `events`: the types that the endpoint receives.
create table webhook_endpoints (
  id text primary key default gen_random_uuid()::text,
  url text not null,
  description text not null default '',
  events jsonb not null,
  secret_encrypted text not null,
  -- The secret before the last replacement also signs until `previous_until`.
  previous_encrypted text,
  previous_until timestamptz,
  is_active boolean not null default true,
  -- Why the server switched the endpoint off. Null: it is on, or staff switched it off.
  disabled_reason text check (disabled_reason in ('failures', 'gone')),
  disabled_at timestamptz,
  -- The first failed attempt since the last delivery. Null: the last attempt was a delivery.
  failing_since timestamptz,
  -- The name of the member of staff who made the endpoint.
  created_by text not null,
  created_at timestamptz not null
);

-- What happened and was not prepared yet. server/webhooks-out/events.ts makes an event of each row, or of the rows of one
-- order together.
create table due_webhook_events (
  id bigint generated always as identity primary key,
  type text not null check (type in ('order.changed', 'message.received', 'conversation.waiting')),
  order_id text references orders on delete cascade,
  message_id text collate "C" references messages on delete cascade,
  primary_user_id text collate "C" references conversations on delete cascade,
  -- Of a conversation that waits. `has_begun`: a message began the wait; false for one that came back.
  waiting_since timestamptz,
  has_begun boolean not null default false,
  created_at timestamptz not null default now()
);
create index due_webhook_events_order on due_webhook_events (order_id) where order_id is not null;
create index due_webhook_events_message on due_webhook_events (message_id) where message_id is not null;
create index due_webhook_events_conversation on due_webhook_events (primary_user_id) where primary_user_id is not null;

-- The body as it is posted at each attempt. It is deleted with its message, person or order.
create table webhook_events (
  id text primary key,
  type text not null,
  body text not null,
  order_id text references orders on delete cascade,
  message_id text collate "C" references messages on delete cascade,
  fb_user_id text references fb_users on delete cascade,
  created_at timestamptz not null
);
create index webhook_events_created on webhook_events (created_at);
create index webhook_events_order on webhook_events (order_id) where order_id is not null;
create index webhook_events_message on webhook_events (message_id) where message_id is not null;
create index webhook_events_person on webhook_events (fb_user_id) where fb_user_id is not null;

-- One event for one endpoint. `attempts`: in all; `tries`: since the last request to send again.
create table webhook_deliveries (
  id bigint generated always as identity primary key,
  endpoint_id text not null references webhook_endpoints on delete cascade,
  event_id text not null references webhook_events on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  tries integer not null default 0,
  -- When the next attempt may begin. While an attempt is running: when another process may take over.
  due_at timestamptz not null,
  is_running boolean not null default false,
  last_attempt_at timestamptz,
  -- The status of the last answer; null if there was none. `error`: why the last attempt failed.
  status integer,
  error text,
  created_at timestamptz not null
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where state = 'waiting';
create index webhook_deliveries_newest on webhook_deliveries (endpoint_id, id desc);
create index webhook_deliveries_event on webhook_deliveries (event_id);

create function wants_webhooks(type text) returns boolean language sql stable as $$
  select exists (select from webhook_endpoints where is_active and events ? type)
$$;

create function note_webhook_messages() returns trigger language plpgsql as $$
begin
  if not wants_webhooks('message.received') then return null; end if;
  insert into due_webhook_events (type, message_id)
  select 'message.received', message_id from added where direction = 'incoming' and not is_historical order by id;
  return null;
end $$;
create trigger messages_webhooks after insert on messages referencing new table as added
  for each statement execute function note_webhook_messages();

-- A conversation that enters the view Waiting.
create function note_webhook_waits() returns trigger language plpgsql as $$
begin
  if not wants_webhooks('conversation.waiting') then return null; end if;
  insert into due_webhook_events (type, primary_user_id, waiting_since, has_begun)
  select 'conversation.waiting', primary_user_id, waiting_since,
    previous ? 'waiting_since' and previous ->> 'waiting_since' is null
  from added
  where waiting_since is not null and done_at is null and snoozed_at is null and muted_at is null
    and (previous ? 'waiting_since' and previous ->> 'waiting_since' is null or previous ->> 'done_at' is not null
      or previous ->> 'snoozed_at' is not null or previous ->> 'muted_at' is not null)
  order by id;
  return null;
end $$;
create trigger conversation_events_webhooks after insert on conversation_events referencing new table as added
  for each statement execute function note_webhook_waits();

create function note_webhook_orders(ids text[]) returns void language sql as $$
  insert into due_webhook_events (type, order_id)
  select 'order.changed', id from unnest(ids) as changed (id) where exists (select from orders where orders.id = changed.id)
  order by id
$$;

create function note_webhook_new_orders() returns trigger language plpgsql as $$
begin
  if not wants_webhooks('order.changed') then return null; end if;
  perform note_webhook_orders(array(select id from touched));
  return null;
end $$;
create trigger orders_webhooks after insert on orders referencing new table as touched
  for each statement execute function note_webhook_new_orders();

create function note_webhook_changed_orders() returns trigger language plpgsql as $$
begin
  if not wants_webhooks('order.changed') then return null; end if;
  perform note_webhook_orders(array(
    select id from before join after using (id) where to_jsonb(before) is distinct from to_jsonb(after)));
  return null;
end $$;
create trigger orders_webhooks_update after update on orders referencing old table as before new table as after
  for each statement execute function note_webhook_changed_orders();

create function note_webhook_payments() returns trigger language plpgsql as $$
begin
  if not wants_webhooks('order.changed') then return null; end if;
  perform note_webhook_orders(array(select distinct order_id from touched));
  return null;
end $$;
create trigger payments_webhooks after insert on payments referencing new table as touched
  for each statement execute function note_webhook_payments();
-- Payments of a deleted order are deleted with it: `note_webhook_orders` leaves that order out.
create trigger payments_webhooks_delete after delete on payments referencing old table as touched
  for each statement execute function note_webhook_payments();

create function note_webhook_changed_payments() returns trigger language plpgsql as $$
begin
  if not wants_webhooks('order.changed') then return null; end if;
  perform note_webhook_orders(array(
    select changed.order_id from before join after using (id)
    cross join lateral (values (before.order_id), (after.order_id)) changed (order_id)
    where to_jsonb(before) is distinct from to_jsonb(after) group by changed.order_id));
  return null;
end $$;
create trigger payments_webhooks_update after update on payments referencing old table as before new table as after
  for each statement execute function note_webhook_changed_payments();

alter function merge_states(text, text) rename to merge_states_and_pushes;
create function merge_states(kept text, other text) returns void language sql as $$
  select merge_states_and_pushes(kept, other);
  update due_webhook_events set primary_user_id = kept where primary_user_id = other;
$$;

-- Incidents: an endpoint that fails, and one that was switched off.
alter table alarms drop constraint alarms_kind_check;
alter table alarms add constraint alarms_kind_check
  check (kind in ('webhooks', 'token', 'parked', 'queue', 'disk', 'endpoint-failing', 'endpoint-off'));
