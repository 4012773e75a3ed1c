-- The filter of the conversation list by assignee, in the views All and Done. The other views have indexes of their own. -----

create index conversations_of_assignee on conversations (assigned_to, last_message_at desc nulls last, primary_user_id desc)
  where assigned_to is not null;
create index conversations_done_of_assignee on conversations (assigned_to, done_at desc, primary_user_id desc)
  where done_at is not null;
