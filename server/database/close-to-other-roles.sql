-- Closes the server's tables, views, sequences and functions to the roles of a hosted Supabase project's own API and to
-- PUBLIC. Such a project grants everything in schema public to `anon` and `authenticated` by default privileges, and its
-- API serves what they may read. The server connects as the owner and needs none of these grants.
--
-- Runs in the transaction of every migration and at every start. It changes only what is open, so that a usual start
-- locks no table. Kept are the grants that docs/supabase.sql makes for realtime: `authenticated` may select from a
-- table with the policy `staff_read`, and may call the function of that policy.
do $$
declare
  -- Where the server, the job queue and the sandbox keep their tables.
  own_schemas constant oid[] := array(select oid from pg_namespace where nspname in ('public', 'jobs', 'sandbox'));
  authenticated constant oid := to_regrole('authenticated');
  -- 0 is PUBLIC. The other two exist only in a Supabase project.
  closed_roles constant oid[] := array[0::oid] ||
    array(select oid from pg_roles where rolname in ('anon', 'authenticated'));
  closed_names constant text := concat_ws(', ', 'public',
    (select string_agg(quote_ident(rolname), ', ') from pg_roles where oid = any(closed_roles)));
  default_scope text;
  object_kind text;
  item record;
begin
  -- What this role makes from now on, in whichever schema, is closed from its creation.
  foreach default_scope in array array['', 'in schema public'] loop
    foreach object_kind in array array['tables', 'sequences', 'functions'] loop
      execute format('alter default privileges %s revoke all on %s from %s', default_scope, object_kind, closed_names);
    end loop;
  end loop;

  -- Schema public is the one that those roles may use.
  for item in
    select relation.oid::regclass as name, relkind
    from pg_class relation
    where relnamespace = 'public'::regnamespace and pg_has_role(relowner, 'usage') and (
      relkind in ('r', 'p') and not relrowsecurity
      or relkind = 'v' and 'security_invoker=true' <> all(coalesce(reloptions, '{}'))
    ) and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = relation.oid and deptype = 'e')
  loop
    if item.relkind = 'v' then
      execute format('alter view %s set (security_invoker = true)', item.name);
    else
      execute format('alter table %s enable row level security', item.name);
    end if;
  end loop;

  for item in
    select relation.oid::regclass as name, relkind, is_read_by_staff
    from pg_class relation
    cross join lateral (
      select relrowsecurity and exists (
        select from pg_policy
        where polrelid = relation.oid and polname = 'staff_read' and polcmd = 'r' and polroles = array[authenticated]
      ) as is_read_by_staff
    ) policy
    where relnamespace = any(own_schemas) and relkind in ('r', 'p', 'v', 'm', 'f', 'S') and pg_has_role(relowner, 'usage')
      and exists (
        select from aclexplode(relacl)
        where grantee = any(closed_roles)
          and not (is_read_by_staff and grantee = authenticated and privilege_type = 'SELECT')
        union all
        select from pg_attribute, aclexplode(attacl) where attrelid = relation.oid and grantee = any(closed_roles)
      )
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = relation.oid and deptype = 'e')
  loop
    execute format('revoke all on %s %s from %s',
      case item.relkind when 'S' then 'sequence' else 'table' end, item.name, closed_names);
    if item.is_read_by_staff then execute format('grant select on %s to authenticated', item.name); end if;
  end loop;

  for item in
    select routine.oid::regprocedure as name, is_called_by_policy
    from pg_proc routine
    cross join lateral (
      select routine.oid is not distinct from to_regprocedure('public.may_read_conversations()') as is_called_by_policy
    ) policy
    where pronamespace = any(own_schemas) and pg_has_role(proowner, 'usage')
      and exists (
        select from aclexplode(coalesce(proacl, acldefault('f', proowner)))
        where grantee = any(closed_roles)
          and not (is_called_by_policy and grantee = authenticated)
      )
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = routine.oid and deptype = 'e')
  loop
    execute format('revoke all on routine %s from %s', item.name, closed_names);
    if item.is_called_by_policy and authenticated is not null then
      execute format('grant execute on routine %s to authenticated', item.name);
    end if;
  end loop;
end $$;
