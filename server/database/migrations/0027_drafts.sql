-- The texts that staff members typed and have not sent, one for each conversation. Nobody else reads them.
create table drafts (
  staff_id text not null references staff on delete cascade,
  primary_user_id text collate "C" not null references conversations on delete cascade,
  text text not null,
  -- Chosen by the client for each write.
  version uuid not null,
  updated_at timestamptz not null,
  primary key (staff_id, primary_user_id)
);
create index drafts_conversation on drafts (primary_user_id);
create index drafts_updated on drafts (updated_at);

-- Moves the drafts of `other` to `kept`, before `other` is deleted. Two drafts of one person are joined. The caller locks
-- both conversations.
create function merge_drafts(kept text, other text) returns void language sql as $$
  update drafts d set text = d.text || E'\n\n' || o.text, version = gen_random_uuid(),
    updated_at = greatest(d.updated_at, o.updated_at)
  from drafts o
  where d.primary_user_id = kept and o.primary_user_id = other and o.staff_id = d.staff_id and o.text <> d.text;
  delete from drafts o using drafts d
  where o.primary_user_id = other and d.primary_user_id = kept and d.staff_id = o.staff_id;
  update drafts set primary_user_id = kept where primary_user_id = other;
$$;
