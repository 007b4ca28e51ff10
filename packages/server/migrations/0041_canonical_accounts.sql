-- Canonical number of an account that is a telephone number and was written otherwise. null: the account is as it was
-- sent. So `coalesce(canonical_account, account)` is the customer, however the number was written.
alter table payments add column canonical_account text collate "C";
