-- When an event of Web Push happened. An event that waited too long, for example while the server was down, is dropped.
alter table due_pushes add column created_at timestamptz not null default now();
