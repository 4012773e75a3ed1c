-- Erasing people and deleting pages, in batches that another process can resume. -----------------

-- People who were erased. `person_hash` is an HMAC of page id and psid with the random key in `stored_keys`, so the row
-- names nobody. Events of the person up to `erased_at` are not stored again.
create table erased_people (
  person_hash text primary key,
  erased_at timestamptz not null,
  -- Null while rows of the person are still being deleted. Later events wait for this.
  completed_at timestamptz
);

create table erasures (
  -- Random; the confirmation code that a person may look up without a login.
  id text primary key,
  kind text not null check (kind in ('person', 'page')),
  state text not null default 'running' check (state in ('running', 'completed')),
  -- What is erased: the identities of the person, or the page. Emptied on completion.
  subject jsonb not null,
  -- A staff id, 'command' or 'network'.
  requested_by text not null,
  -- A process that works on the erasure moves this forward first. After its death another process resumes.
  due_at timestamptz not null,
  created_at timestamptz not null,
  completed_at timestamptz
);
create index erasures_due on erasures (due_at) where state = 'running';

-- A page that is being deleted: not listed any more, and no event is stored for it.
alter table pages add column deletion_started_at timestamptz;

-- Null: the text was removed. The key stays, so that the message is never sent again.
alter table sends alter column message_text drop not null;

create index auto_replies_identity on auto_replies (fb_user_id);
create index sends_person on sends (page_id, psid);

-- A process that deletes many rows announces one row for each batch: `set_config('inbox.silent', 'on', true)` holds until
-- the end of its transaction.
create function announces_changes() returns boolean language sql stable as $$
  select coalesce(current_setting('inbox.silent', true), '') <> 'on'
$$;
drop trigger messages_announce on messages;
create trigger messages_announce after insert or delete on messages
  for each row when (announces_changes()) execute function announce_change();
drop trigger fb_users_announce on fb_users;
create trigger fb_users_announce after insert or delete on fb_users
  for each row when (announces_changes()) execute function announce_change();
