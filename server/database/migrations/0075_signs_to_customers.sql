-- Whether customers of the page are told that staff write and that staff have read their messages.
alter table pages add column shows_typing boolean not null default false;
alter table pages add column shows_seen boolean not null default false;

-- The fields of the webhook that the page was subscribed to last. Null: by a release that did not note them.
alter table pages add column webhook_fields text;

-- When a customer was told last that staff write, so that the network is called once in 10 s by all processes.
create table shown_typing (
  fb_user_id text collate "C" primary key references fb_users on delete cascade,
  at timestamptz not null
);
