-- What staff keep in readiness for questions that come again and again. ------------------------

create table faq_categories (
  id text primary key default gen_random_uuid()::text,
  name text not null unique,
  position integer not null default 0
);
-- No call makes one, and an entry needs one.
insert into faq_categories (id, name, position) values
  ('general', 'General', 1),
  ('orders', 'Orders', 2),
  ('payments', 'Payments', 3),
  ('delivery', 'Delivery and pick-up', 4),
  ('products', 'Products and prices', 5);

create table faq_entries (
  id text primary key default gen_random_uuid()::text,
  title text not null,
  category_id text references faq_categories on delete set null,
  keywords text[] not null,
  response text not null,
  is_active boolean not null default true,
  priority integer not null default 0 check (priority between 0 and 100),
  created_by text references staff on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Incoming messages that may get an automatic answer, each looked at once. The answer is kept as it leaves: the same
-- key must carry the same text. Rows stay until no delivery of the network can bring their message again.
--   due: to be looked at    sending: decided, under way    sent    none: no answer was due    failed: it was refused
create table auto_replies (
  message_id text primary key,
  fb_user_id text not null references fb_users on delete cascade,
  state text not null default 'due' check (state in ('due', 'sending', 'sent', 'none', 'failed')),
  faq_id text references faq_entries on delete set null,
  reply text,
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  decided_at timestamptz,
  created_at timestamptz not null default now()
);
create index auto_replies_due on auto_replies (due_at) where state in ('due', 'sending');
create index auto_replies_given on auto_replies (fb_user_id, decided_at) where state in ('sending', 'sent');
create index auto_replies_created on auto_replies (created_at);
