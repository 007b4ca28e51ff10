-- Who may call, how they prove it, and what they hold. Every tenant table's primary key begins with the
-- reseller, so that a distributed PostgreSQL can place rows by reseller.

-- owner: db
-- Data keys encrypt what must not lie readable (signing secrets, later PINs and identity numbers). They are
-- wrapped by the master key, so that changing the master key rewrites a handful of rows, not every secret.
create table data_keys (
  id integer generated always as identity primary key,
  wrapped bytea not null,
  master_key_id text not null,
  created_at timestamptz not null default now()
);

-- owner: accounts
-- One row. Every change to what the directory shows takes the next number while holding this row's lock, so
-- numbers become visible in order and a reader that asks for "greater than the last" misses nothing.
create table directory_version (
  singleton boolean primary key default true check (singleton),
  version bigint not null
);
insert into directory_version (version) values (0);

-- owner: accounts
create table resellers (
  id bigint generated always as identity primary key,
  account text not null constraint resellers_account_key unique check (account ~ '^[0-9]{4,20}$'),
  name text not null check (length(name) between 1 and 200),
  email text not null check (length(email) between 3 and 254),
  price_level text not null check (price_level ~ '^[A-Z0-9_]{1,40}$'),
  access smallint not null default 0 check (access in (0, 50)),
  status text not null default 'active' check (status in ('active', 'suspended')),
  topup_requires_api_key boolean not null default false,
  -- Made by the demo seed: production lets nobody in through it.
  demo boolean not null default false,
  version bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index resellers_version on resellers (version);

-- owner: accounts
create table users (
  reseller_id bigint not null references resellers,
  id bigint generated always as identity,
  username text not null constraint users_username_key unique check (username = lower(username)),
  email text not null check (length(email) between 3 and 254),
  password_hash text not null,
  -- What was given out before this instant (refresh tokens) no longer counts.
  password_changed_at timestamptz not null default now(),
  role text not null check (role in ('admin', 'viewer')),
  status text not null default 'active' check (status in ('active', 'disabled')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (reseller_id, id)
);

-- owner: accounts
create table operators (
  id bigint generated always as identity primary key,
  email text not null constraint operators_email_key unique check (email = lower(email)),
  name text not null,
  password_hash text not null,
  password_changed_at timestamptz not null default now(),
  role text not null check (role in ('admin', 'finance', 'support', 'catalogue', 'read_only')),
  status text not null default 'active' check (status in ('active', 'disabled')),
  demo boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- owner: accounts
create table api_keys (
  reseller_id bigint not null references resellers,
  id bigint generated always as identity,
  key text not null constraint api_keys_key_key unique,
  label text not null default '',
  scopes text[] not null,
  -- Sealed by db/vault with the record's own data; null: a key without a signing secret.
  sealed_secret bytea,
  -- The end of a rotation's grace period; the key stops at this instant by the database's clock.
  expires_at timestamptz,
  revoked_at timestamptz,
  replaces bigint,
  created_at timestamptz not null default now(),
  primary key (reseller_id, id),
  foreign key (reseller_id, replaces) references api_keys (reseller_id, id)
);

-- owner: accounts
create table ip_allowlist (
  reseller_id bigint not null references resellers,
  network cidr not null,
  label text not null default '',
  created_at timestamptz not null default now(),
  primary key (reseller_id, network)
);

-- owner: auth
-- digest: the first 16 bytes of SHA-256 over key id and nonce, so that the one index stays small and a
-- nonce of 128 characters costs no more than one of 16.
create table nonces (
  digest uuid primary key,
  -- The request that spent it: the same command run again after a lost connection does not meet itself.
  request_id uuid not null,
  used_at timestamptz not null
);
create index nonces_used_at on nonces (used_at);

-- owner: auth
-- Requests counted per address, in a window that begins with the address's first request.
create table address_counters (
  address inet primary key,
  window_started_at timestamptz not null,
  requests bigint not null
);

-- owner: auth
create table address_blocks (
  address inet primary key,
  blocked_at timestamptz not null,
  blocked_until timestamptz not null,
  requests bigint not null
);

-- owner: auth
create table token_keys (
  kid text primary key,
  public_jwk jsonb not null,
  sealed_private_jwk bytea not null,
  created_at timestamptz not null default now(),
  -- null: the key that signs. Else it signs nothing any more, and verifies what it signed until this instant.
  retires_at timestamptz
);
create unique index token_keys_signing on token_keys ((true)) where retires_at is null;

-- owner: auth
create table refresh_tokens (
  reseller_id bigint not null references resellers,
  digest bytea not null constraint refresh_tokens_digest_key unique,
  user_id bigint not null,
  -- As the claims of the tokens it gives carry it.
  username text not null,
  -- The user's when the password was checked: a token outlives no change of password, not even one under way
  -- at that moment.
  password_changed_at timestamptz not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (reseller_id, digest),
  foreign key (reseller_id, user_id) references users (reseller_id, id)
);
create index refresh_tokens_user on refresh_tokens (reseller_id, user_id) where revoked_at is null;
create index refresh_tokens_expires_at on refresh_tokens (expires_at);

-- owner: auth
-- Failed passwords by what was typed, known user or not, so that the limit tells nobody which names exist.
create table login_failures (
  username_digest bytea not null,
  failed_at timestamptz not null default clock_timestamp()
);
create index login_failures_recent on login_failures (username_digest, failed_at);
create index login_failures_failed_at on login_failures (failed_at);

-- owner: auth
-- When each address's last admitted token requests came, oldest first and never more than one second may
-- hold: the limit is exact over any second, not over the clock's.
create table token_request_counters (
  address inet primary key,
  recent timestamptz[] not null
);

-- owner: wallet
-- Amounts are integers of 1/10,000 ringgit.
create table wallets (
  reseller_id bigint primary key references resellers,
  balance bigint not null default 0 check (balance >= 0),
  -- Number of the last entry; entries have no gaps.
  sequence bigint not null default 0
);

-- A reseller without a wallet cannot exist, whoever creates it.
create function open_wallet() returns trigger language plpgsql as $$
begin
  insert into wallets (reseller_id) values (new.id);
  return null;
end $$;
create trigger resellers_open_wallet after insert on resellers for each row execute function open_wallet();

-- owner: wallet
-- Double entry: each row moves `amount` between the wallet and one house account. Never changed, never
-- deleted, corrected only by another row.
create table transfers (
  reseller_id bigint not null references wallets,
  sequence bigint not null check (sequence > 0),
  kind text not null check (kind in ('deposit', 'adjustment')),
  house_account text not null check (house_account in ('bank', 'adjustments')),
  amount bigint not null check (amount <> 0),
  balance_after bigint not null check (balance_after >= 0),
  remarks text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (reseller_id, sequence)
);
create function transfers_are_immutable() returns trigger language plpgsql as $$
begin
  raise exception 'transfers are immutable: correct one by another';
end $$;
create trigger transfers_immutable before update or delete or truncate on transfers
  for each statement execute function transfers_are_immutable();
