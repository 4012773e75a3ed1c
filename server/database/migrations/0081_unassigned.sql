-- The view of the unassigned. `assigned_to is null` gives the planner no order within `conversations_assigned`.
create index conversations_unassigned on conversations (last_message_at desc nulls last, primary_user_id desc)
  where assigned_to is null and done_at is null and snoozed_at is null and muted_at is null;
