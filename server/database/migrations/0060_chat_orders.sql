-- Orders that staff make from a conversation. ------------------------------------------------------------------------------

-- The amounts are null for orders of another program. `source_message_id`: the message that the order came from.
alter table orders
  add column discount numeric(14, 2),
  add column delivery_fee numeric(14, 2),
  add column source_message_id text references messages on delete set null,
  add column created_by text references staff on delete set null;
create index orders_source on orders (source_message_id) where source_message_id is not null;

-- The numbers of orders that are made here.
create sequence order_numbers;
