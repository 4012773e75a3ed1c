-- Automatic answers that left once and of which nobody knows whether they arrived. ----------------

-- How often a message was handed to the network without a refusal that proves that it was not delivered. A retry names
-- the number that the person saw, so that two presses on Retry send once.
alter table sends add column tries integer not null default 1;
-- discarded: nobody knows whether it arrived, and a person decided to leave it at that
alter table sends drop constraint sends_state_check;
alter table sends add constraint sends_state_check
  check (state in ('sending', 'sent', 'unknown', 'failed', 'discarded'));

-- Those that an echo without a key may settle.
drop index sends_open;
create index sends_open on sends (page_id, psid) where state in ('sending', 'unknown', 'discarded');

-- On the question: its automatic answer while that is unconfirmed, as { text, tries }. A copy of what `sends` holds, kept
-- by the trigger below. It is a column and no row of its own: counts, previews, search and paging know messages that
-- exist, and the realtime channel of `messages` announces it.
alter table messages add column unconfirmed_reply jsonb;

-- While a look or a retry is under way (`sending`) the answer stays as it was shown before.
create function show_unconfirmed_reply() returns trigger language plpgsql as $$
declare
  shown jsonb := case
    when new.state = 'unknown' then jsonb_build_object('text', new.message_text, 'tries', new.tries)
  end;
begin
  update messages set unconfirmed_reply = shown
    where message_id = substr(new.idempotency_key, length('auto-reply:') + 1)
      and unconfirmed_reply is distinct from shown;
  return null;
end $$;
create trigger sends_show_unconfirmed_reply after update on sends for each row
  when (new.idempotency_key like 'auto-reply:%' and new.state <> 'sending' and old.state <> new.state)
  execute function show_unconfirmed_reply();

-- Those that an earlier version left unconfirmed.
update messages set unconfirmed_reply = jsonb_build_object('text', sends.message_text, 'tries', sends.tries)
  from sends
  where sends.state = 'unknown' and sends.idempotency_key = 'auto-reply:' || messages.message_id;

-- auto_replies.state 'sent': the answer left. What became of it is known in `sends`.
