-- Tells open panes that clients, orders or payments changed. ------------------------------------------------------------

-- One row for each statement, so that an import of many orders announces few changes. Null: more clients than a row names.
create table client_changes (
  id bigint generated always as identity primary key,
  client_ids text[],
  created_at timestamptz not null default now()
);
create index client_changes_created on client_changes (created_at);
create trigger client_changes_announce after insert on client_changes referencing new table as added
  for each statement when (announces_changes()) execute function announce_inserted();

create function note_client_changes(ids text[]) returns void language sql as $$
  insert into client_changes (client_ids)
  select case when cardinality(ids) <= 100 then ids end where cardinality(ids) > 0
$$;

create function note_changed_clients() returns trigger language plpgsql as $$
begin
  perform note_client_changes(array(select distinct id from touched order by id));
  return null;
end $$;
create function note_changed_orders() returns trigger language plpgsql as $$
begin
  perform note_client_changes(array(select distinct client_id from touched order by client_id));
  return null;
end $$;
create function note_changed_payments() returns trigger language plpgsql as $$
begin
  perform note_client_changes(array(
    select distinct client_id from touched join orders on orders.id = touched.order_id order by client_id));
  return null;
end $$;

create trigger clients_note_update after update on clients referencing new table as touched
  for each statement execute function note_changed_clients();
create trigger orders_note after insert on orders referencing new table as touched
  for each statement execute function note_changed_orders();
create trigger orders_note_update after update on orders referencing new table as touched
  for each statement execute function note_changed_orders();
create trigger payments_note after insert on payments referencing new table as touched
  for each statement execute function note_changed_payments();
create trigger payments_note_update after update on payments referencing new table as touched
  for each statement execute function note_changed_payments();
