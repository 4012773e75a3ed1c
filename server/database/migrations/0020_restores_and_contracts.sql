-- One row for each restore of a backup. What happened between the backup and the restore is unknown here, so no
-- automatic answer is sent to a message that is older than the last restore.
create table restores (
  restored_at timestamptz primary key default now()
);

-- Whether releases that do not know the migration must not run on this schema (CONTRIBUTING.md, "A change to the database").
alter table applied_migrations add column is_contracting boolean not null default false;
