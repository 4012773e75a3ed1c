-- Retention looks for old rows in batches. A block range index costs nearly nothing when messages are stored.
create index messages_by_time on messages using brin (timestamp_fb);
create index sends_with_text on sends (updated_at) where message_text is not null;
create index webhook_inbox_processed on webhook_inbox (processed_at) where processed_at is not null;

-- Deletes at most 500 entries in one call: the caller repeats it.
create or replace function forget_audit_entries(older_than timestamptz, erased_kind text, erased_ids text[])
  returns bigint language plpgsql as $$
declare
  deleted bigint;
  changed bigint;
begin
  perform set_config('staff_inbox.audit_change', 'allowed', true);
  delete from audit_entries where id in (
    select id from audit_entries where created_at < older_than order by created_at limit 500
  );
  get diagnostics deleted = row_count;
  update audit_entries set row_kind = null, row_id = null, details = '{}'
    where row_kind = erased_kind and row_id = any(erased_ids);
  get diagnostics changed = row_count;
  perform set_config('staff_inbox.audit_change', '', true);
  return deleted + changed;
end $$;
