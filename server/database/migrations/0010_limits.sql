-- Limits of attempts, for all processes. A key is a hash, because people type passwords into the wrong field.
create table attempts (
  key text primary key,
  count integer not null,
  -- The end of the window that began with the first attempt. Then the count starts again.
  expires_at timestamptz not null
);
create index attempts_expiry on attempts (expires_at);

-- Hashes of an address and an e-mail that signed in from it. Wrong passwords from elsewhere do not lock them out.
create table known_sources (
  key text primary key,
  expires_at timestamptz not null
);
create index known_sources_expiry on known_sources (expires_at);
