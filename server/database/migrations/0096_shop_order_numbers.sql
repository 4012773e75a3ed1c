-- An order of a shop has the name of the shop before its number ('balay #1001'). Suggestions of clients find it by the number.
create index orders_shop_number on orders (upper(substring(order_number from ' #?([^ ]+)$'))) where order_number like '% %';
