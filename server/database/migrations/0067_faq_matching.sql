-- FAQ entries of chosen pages, near matches, and automatic answers that staff marked wrong. ---------------------------

-- Null: all pages. Ids of pages that were removed stay, so that the entry does not begin to reply on others.
alter table faq_entries add column page_ids text[] check (cardinality(page_ids) > 0);

-- What may reply besides exact keywords: the document 'faq-matching'.
alter table business_settings drop constraint business_settings_name_check;
alter table business_settings add constraint business_settings_name_check
  check (name in ('business-hours', 'assignment-rules', 'faq-matching'));

-- Automatic answers that staff marked wrong. The texts stay in `messages`: the question is the message that the key of the
-- answer names. `faq_title` is that of the entry when it replied.
create table faq_wrong_answers (
  message_id text collate "C" primary key references messages on delete cascade,
  faq_id text references faq_entries on delete set null,
  faq_title text not null,
  marked_by text references staff on delete set null,
  marked_at timestamptz not null,
  resolved_by text references staff on delete set null,
  resolved_at timestamptz
);
create index faq_wrong_answers_open on faq_wrong_answers (marked_at desc, message_id) where resolved_at is null;
create index faq_wrong_answers_of_entry on faq_wrong_answers (faq_id);

-- On the answer, { by, at }: a copy that the trigger below keeps, because the realtime channel of `messages` announces it.
alter table messages add column wrong_answer jsonb;

create function show_wrong_answer() returns trigger language plpgsql as $$
declare
  shown jsonb := case
    when tg_op <> 'DELETE' then jsonb_build_object('by', new.marked_by, 'at', new.marked_at)
  end;
begin
  update messages set wrong_answer = shown
    where message_id = case when tg_op = 'DELETE' then old.message_id else new.message_id end
      and wrong_answer is distinct from shown;
  return null;
end $$;
create trigger faq_wrong_answers_show after insert or delete on faq_wrong_answers
  for each row execute function show_wrong_answer();

-- The author of an automatic reply names its FAQ entry by `faq_id` too. Queued replies are removed after days.
create or replace function author_of(m messages) returns jsonb language sql stable as $$
  select case
    when m.direction = 'incoming' then null
    when m.idempotency_key like 'auto-reply:%' then coalesce((
      select jsonb_build_object('kind', 'automatic', 'title', f.title, 'faq_id', f.id)
      from auto_replies a join faq_entries f on f.id = a.faq_id
      where a.message_id = substr(m.idempotency_key, length('auto-reply:') + 1)
    ), jsonb_build_object('kind', 'automatic', 'title', null))
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
