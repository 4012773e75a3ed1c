-- The filter by assignee and one page together. With the pages in the index, the matches are counted without reading the rows.
-- No index is added, and an entry grows by 20 bytes a page.
drop index conversations_of_assignee;
create index conversations_of_assignee on conversations (assigned_to, last_message_at desc nulls last, primary_user_id desc)
  include (page_ids) where assigned_to is not null;
