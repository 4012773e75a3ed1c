-- Logins at the network that connect pages (Facebook Login for Business). A row is usable for ten minutes, by the session
-- that began the login. The verifier of PKCE and the pages with their tokens are encrypted.
create table facebook_logins (
  state_hash text primary key,
  session_id text not null references staff_sessions on delete cascade,
  verifier_encrypted text not null,
  redirect_uri text not null,
  expires_at timestamptz not null,
  -- The code of a login is accepted once.
  used_at timestamptz,
  pages_encrypted text
);
create index facebook_logins_session on facebook_logins (session_id);
create index facebook_logins_expiry on facebook_logins (expires_at);
alter table facebook_logins enable row level security;
