-- Who wrote an outgoing message, from the record of the send. ---------------------------------------------------------

-- { kind: 'staff', id }, { kind: 'automatic', title }, where `title` is that of the FAQ entry, or { kind: 'outside' }.
-- Null: not known.
alter table messages add column author jsonb;

-- A message without a key was written outside, unless a send without a known result may be that message. Five seconds: how
-- far our clock and the network's may differ.
create function author_of(m messages) returns jsonb language sql stable as $$
  select case
    when m.direction = 'incoming' then null
    when m.idempotency_key like 'auto-reply:%' then jsonb_build_object('kind', 'automatic', 'title', (
      select f.title from auto_replies a join faq_entries f on f.id = a.faq_id
      where a.message_id = substr(m.idempotency_key, length('auto-reply:') + 1)
    ))
    when m.idempotency_key is not null then (
      select jsonb_build_object('kind', 'staff', 'id', s.staff_id) from sends s
      where s.idempotency_key = m.idempotency_key
    )
    when exists (
      select from fb_users f
      join sends s on s.page_id = f.page_id and s.psid = f.psid and s.state in ('sending', 'unknown', 'discarded')
      where f.id = m.fb_user_id and s.message_text = m.message_text
        and m.timestamp_fb >= s.created_at - interval '5 seconds'
        and m.timestamp_fb <= s.updated_at + interval '2 minutes'
    ) then null
    else jsonb_build_object('kind', 'outside')
  end
$$;

create function name_author() returns trigger language plpgsql as $$
begin
  new.author := author_of(new);
  return new;
end $$;
create trigger messages_name_author before insert on messages
  for each row when (new.direction = 'outgoing' and new.author is null) execute function name_author();
create trigger messages_name_author_later before update of idempotency_key on messages
  for each row when (new.idempotency_key is not null and old.idempotency_key is distinct from new.idempotency_key)
  execute function name_author();

-- The messages stored before: those with a record. No browser is told.
drop trigger messages_announce_update on messages;
create trigger messages_announce_update after update on messages
  for each row when (announces_changes() and to_jsonb(old) - 'primary_user_id' is distinct from to_jsonb(new) - 'primary_user_id')
  execute function announce_change();
select set_config('inbox.silent', 'on', true);
update messages m set author = author_of(m) where m.direction = 'outgoing' and m.idempotency_key is not null;
select set_config('inbox.silent', '', true);
