-- What the check of a file found out about a row. ------------------------------------------------------------------------

-- `target`: what a row of the file changes alone: the id of a stored client, the number of an order, or, of an item, the id
-- of its order. `part`: the id of the item within its order. `joins`: the id of the client without an external id that the
-- row becomes.
alter table csv_import_rows
  add column target text,
  add column part text,
  add column joins text;
create index csv_import_rows_target on csv_import_rows (import_id, target, part) where target is not null;
