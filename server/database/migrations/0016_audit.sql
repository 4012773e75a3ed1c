-- The audit log: who did what on which row, from where and when. Entries are only added. -----------

create table audit_entries (
  id bigint generated always as identity primary key,
  created_at timestamptz not null,
  -- Null for the server itself, the command line, and refused sign-ins of unknown people. No foreign key, because an
  -- entry outlives what it names.
  staff_id text,
  -- The name at that time.
  staff_name text check (length(staff_name) <= 200),
  action text not null check (length(action) <= 64),
  row_kind text check (length(row_kind) <= 64),
  row_id text check (length(row_id) <= 200),
  address text check (length(address) <= 64),
  user_agent text check (length(user_agent) <= 200),
  -- No message texts, tokens or passwords.
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object' and length(details::text) <= 20000),
  check ((row_kind is null) = (row_id is null))
);
alter table audit_entries enable row level security;
create index audit_entries_recent on audit_entries (created_at desc, id desc);
create index audit_entries_staff on audit_entries (staff_id, created_at desc, id desc);
create index audit_entries_action on audit_entries (action, created_at desc, id desc);
create index audit_entries_row on audit_entries (row_id, created_at desc, id desc);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'TRUNCATE' and current_setting('staff_inbox.audit_change', true) = 'allowed' then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  raise exception 'entries of the audit log cannot be changed or deleted' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_audit_change();
create trigger audit_entries_not_emptied before truncate on audit_entries
  for each statement execute function refuse_audit_change();

-- The only way to change the log. Deletes the entries from before `older_than`. Removes the row id and the details of the
-- entries on erased rows; who acted, what and when stay. A null leaves its part out. The setting is taken back at the end,
-- or by the rollback of a failure. (A `set` clause of the function would need a superuser.)
create function forget_audit_entries(older_than timestamptz, erased_kind text, erased_ids text[]) returns bigint
  language plpgsql as $$
declare
  deleted bigint;
  changed bigint;
begin
  perform set_config('staff_inbox.audit_change', 'allowed', true);
  delete from audit_entries where created_at < older_than;
  get diagnostics deleted = row_count;
  update audit_entries set row_kind = null, row_id = null, details = '{}'
    where row_kind = erased_kind and row_id = any(erased_ids);
  get diagnostics changed = row_count;
  perform set_config('staff_inbox.audit_change', '', true);
  return deleted + changed;
end $$;
