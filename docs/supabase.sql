-- For a hosted Supabase project whose database is the one in DATABASE_URL. Run it once, as `postgres` in the project's SQL
-- editor, after the server's first start. A second run changes nothing.
--
-- It lets staff read messages, chat users, states of conversations, presence, notes, labels, threads of comments and the
-- versions of saved filters by realtime. The server itself closes everything else to the project's API:
-- every start enables row level security and revokes all grants of `anon`, `authenticated` and PUBLIC, in
-- server/database/close-to-other-roles.sql. It keeps the policies named `staff_read`, the select grants on their
-- tables, and the function may_read_conversations().

create or replace function public.may_read_conversations() returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.staff
    where supabase_id = (select auth.uid())::text and is_active
      and (role in ('administrator', 'agent', 'viewer') or 'conversations.read' = any (permissions))
      -- With a second factor, only a provider session that has entered a code.
      and (
        not exists (select from public.second_factors f where f.staff_id = staff.id and f.confirmed_at is not null)
        or exists (
          select from public.second_factor_sessions s
          where s.staff_id = staff.id
            and s.provider_session_id = nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'session_id'
        )
      )
  )
$$;
revoke all on function public.may_read_conversations() from public, anon;
grant execute on function public.may_read_conversations() to authenticated;

drop policy if exists staff_read on public.messages;
create policy staff_read on public.messages for select to authenticated
  using ((select public.may_read_conversations()));
drop policy if exists staff_read on public.fb_users;
create policy staff_read on public.fb_users for select to authenticated
  using ((select public.may_read_conversations()));
drop policy if exists staff_read on public.conversation_events;
create policy staff_read on public.conversation_events for select to authenticated
  using ((select public.may_read_conversations()));
drop policy if exists staff_read on public.presence;
create policy staff_read on public.presence for select to authenticated
  using ((select public.may_read_conversations()));
drop policy if exists staff_read on public.notes;
create policy staff_read on public.notes for select to authenticated
  using ((select public.may_read_conversations()));
drop policy if exists staff_read on public.labels;
create policy staff_read on public.labels for select to authenticated
  using ((select public.may_read_conversations()));
drop policy if exists staff_read on public.client_labels;
create policy staff_read on public.client_labels for select to authenticated
  using ((select public.may_read_conversations()));
drop policy if exists staff_read on public.client_changes;
create policy staff_read on public.client_changes for select to authenticated
  using ((select public.may_read_conversations()));
drop policy if exists staff_read on public.saved_filter_versions;
create policy staff_read on public.saved_filter_versions for select to authenticated
  using ((select public.may_read_conversations()));
drop policy if exists staff_read on public.comment_threads;
create policy staff_read on public.comment_threads for select to authenticated
  using ((select public.may_read_conversations()));
grant select on public.messages, public.fb_users, public.conversation_events, public.presence, public.notes,
  public.labels, public.client_labels, public.client_changes, public.saved_filter_versions,
  public.comment_threads to authenticated;

do $$
declare
  name text;
begin
  foreach name in array array['messages', 'fb_users', 'conversation_events', 'presence', 'notes', 'labels', 'client_labels',
    'client_changes', 'saved_filter_versions', 'comment_threads']
  loop
    if not exists (select from pg_publication_tables
      where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = name) then
      execute format('alter publication supabase_realtime add table public.%I', name);
    end if;
  end loop;
end $$;
