-- The products that the business sells, for new orders. -------------------------------------------------------------------

create table products (
  id text primary key default gen_random_uuid()::text,
  -- The code of the product, for example its SKU. A CSV import finds the product by it.
  external_id text unique,
  name text not null,
  -- In hundredths of the currency's unit.
  price integer not null check (price >= 0),
  -- A product that is not active is kept, and not offered for new orders.
  is_active boolean not null default true
);

alter table csv_imports drop constraint csv_imports_kind_check;
alter table csv_imports add constraint csv_imports_kind_check
  check (kind in ('clients', 'orders', 'items', 'payments', 'products'));
