-- The people of a page that was removed, so that they find their client and their conversation when the page is connected
-- again. No id of the network and no name is stored.
create table former_identities (
  -- As in `erased_people`: an HMAC of page id and psid.
  person_hash text primary key,
  page_id text not null,
  client_id text references clients (id) on delete set null,
  -- The conversation that the identity belonged to; it may be gone.
  conversation_id text not null,
  -- Ids of the other identities of that conversation, and of those that came back since.
  members text[] not null
);
create index former_identities_conversation on former_identities (conversation_id);
create index former_identities_client on former_identities (client_id);
create index former_identities_page on former_identities (page_id);
