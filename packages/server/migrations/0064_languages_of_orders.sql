-- The checkout speaks Indonesian, Simplified Chinese and Tamil, too. Nodes of the version before send the first two.
alter table orders drop constraint orders_language_check;
alter table orders add constraint orders_language_check
  check (language in ('en', 'ms', 'id', 'zh', 'ta'));
