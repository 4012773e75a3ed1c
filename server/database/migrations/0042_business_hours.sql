-- Settings of the business that staff change in a dialog, one document each.
create table business_settings (
  name text primary key check (name in ('business-hours', 'assignment-rules')),
  settings jsonb not null,
  -- Increases with every write.
  version integer not null,
  updated_at timestamptz not null
);

-- The last away answer to each identity, which is an automatic reply (auto_replies) to this message. Kept longer than
-- automatic replies, because a closed period may last for weeks.
create table away_answers (
  fb_user_id text primary key references fb_users on delete cascade,
  message_id text not null unique,
  decided_at timestamptz not null
);
