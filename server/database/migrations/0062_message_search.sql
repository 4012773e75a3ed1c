-- The search for the text of messages. ------------------------------------------------------------------------------------

-- The words of a text as they are searched: without case, accents and apostrophes. `lower` knows only ASCII where the locale is
-- C, as in the embedded database, so Greek, Cyrillic and Armenian letters are named. The separators are named too, because
-- classes of characters depend on the locale. src/domain/shell/search-words.ts does the same to mark what was found. The
-- limits keep the result below the size of a tsvector. One expression, because a query within the function would take ten times
-- as long.
create function search_words(value text) returns text[] language sql immutable parallel safe as $$
  select (string_to_array(btrim(regexp_replace(regexp_replace(
    search_form(translate(
      case when value ~ '[\u0370-\u058f\u1f00-\u1fff]' then translate(normalize(left(value, 20000), nfkd),
        'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
        'αβγδεζηθικλμνξοπρστυφχψωσђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ')
      else left(value, 20000) end, '''`‘’ʼ', '')),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f]+', ' ', 'g'),
    '([^ ]{64})[^ ]+', '\1', 'g')), ' '))[1:2000]
$$;

-- The last 10 digits of each number that may be a phone number, so that it is found in every notation.
create function phone_words(value text) returns text[] language sql immutable parallel safe as $$
  select array(
    select right(digits, 10)
    from regexp_matches(left(value, 20000), '[0-9][0-9 ().-]{5,20}[0-9]', 'g') as found (parts)
    cross join lateral (select regexp_replace(parts[1], '[^0-9]', '', 'g') as digits) number
    where length(digits) between 7 and 15
    limit 100
  )
$$;

create function message_words(value text) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(
    case when value ~ '[0-9][0-9 ().-]{5,}[0-9]' then search_words(value) || phone_words(value) else search_words(value) end)
$$;

-- All words must match, each as the beginning of a word. Null without words. A word contains no quotation mark, because these
-- are separators.
create function words_query(words text[]) returns tsquery language sql immutable parallel safe as $$
  select string_agg('''' || word || ''':*', ' & ')::tsquery from unnest(words) as word
$$;

-- A table of its own, because marking messages as read would write the index again. Messages without words have no row.
create table message_search (
  id bigint primary key references messages (id) on delete cascade,
  at timestamptz not null,
  words tsvector not null
);
create index message_search_recent on message_search (at desc, id desc);
create index message_search_words on message_search using gin (words);

create function index_inserted_messages() returns trigger language plpgsql as $$
begin
  insert into message_search (id, at, words)
    select id, timestamp_fb, words from (select id, timestamp_fb, message_words(message_text) as words from added) a
    where words <> '' order by id;
  return null;
end $$;
create trigger messages_index after insert on messages referencing new table as added
  for each statement execute function index_inserted_messages();

create function index_changed_message() returns trigger language plpgsql as $$
begin
  delete from message_search where id = new.id;
  insert into message_search (id, at, words)
    select new.id, new.timestamp_fb, words from (select message_words(new.message_text) as words) w where words <> ''
    on conflict (id) do update set at = excluded.at, words = excluded.words;
  return null;
end $$;
create trigger messages_index_update after update of message_text, timestamp_fb on messages
  for each row when (old.message_text is distinct from new.message_text or old.timestamp_fb <> new.timestamp_fb)
  execute function index_changed_message();

-- Messages stored before this migration: those with an id below `before` have no row yet. server/database/search-index.ts adds
-- them, newest first.
create table message_search_progress (before bigint not null);
insert into message_search_progress select coalesce(max(id) + 1, 0) from messages;

-- Order numbers.
create index orders_number_search on orders using gin (search_form(order_number) gin_trgm_ops);
