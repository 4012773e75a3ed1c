-- The threads of a person, for the comments of a conversation and for an erasure.
create index comment_threads_author on comment_threads (page_id, author_id);
