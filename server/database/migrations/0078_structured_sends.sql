-- What a sent message has beside its text, for example the template and its values. Null for a text or a file alone.
alter table sends add column structured jsonb;

-- Quick replies or buttons below the text of a saved reply; null for none.
alter table saved_replies add column structure jsonb;
