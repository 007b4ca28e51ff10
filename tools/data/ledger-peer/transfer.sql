\set wallet random(:first, :last)
\set a random(0, 9223372036854775806)
\set b random(0, 9223372036854775806)
begin;
update accounts set balance = balance - 98000 where id = :wallet returning balance \gset
insert into transfers (reference) values (:a::text || '-' || :b::text) returning id \gset
insert into entries (transfer_id, account_id, amount, balance_after)
values (:id, :wallet, -98000, :balance), (:id, 1, 98000, null);
commit;
