-- Whether a sync has read the conversation of the identity, for realtime: an open thread fetches again, and
-- `history_starts` tells it what the sync found. Only syncs since this migration set it.
alter table fb_users add column history_synced boolean not null default false;

-- A sync changes no name and no link, so it must not cost their summaries.
create or replace function identities_updated() returns trigger language plpgsql as $$
begin
  if not exists (
    select from before b join after a using (id)
    where to_jsonb(b) - '{delivered_up_to,read_up_to,read_at,history_synced}'::text[]
      is distinct from to_jsonb(a) - '{delivered_up_to,read_up_to,read_at,history_synced}'::text[]
  ) then
    return null;
  end if;
  perform refresh_names(array(select distinct primary_user_id from after order by primary_user_id));
  insert into page_total_changes (page_id, linked_users)
    select page_id, sum(linked)
    from (
      select page_id, -1 as linked from before where client_id is not null
      union all
      select page_id, 1 from after where client_id is not null
    ) changes
    group by page_id having sum(linked) <> 0;
  return null;
end $$;
