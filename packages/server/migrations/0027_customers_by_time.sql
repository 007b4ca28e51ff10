-- no-transaction
-- The index of customers begins with a stretch of time. An id begins with its millisecond, so `id >> 52` is the same for
-- 49.7 days, and new payments are entered among those of their own stretch: the pages that are written stay as many as
-- one stretch needs, however many years lie before it. A customer's payments are looked up once for each stretch. The
-- index before was written at any place, because any customer may pay again.
-- The reseller is an expression, and statements that look for a customer write it so: the primary key cannot serve them.
-- Plans are kept, and one that was made while the table was empty could otherwise read all payments of the reseller.
create index concurrently if not exists payments_customer
  on payments (((id >> 52)::smallint), account, (reseller_id + 0), id);
drop index concurrently if exists payments_account;
