-- Copies of the files that customers send: the network's addresses expire. One row for each attachment of an incoming
-- message, written with the message. The file itself is in a folder or in an S3 bucket, under `storage_key`.
create table stored_files (
  id bigint generated always as identity primary key,
  -- Null: the message was deleted, and the file must be deleted before the row. The database sets it, so every way to
  -- delete a message (erasing a person, deleting a page, retention, unsending) deletes the files too.
  message_id text collate "C" references messages on delete set null,
  -- The index in the message's attachments, which hold name, kind and address.
  position integer not null,
  -- SHA-256 of the network's address. Finds the copy for a request.
  source_hash text not null,
  -- Random. Known before the file is written, so that no crash leaves a file without a row.
  storage_key text not null unique,
  --   waiting: to be downloaded    stored: the copy exists
  --   refused: not allowed (see `fault`)    failed: given up after days
  state text not null default 'waiting' check (state in ('waiting', 'stored', 'refused', 'failed')),
  -- The reason of the last failed try.
  fault text,
  content_type text,
  bytes bigint,
  sha256 text,
  attempts integer not null default 0,
  due_at timestamptz not null,
  -- Until then one process works on the file. After its death another one continues.
  leased_until timestamptz,
  created_at timestamptz not null,
  stored_at timestamptz,
  unique (message_id, position)
);
create index stored_files_source on stored_files (source_hash);
create index stored_files_due on stored_files (due_at) where state = 'waiting' and message_id is not null;
create index stored_files_to_delete on stored_files (id) where message_id is null;
