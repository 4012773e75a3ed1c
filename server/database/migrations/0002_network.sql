-- The raw text: JSON may hold what jsonb refuses (\u0000), and the network would deliver it for ever.
alter table webhook_inbox alter column body type text using body::text;

-- When a delivery that failed is tried again.
alter table webhook_inbox add column due_at timestamptz not null default now();
drop index webhook_inbox_open;
create index webhook_inbox_open on webhook_inbox (due_at, id) where processed_at is null;

-- Messages that their writer took back: a late or repeated delivery does not bring them back.
create table deleted_messages (
  message_id text primary key,
  deleted_at timestamptz not null default now()
);
