-- What a message is besides its text and its files: a share, a location, a template, … (src/schemas/message-part.ts).
alter table messages add column content jsonb;

-- The text that the writer wrote: without the end that stands for parts of the message. src/domain/written-text.ts does
-- the same.
create function written_text(value text, content jsonb) returns text language sql immutable parallel safe as $$
  select case
    when coalesce(content ->> 'fallback', '') = '' then value
    when value = content ->> 'fallback' then null
    when right(value, length(content ->> 'fallback') + 1) = E'\n' || (content ->> 'fallback')
      then left(value, -length(content ->> 'fallback') - 1)
    else value
  end
$$;

-- The text after an edit: the parts stay.
create function edited_text(value text, content jsonb) returns text language sql immutable parallel safe as $$
  select concat_ws(E'\n', value, nullif(content ->> 'fallback', ''))
$$;

-- The content after an edit. The time as text that sorts like a time.
create function edited_content(content jsonb, edited_at timestamptz) returns jsonb language sql stable parallel safe as $$
  select coalesce(content, '{"parts": []}') || jsonb_build_object('edited_at',
    to_char(edited_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;

-- Edits that came before their messages. Each is applied and deleted when its message is stored.
create table early_edits (
  message_id text collate "C" primary key,
  page_id text not null,
  -- Who edited, so that an erasure of the person finds it.
  psid text,
  message_text text not null,
  edited_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index early_edits_person on early_edits (page_id, psid);
create index early_edits_created on early_edits (created_at);
