-- Payments that staff record from a receipt. -------------------------------------------------------------------------------

-- `method` is null for payments of another program. `reference_key`: the reference in the form in which it is compared.
-- `source_message_id`: the message with the receipt.
alter table payments
  add column method text check (method in ('gcash', 'maya', 'bank', 'cash')),
  add column reference text,
  add column reference_key text,
  add column source_message_id text references messages on delete set null,
  add column recorded_by text references staff on delete set null,
  add column decided_by text references staff on delete set null,
  add column decided_at timestamptz;
create index payments_reference on payments (method, reference_key) where reference_key is not null;
create index payments_source on payments (source_message_id) where source_message_id is not null;
