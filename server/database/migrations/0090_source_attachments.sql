-- The attachment of the message that an order or a payment came from. ----------------------------------------------------

-- Its place among the attachments of `source_message_id`, from 0. Null: the whole message.
alter table orders add column source_attachment integer;
alter table payments add column source_attachment integer;
