-- Authentication: nonces, limits by address, tokens, wrong guesses.

-- owner: auth
-- The digest is the first 16 bytes of SHA-256 over key id and nonce. The one index stays small, and a nonce of 128
-- characters costs no more than one of 16.
create table nonces (
  digest uuid primary key,
  -- The request that spent it. The same command, run again after a lost connection, recognises its own row by this.
  request_id uuid not null,
  used_at timestamptz not null
);
create index nonces_used_at on nonces (used_at);

-- owner: auth
-- Requests per address, in a window that begins with the first request of the address.
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
  -- null: this key signs. Otherwise it signs nothing any more, and verifies its signatures until this instant.
  retires_at timestamptz
);
create unique index token_keys_signing on token_keys ((true)) where retires_at is null;

-- owner: auth
create table refresh_tokens (
  reseller_id bigint not null references resellers,
  digest bytea not null constraint refresh_tokens_digest_key unique,
  user_id bigint not null,
  -- Copied into the claims of the access tokens.
  username text not null,
  -- The user's value when the password was checked. A token outlives no change of the password, not even a change that
  -- was under way at that moment.
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
-- Failed passwords by the name that was typed, whether the user exists or not, so that the limit reveals no names.
create table login_failures (
  username_digest bytea not null,
  -- The digest of a network, a known device or a session. Somebody who guesses is shut out at this place alone, so that
  -- strangers cannot keep the owner of a name out. null: no place was given; the failure counts for the name alone.
  place bytea,
  -- The place had proven itself before, so the failure does not count for the name over all places.
  is_known boolean not null default false,
  failed_at timestamptz not null default clock_timestamp()
);
create index login_failures_recent on login_failures (username_digest, failed_at);
create index login_failures_failed_at on login_failures (failed_at);

-- owner: auth
-- The times of each address's last admitted token requests, oldest first, at most as many as one second may hold. The
-- limit is exact over any second, not only over seconds of the clock.
create table token_request_counters (
  address inet primary key,
  recent timestamptz[] not null
);
