-- Whether the stored messages of an identity reach back to the start of its conversation. Without a row no sync has
-- looked: messages that webhooks brought say nothing about earlier ones.
create table history_starts (
  fb_user_id text primary key references fb_users on delete cascade,
  -- False: the network has or had older messages, which it does not return or which were removed here.
  is_reached boolean not null
);
