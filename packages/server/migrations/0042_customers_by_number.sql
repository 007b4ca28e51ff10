-- no-transaction
-- The index of customers has the canonical number of an account, where there is one: a customer is found by any spelling.
create index concurrently if not exists payments_of_customer
  on payments (((id >> 52)::smallint), (coalesce(canonical_account, account)), (reseller_id + 0), id);
drop index concurrently if exists payments_customer;
