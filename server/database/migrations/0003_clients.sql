-- What the search for clients looks in: their names, e-mail, company and phone, the phone once more as digits alone.
alter table clients add column search_text text not null generated always as (
  ' ' || search_form(
    first_name || ' ' || last_name || ' ' || coalesce(company_name, '') || ' ' || coalesce(email, '') || ' ' ||
    coalesce(phone, '') || ' ' || regexp_replace(coalesce(phone, ''), '[^0-9]', '', 'g')
  )
) stored;
create index clients_search on clients using gin (search_text gin_trgm_ops);

-- The orders of the whole business by each order that can be asked for.
create index orders_recent on orders (created_at desc, id desc);
