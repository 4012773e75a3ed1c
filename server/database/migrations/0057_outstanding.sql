-- What each client owes, and the order of waiting conversations by it. -----------------------------------------------------

-- A status as it is compared: without the space around it (that of JavaScript's `trim`), in lower case.
create function compared_status(status text) returns text language sql immutable parallel safe as $$
  select lower(btrim(status, E' \t\n\u000b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff')
    collate "C")
$$;

-- What a client owes, in cents. The rule of `balanceOf` in src/domain/client/orders.ts, and the only place of it in SQL: which
-- orders count, which payments count, and that no order pays for another. At most the greatest safe integer of JavaScript.
create function outstanding_of(client text) returns bigint language sql stable as $$
  select least(coalesce(sum(greatest(0, o.total_amount - paid.amount)) * 100, 0), 9007199254740991)::bigint
  from orders o
  cross join lateral (
    select coalesce(sum(p.amount), 0) as amount from payments p
    where p.order_id = o.id and compared_status(p.status) in ('approved', 'completed')
  ) paid
  where o.client_id = client and compared_status(o.status) not in ('cancelled', 'rejected')
$$;

-- Kept by triggers, in cents. The column of a conversation is that of its client, so that an index can order by it.
alter table clients add column outstanding bigint not null default 0;
alter table conversations add column outstanding bigint not null default 0;

-- Only the amount changes: panes learn of that from orders and payments.
drop trigger clients_note_update on clients;
update clients set outstanding = outstanding_of(id) where id in (select client_id from orders);
update conversations c set outstanding = clients.outstanding
  from clients where clients.id = c.client_id and clients.outstanding <> 0;

-- The lock comes before the sum, so that of two payments at a time the later one counts both.
create function refresh_outstanding(ids text[]) returns void language plpgsql as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  perform from clients where id = any(ids) order by id for no key update;
  update clients c set outstanding = owed.cents
  from unnest(ids) as wanted (id) cross join lateral (select outstanding_of(wanted.id) as cents) owed
  where c.id = wanted.id and c.outstanding <> owed.cents;
end $$;

-- The items of an order do not change what is owed.
create function refresh_outstanding_of_orders() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    perform refresh_outstanding(array(
      select distinct either.client_id from before join after using (id)
      cross join lateral (values (before.client_id), (after.client_id)) either (client_id)
      where (before.client_id, before.status, before.total_amount)
        is distinct from (after.client_id, after.status, after.total_amount)
      order by either.client_id));
  else
    perform refresh_outstanding(array(select distinct client_id from touched order by client_id));
  end if;
  return null;
end $$;
create trigger orders_outstanding after insert on orders referencing new table as touched
  for each statement execute function refresh_outstanding_of_orders();
create trigger orders_outstanding_delete after delete on orders referencing old table as touched
  for each statement execute function refresh_outstanding_of_orders();
create trigger orders_outstanding_update after update on orders referencing old table as before new table as after
  for each statement execute function refresh_outstanding_of_orders();

-- Payments of a deleted order are found no more: the deletion of the order has refreshed its client.
create function refresh_outstanding_of_payments() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    perform refresh_outstanding(array(
      select distinct orders.client_id from before join after using (id)
      join orders on orders.id in (before.order_id, after.order_id)
      where (before.order_id, before.status, before.amount) is distinct from (after.order_id, after.status, after.amount)
      order by orders.client_id));
  else
    perform refresh_outstanding(array(
      select distinct orders.client_id from touched join orders on orders.id = touched.order_id
      order by orders.client_id));
  end if;
  return null;
end $$;
create trigger payments_outstanding after insert on payments referencing new table as touched
  for each statement execute function refresh_outstanding_of_payments();
create trigger payments_outstanding_delete after delete on payments referencing old table as touched
  for each statement execute function refresh_outstanding_of_payments();
create trigger payments_outstanding_update after update on payments referencing old table as before new table as after
  for each statement execute function refresh_outstanding_of_payments();

create function share_outstanding() returns trigger language plpgsql as $$
begin
  update conversations set outstanding = new.outstanding where client_id = new.id;
  return null;
end $$;
create trigger clients_share_outstanding after update of outstanding on clients
  for each row when (old.outstanding is distinct from new.outstanding) execute function share_outstanding();

-- The lock lets a change of the amount either be read here, or find the conversation.
create function take_outstanding() returns trigger language plpgsql as $$
begin
  select outstanding into new.outstanding from clients where id = new.client_id for share;
  new.outstanding := coalesce(new.outstanding, 0);
  return new;
end $$;
create trigger conversations_take_outstanding before insert or update of client_id on conversations
  for each row execute function take_outstanding();

-- The order of Waiting by urgency, most urgent first: the person's last message, at which the reply window begins, minus a
-- head start of two hours for each power of ten of the amount (`headStart` in src/domain/list/views.ts). Amounts are in cents.
create function urgency(last_incoming_at timestamptz, outstanding bigint) returns timestamptz
  language plpgsql immutable parallel safe as $$
begin
  return last_incoming_at - make_interval(secs => 7200 * log(1 + outstanding / 100.0::double precision));
end $$;
create index conversations_urgent on conversations (urgency(last_incoming_at, outstanding), primary_user_id)
  where waiting_since is not null and done_at is null and snoozed_at is null and muted_at is null;

-- Announcements: also the client that an order or a payment left. The amount alone is announced with the orders and payments.
create function note_updated_clients() returns trigger language plpgsql as $$
begin
  perform note_client_changes(array(
    select id from before join after using (id)
    where to_jsonb(before) - 'outstanding' is distinct from to_jsonb(after) - 'outstanding' order by id));
  return null;
end $$;
create trigger clients_note_update after update on clients referencing old table as before new table as after
  for each statement execute function note_updated_clients();

create function note_updated_orders() returns trigger language plpgsql as $$
begin
  perform note_client_changes(array(
    select client_id from before union select client_id from after order by client_id));
  return null;
end $$;
drop trigger orders_note_update on orders;
create trigger orders_note_update after update on orders referencing old table as before new table as after
  for each statement execute function note_updated_orders();

create function note_updated_payments() returns trigger language plpgsql as $$
begin
  perform note_client_changes(array(
    select distinct orders.client_id
    from (select order_id from before union select order_id from after) changed
    join orders on orders.id = changed.order_id order by orders.client_id));
  return null;
end $$;
drop trigger payments_note_update on payments;
create trigger payments_note_update after update on payments referencing old table as before new table as after
  for each statement execute function note_updated_payments();
