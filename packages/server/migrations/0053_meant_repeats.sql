-- True: the customer was shown that an earlier payment is the same as one of the basket, and wants it again.
alter table orders add column allows_repeats boolean not null default false;
