-- The ledger: wallets, their entries and the hash chain over them. Amounts are integers of 1/10,000 ringgit.

-- owner: wallet
create table wallets (
  reseller_id bigint primary key references resellers,
  balance bigint not null default 0 check (balance >= 0),
  -- The number of the last entry. Entries have no gaps.
  sequence bigint not null default 0,
  -- No entry is dated before this instant, even if the clock was set back or a failover led to another server's clock.
  last_entry_at timestamptz not null default '-infinity'
) with (fillfactor = 50);

-- owner: wallet
-- Double entry: each row moves `amount` between the wallet and one house account. Rows are never changed or deleted,
-- only corrected by another row. There is no foreign key to the wallet, because its check would cost more than the
-- entry: post_entries refuses an entry without a wallet.
create table transfers (
  reseller_id bigint not null,
  sequence bigint not null check (sequence > 0),
  kind text not null constraint transfers_kind_check
    check (kind in ('deposit', 'adjustment', 'commission', 'payment', 'refund')),
  house_account text not null constraint transfers_house_account_check
    check (house_account in ('bank', 'adjustments', 'commissions', 'provider_clearing')),
  amount bigint not null check (amount <> 0),
  balance_after bigint not null check (balance_after >= 0),
  payment_id bigint,
  -- The caller's own name for a deposit or adjustment. Two requests with one reference are one entry.
  reference text constraint transfers_reference_check check (length(reference) between 1 and 100),
  remarks text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (reseller_id, sequence)
);
create unique index transfers_reference on transfers (reseller_id, reference) where reference is not null;
-- Finds the entries of a year's statement that are no payments. Payments themselves pay nothing for it.
create index transfers_others on transfers (reseller_id, sequence) include (kind, amount) where kind <> 'payment';
-- The last guard: no payment is refunded twice, whatever goes wrong above the database.
create unique index transfers_one_refund on transfers (reseller_id, payment_id) where kind = 'refund';

-- owner: wallet
-- The hash chain over each wallet's entries, computed behind them. The hashes are keyed: somebody who can write the
-- database but has no master key cannot make a chain that verifies.
create table transfer_chain (
  reseller_id bigint not null,
  sequence bigint not null,
  hash bytea not null,
  primary key (reseller_id, sequence)
);

-- owner: wallet
-- The key of the chain: random, created once and sealed by the vault. A change of master or data keys leaves the chain
-- as it is. Without the master key nobody can read it, or put another one here that opens.
create table chain_keys (
  singleton boolean primary key default true check (singleton),
  sealed_key bytea not null,
  created_at timestamptz not null default now()
);

-- owner: wallet
-- The entry up to which each wallet is chained. The chaining job holds the lock of the row. There is no foreign key:
-- its check would lock the row of the wallet, and payments would wait for it.
create table chain_heads (
  reseller_id bigint primary key,
  sequence bigint not null check (sequence >= 0),
  hash bytea not null,
  chained_at timestamptz not null
) with (fillfactor = 50);

-- owner: wallet
create table balance_thresholds (
  reseller_id bigint not null references resellers,
  amount bigint not null check (amount > 0),
  updated_at timestamptz not null default now(),
  primary key (reseller_id, amount)
);
