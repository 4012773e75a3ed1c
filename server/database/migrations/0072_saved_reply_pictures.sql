-- Pictures of saved replies: files that belong to a saved reply and to no staff member (`staff_id` is null), so nobody
-- can send or discard them. Each message gets a copy of its own.
alter table outgoing_files add column reply_id text references saved_replies;
-- The place among the pictures of the saved reply, from 0.
alter table outgoing_files add column reply_position integer;
create index outgoing_files_reply on outgoing_files (reply_id) where reply_id is not null;

-- The pictures of a deleted saved reply are deleted as files that were not sent.
create function forget_pictures_of_saved_reply() returns trigger language plpgsql as $$
begin
  update outgoing_files set reply_id = null, reply_position = null, expires_at = 'epoch' where reply_id = old.id;
  return old;
end $$;
create trigger saved_replies_forget_pictures before delete on saved_replies
  for each row execute function forget_pictures_of_saved_reply();
