-- Comments on posts and live videos. A thread is what one person wrote under one post. Nothing here is counted or listed as a
-- message or a conversation. ----------------------------------------------------------------------------------------------

create table posts (
  -- The network's id.
  id text collate "C" primary key,
  page_id text not null references pages on delete cascade,
  platform text not null check (platform in ('messenger', 'instagram')),
  -- 'live': a live video, also after it ended.
  kind text not null default 'post' check (kind in ('post', 'live')),
  -- A live video that is being broadcast.
  is_live boolean not null default false,
  message text,
  picture_url text,
  permalink text,
  created_at timestamptz,
  -- When the details are read from the network next. Null: never.
  lookup_at timestamptz,
  lookup_failures integer not null default 0
);
create index posts_page on posts (page_id);
create index posts_lookup on posts (lookup_at) where lookup_at is not null;

create table comments (
  -- The network's id.
  id text collate "C" primary key,
  post_id text collate "C" not null references posts on delete cascade,
  page_id text not null references pages on delete cascade,
  -- The comment that this one answers. It may be stored later.
  parent_id text collate "C",
  -- The network's id of the writer, or 'comment:' with the comment's id if the network does not tell it.
  author_id text collate "C" not null,
  author_name text,
  by_page boolean not null,
  -- Null if removed, or without a text.
  message text,
  picture_url text,
  created_at timestamptz not null,
  -- The time of the event that the text came with: an older event does not replace it.
  text_at timestamptz not null,
  edited_at timestamptz,
  hidden_at timestamptz,
  -- The time of the event or the change that hid or showed the comment last.
  visibility_at timestamptz,
  -- The row stays, so that an event which arrives late does not bring the comment back.
  removed_at timestamptz,
  removed_by text check (removed_by in ('person', 'staff')),
  liked_at timestamptz,
  -- When the one private reply was sent, here or elsewhere.
  private_reply_at timestamptz,
  -- Who answered, for comments that the inbox wrote.
  staff_id text references staff on delete set null
);
create index comments_thread on comments (post_id, author_id, created_at);
create index comments_parent on comments (parent_id) where parent_id is not null;
create index comments_author on comments (page_id, author_id);
create index comments_created on comments (created_at);

create table comment_threads (
  id text primary key default gen_random_uuid()::text,
  post_id text collate "C" not null references posts on delete cascade,
  page_id text not null references pages on delete cascade,
  author_id text collate "C" not null,
  author_name text,
  -- The id of the person in chats with the page, if a private reply proved it.
  psid text,
  last_at timestamptz not null,
  -- The time of the oldest comment without an answer; null if all have one.
  waiting_since timestamptz,
  -- Comments up to this time need no answer.
  done_until timestamptz,
  version integer not null default 0,
  unique (post_id, author_id)
);
create index comment_threads_last on comment_threads (last_at, id);
create index comment_threads_waiting on comment_threads (last_at, id) where waiting_since is not null;
create index comment_threads_person on comment_threads (page_id, psid) where psid is not null;

-- Answers to comments that staff wrote, by idempotency key.
create table comment_sends (
  key text primary key,
  comment_id text collate "C" not null references comments on delete cascade,
  kind text not null check (kind in ('public', 'private')),
  staff_id text references staff on delete set null,
  message text not null,
  state text not null check (state in ('sending', 'sent', 'failed', 'unknown', 'discarded')),
  -- Requests to the network whose result staff asked for.
  tries integer not null default 1,
  -- The network's id of the comment or the message.
  result_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index comment_sends_comment on comment_sends (comment_id);
create index comment_sends_result on comment_sends (result_id) where result_id is not null;
-- The network allows one private reply to a comment.
create unique index comment_sends_private on comment_sends (comment_id)
  where kind = 'private' and state in ('sending', 'sent', 'unknown');

create trigger comment_threads_announce after insert on comment_threads
  for each row execute function announce_change();
create trigger comment_threads_announce_update after update on comment_threads
  for each row when (old is distinct from new) execute function announce_change();
create trigger comment_threads_announce_delete after delete on comment_threads
  for each row execute function announce_change();
