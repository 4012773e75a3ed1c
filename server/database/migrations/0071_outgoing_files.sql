-- Files that staff send. The file itself is in the file store under `storage_key`, as those of customers (0022).
create table outgoing_files (
  -- Chosen by the browser, so that a repeated upload stores the file once.
  id text primary key,
  -- Only this person may send the file.
  staff_id text,
  -- Random. Known before the file is written, so that no crash leaves a file without a row.
  storage_key text not null unique,
  name text,
  -- How the network is told to show it. Null, as the next three: not uploaded completely.
  kind text check (kind in ('image', 'video', 'audio', 'file')),
  content_type text,
  bytes bigint,
  sha256 text,
  created_at timestamptz not null,
  -- After that the file is deleted, then the row. A sent file moves to `stored_files` with its message before.
  expires_at timestamptz not null,
  -- Until then one process deletes the file.
  leased_until timestamptz
);
create index outgoing_files_staff on outgoing_files (staff_id, expires_at);
create index outgoing_files_to_delete on outgoing_files (expires_at);

-- The file that a send has instead of a text. Kept without the row, so that a late retry with the key can be compared.
alter table sends add column file_id text;
alter table sends add column file_kind text check (file_kind in ('image', 'video', 'audio', 'file'));
