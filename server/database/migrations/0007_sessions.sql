-- Whether somebody with a legacy password is to set a new one before they may sign in; without it the old one still does.
alter table staff add column needs_migration boolean not null default true;

-- The token that a refresh token was given for, and whether that one was asked for again because this one never arrived.
alter table refresh_tokens add column parent_hash text;
alter table refresh_tokens add column is_superseded boolean not null default false;
create index refresh_tokens_parent on refresh_tokens (parent_hash);
create index refresh_tokens_expiry on refresh_tokens (expires_at);

create index auth_sessions_user on auth_sessions (user_id);
create index staff_sessions_staff on staff_sessions (staff_id);
