-- The language of the summaries that a client gets. Null: none was chosen.
alter table clients add column language text check (language in ('en', 'fil'));
