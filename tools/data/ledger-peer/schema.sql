-- Double-entry ledger as a team would write it first: accounts with a balance, transfers, and two entries for each. The
-- first account is the house; the others are wallets.
create table accounts (
  id bigint primary key,
  balance bigint not null,
  check (id = 1 or balance >= 0)
);

create table transfers (
  id bigint generated always as identity primary key,
  reference text not null unique,
  created_at timestamptz not null default now()
);

create table entries (
  transfer_id bigint not null references transfers,
  account_id bigint not null references accounts,
  amount bigint not null,
  balance_after bigint,
  primary key (transfer_id, account_id)
);
create index entries_of_account on entries (account_id, transfer_id);
