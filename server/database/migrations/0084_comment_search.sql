-- Finding comments: by the name of the writer, by the text, and by page and post. The words of `searchPatterns` are looked for
-- after a space, because terms of one or two letters match at the beginning of a word only.
create index comment_threads_name_search on comment_threads
  using gin ((' ' || search_form(author_name)) gin_trgm_ops) where author_name is not null;
create index comments_text_search on comments
  using gin ((' ' || search_form(message)) gin_trgm_ops) where message is not null and not by_page;
create index comment_threads_page on comment_threads (page_id, last_at, id);
create index comment_threads_post on comment_threads (post_id, last_at, id);
