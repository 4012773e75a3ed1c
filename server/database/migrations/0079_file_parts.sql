-- Large files that staff send arrive in parts, so that a lost connection loses one part.
alter table outgoing_files
  -- The file store's name of the upload in parts; null for a file that arrives whole.
  add column upload_id text,
  -- The size that the browser named before the first part.
  add column declared_bytes bigint;

create table outgoing_file_parts (
  storage_key text not null references outgoing_files (storage_key) on delete cascade,
  -- From 1.
  number integer not null check (number > 0),
  -- What the file store answered. It wants these back to join the parts.
  etag text not null,
  primary key (storage_key, number)
);
