-- Clients that an unlinked conversation may belong to. -------------------------------------------------------------------

-- People with a name who are linked to a client, by the name as it is compared.
create index fb_users_linked_name on fb_users (search_form(name)) where client_id is not null and name is not null;

-- Suggestions that staff dismissed.
create table dismissed_suggestions (
  primary_user_id text collate "C" not null references conversations on delete cascade,
  client_id text not null references clients on delete cascade,
  primary key (primary_user_id, client_id)
);
create index dismissed_suggestions_client on dismissed_suggestions (client_id);
