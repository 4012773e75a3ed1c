-- The TOTP factor of a staff member. It counts once it is confirmed.
create table second_factors (
  staff_id text primary key references staff on delete cascade,
  secret_encrypted text not null,
  confirmed_at timestamptz,
  -- The time step of the newest accepted code. A code of this step or an earlier one is refused.
  last_step integer,
  created_at timestamptz not null default now()
);

create table recovery_codes (
  staff_id text not null references second_factors on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  primary key (staff_id, code_hash)
);

-- Provider sessions whose person has entered a code.
create table second_factor_sessions (
  provider_session_id text primary key,
  staff_id text not null references second_factors on delete cascade,
  passed_at timestamptz not null
);
