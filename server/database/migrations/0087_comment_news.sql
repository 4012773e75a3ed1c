-- News of comments: a new comment that needs an answer is noticed like a new message. ------------------------------------

-- A change of a thread tells news if `news_version` is its version. `waiting_text` is a line of the newest comment without an
-- answer, so that the announced row is all that a notification needs.
alter table comment_threads
  add column news_version integer,
  add column news_at timestamptz,
  add column waiting_text text;
create index comment_threads_news on comment_threads (news_at) where waiting_since is not null;

-- Web Push. Apart from `due_pushes`, whose rows the previous release takes to be about conversations.
create table due_comment_pushes (
  id bigint generated always as identity primary key,
  thread_id text not null references comment_threads on delete cascade,
  created_at timestamptz not null default now()
);
create index due_comment_pushes_thread on due_comment_pushes (thread_id);

-- A delivery without a conversation is about comments: those since `comments_since` that still wait. A browser has one.
alter table push_deliveries
  alter column primary_user_id drop not null,
  add column comments_since timestamptz,
  add constraint push_deliveries_subject check ((primary_user_id is null) = (comments_since is not null));
create unique index push_deliveries_comments on push_deliveries (subscription_id) where primary_user_id is null;
-- No further notification about comments before this time.
alter table push_subscriptions add column comments_from timestamptz;

create function push_comment_news() returns trigger language plpgsql as $$
begin
  if exists (select from push_subscriptions) then insert into due_comment_pushes (thread_id) values (new.id); end if;
  return null;
end $$;
create trigger comment_threads_push after insert or update on comment_threads
  for each row when (new.news_version = new.version and new.waiting_since is not null) execute function push_comment_news();
