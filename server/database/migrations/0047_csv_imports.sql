-- Erased clients, and imports of CSV files. ------------------------------------------------------------------------------

-- Clients who were erased. `client_hash` is an HMAC of the external id, the e-mail address or the phone number with the
-- random key in `stored_keys`, so the row names nobody. An import does not store such a client again.
create table erased_clients (
  client_hash text primary key,
  erased_at timestamptz not null
);

create table csv_imports (
  -- Chosen by the browser, so that a retry begins one import.
  id text primary key,
  kind text not null check (kind in ('clients', 'orders', 'items', 'payments')),
  file_name text not null,
  -- The number of bytes of the file.
  bytes bigint not null,
  state text not null default 'uploading' check (state in
    ('uploading', 'reading', 'mapping', 'checking', 'checked', 'running', 'completed', 'failed', 'cancelled')),
  encoding text,
  separator text,
  -- The names in the header.
  columns jsonb not null default '[]',
  -- What each column means, and the formats of amounts and dates.
  mapping jsonb,
  -- The number of rows of the file without the header.
  rows integer not null default 0,
  -- The line of the last row that the current step has done.
  cursor integer not null default 0,
  done integer not null default 0,
  created integer not null default 0,
  changed integer not null default 0,
  unchanged integer not null default 0,
  refused integer not null default 0,
  waiting integer not null default 0,
  -- Why the import failed, for staff.
  error text,
  started_by text references staff on delete set null,
  -- Who asked for the current step, for the audit log.
  actor jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz
);
create index csv_imports_recent on csv_imports (created_at desc);
create index csv_imports_waiting on csv_imports (kind) where waiting > 0;

-- The file, until its rows are read. The processes share no disk.
create table csv_import_parts (
  import_id text not null references csv_imports on delete cascade,
  number integer not null,
  data bytea not null,
  primary key (import_id, number)
);

-- The rows of the file. A row that was stored is deleted.
create table csv_import_rows (
  import_id text not null references csv_imports on delete cascade,
  -- The header is line 1.
  line integer not null,
  cells jsonb not null,
  -- The external id, given by the file or derived. Of equal derived ids, the occurrence tells the rows apart.
  external_id text,
  occurrence integer not null default 1,
  outcome text check (outcome in ('created', 'changed', 'unchanged', 'refused', 'waiting')),
  reason text,
  primary key (import_id, line)
);
create index csv_import_rows_key on csv_import_rows (import_id, external_id, line) where external_id is not null;

-- The columns that staff chose for a kind the last time, by their names.
create table csv_mappings (
  kind text primary key,
  mapping jsonb not null
);

-- A permission to download an export once. The address of a download cannot carry the token of the session.
create table export_tickets (
  -- SHA-256 of the ticket.
  ticket_hash text primary key,
  session_id text not null references staff_sessions on delete cascade,
  request jsonb not null,
  expires_at timestamptz not null
);

-- An order names its client by e-mail address if the file has no other name of the client.
create index clients_email on clients (lower(email)) where email is not null;
