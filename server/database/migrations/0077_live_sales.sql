-- Live sales: a comment like "mine 3" claims a product of the sale by its number, and makes an order. The settings of the sale
-- are the document 'live-sale' of business_settings. -----------------------------------------------------------------------

create table live_sale_claims (
  -- A comment claims once, however often it is delivered.
  comment_id text collate "C" primary key references comments on delete cascade,
  post_id text collate "C" not null references posts on delete cascade,
  number integer not null,
  name text not null,
  quantity integer not null check (quantity > 0),
  -- In hundredths of the currency's unit, for one.
  price integer not null check (price >= 0),
  -- 'open': waits until the person is linked to a client. 'soldOut': came after the last piece.
  state text not null check (state in ('open', 'ordered', 'soldOut')),
  order_id text references orders on delete set null,
  created_at timestamptz not null
);
create index live_sale_claims_item on live_sale_claims (post_id, number) where state <> 'soldOut';
create index live_sale_claims_open on live_sale_claims (created_at) where state = 'open';
create index live_sale_claims_order on live_sale_claims (order_id) where order_id is not null;

alter table business_settings drop constraint business_settings_name_check;
alter table business_settings add constraint business_settings_name_check
  check (name in ('business-hours', 'assignment-rules', 'faq-matching', 'live-sale'));
