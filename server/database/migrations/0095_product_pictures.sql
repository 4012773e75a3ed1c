-- Where the card of a product gets its picture, and the page that it opens.
alter table products
  add column picture_url text check (length(picture_url) between 1 and 2000),
  add column link_url text check (length(link_url) between 1 and 2000);
