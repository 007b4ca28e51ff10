-- Providers: the connections that an operator has made, the routes to them, the money that they hold of ours, and the
-- stock of PINs and links that we sell ourselves.

-- owner: providers
-- One row: the version of connections and routes together. Nodes read it every second.
create table provider_version (
  is_only boolean primary key default true check (is_only),
  version bigint not null
);
insert into provider_version (version) values (1);

-- owner: providers
create table provider_connections (
  code text collate "C" primary key check (code ~ '^[a-z0-9][a-z0-9_-]{0,39}$'),
  -- The connector that speaks to it.
  kind text collate "C" not null,
  name text not null,
  is_enabled boolean not null,
  -- In the form that its connector reads. Secrets are named here, and their values stand in sealed_secrets.
  config jsonb not null,
  -- Name → value as JSON; bound to the code.
  sealed_secrets bytea,
  -- Name → when it was last set, so that secrets can be listed without being opened.
  secret_names jsonb not null default '{}',
  -- Override the connector's own limits: concurrency, rate_per_second, breaker.
  limits jsonb not null default '{}',
  -- An operator is alerted when our money there falls below this.
  float_alert bigint check (float_alert >= 0),
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- owner: providers
-- A product with routes of its own uses these alone, whether they are enabled or not. '*' is for all other products.
create table provider_routes (
  product_code text collate "C" not null,
  provider text collate "C" not null references provider_connections,
  priority integer not null check (priority between 1 and 1000),
  -- null: routes of this priority are chosen by cost
  weight integer check (weight between 0 and 1000),
  -- The provider's charge: 1/10,000 of the face value, or an amount per order. null: not known
  cost_kind text check (cost_kind in ('percentage', 'fixed')),
  cost_value bigint check (cost_value >= 0),
  -- [{ days, from, to }] by GMT+8; empty: always
  windows jsonb not null default '[]',
  is_enabled boolean not null,
  updated_at timestamptz not null,
  primary key (product_code, provider),
  check ((cost_kind is null) = (cost_value is null))
);
create index provider_routes_provider on provider_routes (provider);

-- owner: providers
-- Each node's recent measurements, written every few seconds. They are worth nothing after a crash.
create unlogged table provider_health (
  provider text collate "C" not null,
  node text collate "C" not null,
  state text not null check (state in ('closed', 'open', 'half_open')),
  orders integer not null,
  answered integer not null,
  timeouts integer not null,
  not_acted integer not null,
  p50_ms integer,
  p95_ms integer,
  at timestamptz not null,
  primary key (provider, node)
);

-- owner: providers
-- The amount of our money that a provider last reported, and the turn to ask for it.
create table provider_floats (
  provider text collate "C" primary key,
  -- null: the provider never reported one
  amount bigint,
  read_at timestamptz,
  -- Since when the provider gives no answer, and the latest reason.
  failing_since timestamptz,
  trouble text,
  -- Nobody asks before this instant, so that one node asks at a time.
  next_at timestamptz not null
);

-- owner: providers
-- Readings of the last days, from which the rate of trading is computed.
create table provider_float_readings (
  provider text collate "C" not null,
  at timestamptz not null,
  amount bigint not null,
  primary key (provider, at)
);

-- owner: providers
-- The key of the stock's fingerprints: random, created once and sealed by the vault. Without the master key nobody can
-- find out by trying which PINs are in the database.
create table stock_keys (
  singleton boolean primary key default true check (singleton),
  sealed_key bytea not null,
  created_at timestamptz not null default now()
);

-- owner: providers
-- One file that was loaded, all of it or nothing, with its withdrawal if there was one.
create table stock_batches (
  id bigint generated always as identity primary key,
  product_code text collate "C" not null,
  -- null: the file gives it line by line
  denomination bigint check (denomination > 0),
  file_name text not null,
  items integer not null check (items > 0),
  loaded_by text not null,
  loaded_at timestamptz not null default now(),
  withdrawn_by text,
  withdrawn_reason text,
  withdrawn_at timestamptz,
  check (num_nonnulls(withdrawn_by, withdrawn_reason, withdrawn_at) in (0, 3))
);

-- owner: providers
-- PINs and links, sold one by one. An item is bound to its payment in the commit that takes the payment, and that is
-- its sale: whatever becomes of the payment, an item that may have been shown to somebody is never free again.
-- Payments touch the stock through reserve_stock, bind_stock and spend_stock alone. The key does not begin with a
-- reseller, because an item belongs to nobody until it is sold.
create table stock_items (
  id bigint generated always as identity primary key,
  batch_id bigint not null references stock_batches,
  product_code text collate "C" not null,
  -- The amount that a payment names.
  denomination bigint not null check (denomination > 0),
  -- PIN, serial number and link; bound to the fingerprint
  sealed bytea not null,
  -- Of the PIN, or of the link if there is no PIN. Nothing is ever loaded twice.
  fingerprint bytea not null constraint stock_items_fingerprint unique,
  -- The last day of its use. It is never null, so that expired items are a range of the index.
  expiry date not null default 'infinity',
  -- The sale. null: the item is free.
  reseller_id bigint,
  payment_id bigint,
  bound_at timestamptz,
  -- The payment failed or was voided: its money went back, and the item is gone all the same.
  spent_at timestamptz,
  withdrawn_at timestamptz,
  check (num_nonnulls(reseller_id, payment_id, bound_at) in (0, 3)),
  check (payment_id is not null or spent_at is null),
  check (payment_id is null or withdrawn_at is null)
  -- Vacuumed early: sold items stay in the way to free ones until they are swept out of the index.
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- The next item to sell is the first of its product and denomination that has not expired. Sold and withdrawn items are
-- not in the index: it is as small as the free stock, even with a million items of which most are sold.
create index stock_items_free on stock_items (product_code, denomination, expiry, id)
  where payment_id is null and withdrawn_at is null;
-- The last guard: a payment has one item, whatever goes wrong above the database.
create unique index stock_items_payment on stock_items (payment_id) where payment_id is not null;

-- owner: providers
-- An operator is alerted when fewer items than this are free.
create table stock_levels (
  product_code text collate "C" not null,
  denomination bigint not null check (denomination > 0),
  items_min integer not null check (items_min > 0),
  primary key (product_code, denomination)
);
