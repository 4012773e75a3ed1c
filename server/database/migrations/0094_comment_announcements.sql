-- Threads of comments are announced as their statement inserts or deletes them, and a task that deletes many can be silent.
drop trigger comment_threads_announce on comment_threads;
create trigger comment_threads_announce after insert on comment_threads referencing new table as added
  for each statement when (announces_changes()) execute function announce_inserted();
drop trigger comment_threads_announce_delete on comment_threads;
create trigger comment_threads_announce_delete after delete on comment_threads referencing old table as removed
  for each statement when (announces_changes()) execute function announce_deleted();
drop trigger comment_threads_announce_update on comment_threads;
create trigger comment_threads_announce_update after update on comment_threads
  for each row when (announces_changes() and old is distinct from new) execute function announce_change();
