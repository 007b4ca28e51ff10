-- The hash chain over the ledger: its key, its hashes, and how far it has come.

-- owner: wallet
-- Random, made once and sealed by the vault, so that changing master or data keys leaves the chain as it is.
-- Whoever has the database without the master key can read no key here, and can put none here that opens.
create table chain_keys (
  singleton boolean primary key default true check (singleton),
  sealed_key bytea not null,
  created_at timestamptz not null default now()
);

-- owner: wallet
-- Up to which entry a wallet is chained. Whoever chains holds the row's lock. No foreign key: its check would lock
-- the wallet's row, and payments would wait for it.
create table chain_heads (
  reseller_id bigint primary key,
  sequence bigint not null check (sequence >= 0),
  hash bytea not null,
  chained_at timestamptz not null
) with (fillfactor = 50);

create function chain_is_immutable() returns trigger language plpgsql as $$
begin
  raise exception 'hashes of the ledger are immutable';
end $$;
create trigger transfer_chain_immutable before update or delete or truncate on transfer_chain
  for each statement execute function chain_is_immutable();

-- Entries have no foreign key to their wallet: this keeps it there for them.
create function wallets_are_kept() returns trigger language plpgsql as $$
begin
  raise exception 'wallets are kept: their entries are immutable';
end $$;
create trigger wallets_kept before delete or truncate on wallets
  for each statement execute function wallets_are_kept();

alter table transfers add constraint transfers_reference_check check (length(reference) between 1 and 100);
