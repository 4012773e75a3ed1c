-- The identity provider's session with which a session of the product began. Null with a hosted provider and for the
-- legacy login.
alter table staff_sessions add column provider_session_id text;

-- Who signs out of the product, or whose token was copied, loses the built-in provider's session too.
create function end_provider_session() returns trigger language plpgsql as $$
begin
  update auth_sessions set revoked_at = new.revoked_at where id = new.provider_session_id and revoked_at is null;
  return null;
end $$;
create trigger staff_sessions_ended after update of revoked_at on staff_sessions for each row
  when (old.revoked_at is null and new.revoked_at is not null and new.provider_session_id is not null)
  execute function end_provider_session();

-- Tells every process to close the sockets of a session or of a user of the provider. The triggers also see what an
-- operator changes by hand.
create function announce_ended_session() returns trigger language plpgsql as $$
begin
  perform pg_notify('realtime', json_build_object('access', json_build_object('sessionId', old.id))::text);
  return null;
end $$;
create trigger auth_sessions_ended after update of revoked_at on auth_sessions for each row
  when (old.revoked_at is null and new.revoked_at is not null) execute function announce_ended_session();
create trigger auth_sessions_deleted after delete on auth_sessions for each row execute function announce_ended_session();

create function announce_changed_access() returns trigger language plpgsql as $$
begin
  if old.supabase_id is not null then
    perform pg_notify('realtime', json_build_object('access', json_build_object('userId', old.supabase_id))::text);
  end if;
  return null;
end $$;
create trigger staff_access_changed after update of is_active, role, permissions, supabase_id on staff for each row
  when ((old.is_active, old.role, old.permissions, old.supabase_id)
    is distinct from (new.is_active, new.role, new.permissions, new.supabase_id))
  execute function announce_changed_access();
create trigger staff_deleted after delete on staff for each row execute function announce_changed_access();
