-- A migration as a next release could have it: it changes tables that are written all the time, and begins to count what
-- is in one of them. The servers of this release run on while it is applied, and after it.
lock table messages in share row exclusive mode;
alter table messages add column simulated_mark text;
alter table conversations add column simulated_priority integer not null default 0;
create index messages_simulated on messages (page_id, timestamp_fb) where simulated_mark is not null;
create table simulated_counts (page_id text primary key, messages integer not null);
insert into simulated_counts (page_id, messages) select page_id, count(*) from messages group by page_id;

create function count_simulated() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into simulated_counts as known (page_id, messages)
      select page_id, count(*) from changed group by page_id order by page_id
      on conflict (page_id) do update set messages = known.messages + excluded.messages;
  else
    update simulated_counts known set messages = known.messages - gone.messages
      from (select page_id, count(*) as messages from changed group by page_id) gone
      where known.page_id = gone.page_id;
  end if;
  return null;
end $$;
create trigger messages_simulated_insert after insert on messages referencing new table as changed
  for each statement execute function count_simulated();
create trigger messages_simulated_delete after delete on messages referencing old table as changed
  for each statement execute function count_simulated();
