-- For a hosted Supabase project whose database is the one in DATABASE_URL. Run it as `postgres` in the project's SQL
-- editor after the server's first start and again after every upgrade; a second run changes nothing.
--
-- Staff read messages and chat users by realtime, and nothing else over the project's own API: everything else goes
-- through the server, which owns the tables and is not held by these policies.

create or replace function public.may_read_conversations() returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.staff
    where supabase_id = (select auth.uid())::text and is_active
      and (role in ('administrator', 'agent', 'viewer') or 'conversations.read' = any (permissions))
  )
$$;

do $$
declare
  item record;
begin
  for item in select tablename from pg_tables where schemaname = 'public' loop
    execute format('alter table public.%I enable row level security', item.tablename);
    execute format('revoke all on public.%I from anon, authenticated', item.tablename);
  end loop;
end $$;

revoke execute on all functions in schema public from public, anon, authenticated;
grant execute on function public.may_read_conversations() to authenticated;
grant select on public.messages, public.fb_users to authenticated;

drop policy if exists staff_read on public.messages;
create policy staff_read on public.messages for select to authenticated
  using ((select public.may_read_conversations()));
drop policy if exists staff_read on public.fb_users;
create policy staff_read on public.fb_users for select to authenticated
  using ((select public.may_read_conversations()));

do $$
declare
  name text;
begin
  foreach name in array array['messages', 'fb_users'] loop
    if not exists (select from pg_publication_tables
      where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = name) then
      execute format('alter publication supabase_realtime add table public.%I', name);
    end if;
  end loop;
end $$;
