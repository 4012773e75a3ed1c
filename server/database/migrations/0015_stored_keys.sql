-- Random keys that must outlive a change of the server's secret, because what they made cannot be made again, such as the
-- hashes of `erased_people`. `sealed_key` is encrypted with the secret; `npm run rekey` encrypts it again.
create table stored_keys (
  purpose text primary key,
  sealed_key text not null
);
alter table stored_keys enable row level security;

comment on column erased_people.person_hash is 'An HMAC of page id and psid with the stored key "erased people".';
