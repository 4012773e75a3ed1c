-- Whether the person must choose a new password before the sign-in completes: an administrator set a one-time password.
alter table auth_users add column must_change_password boolean not null default false;

-- The newest link for a new password, one row for each account. Only the hash of its token is stored.
create table password_resets (
  user_id text primary key references auth_users on delete cascade,
  token_hash text not null unique,
  expires_at timestamptz not null
);
