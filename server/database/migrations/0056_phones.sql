-- Phone numbers in one form. -------------------------------------------------------------------------------------------

-- `phone_e164`: the number, null if the text is not one valid number. `phone_read` and `phone_country`: the text and the
-- country that it was read from. server/people/read-phones.ts reads a row whose text is another one, also after a write of the
-- previous release.
alter table clients
  add column phone_e164 text,
  add column phone_read text,
  add column phone_country text;
create index clients_phone on clients (phone_e164) where phone_e164 is not null;
create index clients_phone_unread on clients (id) where phone is distinct from phone_read;

-- The search for conversations finds a number in every notation: the digits of the number as it is written and in its one form.
create or replace function refresh_shown_names(ids text[]) returns void language plpgsql as $$
begin
  update conversations c set
    unified_name = identities.unified_name,
    page_ids = identities.page_ids,
    search_text = ' ' || search_form(concat_ws(' ', identities.names, client.first_name, client.last_name,
      client.company_name, client.email, client.phone, regexp_replace(client.phone, '[^0-9]', '', 'g'), client.phone_e164))
  from unnest(ids) as wanted (id)
  cross join lateral (
    select
      (array_agg(known.name order by known.rank) filter (where known.name is not null))[1] as unified_name,
      string_agg(known.name, ' ' order by known.rank) as names,
      array_agg(known.page_id order by known.rank) filter (where known.is_first_on_page) as page_ids
    from (
      select f.page_id,
        coalesce(f.name, nullif(concat_ws(' ', f.first_name, f.last_name), '')) as name,
        row_number() over (order by f.id <> wanted.id, f.created_at, f.id) as rank,
        row_number() over (partition by f.page_id order by f.id <> wanted.id, f.created_at, f.id) = 1 as is_first_on_page
      from fb_users f where f.primary_user_id = wanted.id
    ) known
  ) identities
  left join lateral (
    select clients.* from conversations linked join clients on clients.id = linked.client_id
    where linked.primary_user_id = wanted.id
  ) client on true
  where c.primary_user_id = wanted.id and identities.page_ids is not null;
end $$;

create trigger clients_phone_read after update of phone_e164 on clients
  for each row when (old.phone_read is distinct from new.phone_read)
  execute function client_changed();
