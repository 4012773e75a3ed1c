-- Retries of waiting rows and of assignments, and changes that tell open panes of deletions. ------------------------------

-- Whether a client or an order was stored since the last run of the import tried its waiting rows.
-- `waiting_before`: the rows that waited before the last retry; null in the first run.
alter table csv_imports add column retries_waiting boolean not null default false, add column waiting_before integer;

-- The failed attempts of a due assignment, and when the next one may begin. Null: at once.
alter table due_assignments add column attempts integer not null default 0, add column retry_at timestamptz;

create trigger clients_note_delete after delete on clients referencing old table as touched
  for each statement execute function note_changed_clients();
create trigger orders_note_delete after delete on orders referencing old table as touched
  for each statement execute function note_changed_orders();
create trigger payments_note_delete after delete on payments referencing old table as touched
  for each statement execute function note_changed_payments();
