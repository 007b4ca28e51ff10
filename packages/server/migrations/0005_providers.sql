-- Who fulfils what: the providers an operator has connected, the routes to them, and how each node finds them.

-- owner: providers
-- One row: the version of connections and routes together. Nodes look at it every second.
create table provider_version (
  is_only boolean primary key default true check (is_only),
  version bigint not null
);
insert into provider_version (version) values (1);

-- owner: providers
create table provider_connections (
  code text collate "C" primary key check (code ~ '^[a-z0-9][a-z0-9_-]{0,39}$'),
  -- Which connector speaks to it.
  kind text collate "C" not null,
  name text not null,
  is_enabled boolean not null,
  -- As its connector reads it; secrets are named in it and stand in sealed_secrets.
  config jsonb not null,
  -- Name → value as JSON; bound to the code.
  sealed_secrets bytea,
  -- Name → when it was last set, so that they can be listed without being opened.
  secret_names jsonb not null default '{}',
  -- What goes before the connector's own: concurrency, rate_per_second, breaker.
  limits jsonb not null default '{}',
  -- Tell an operator when the money that we hold there falls below this.
  float_alert bigint check (float_alert >= 0),
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- owner: providers
-- A product with routes of its own uses these alone, whether they are enabled or not; '*' is for the others.
create table provider_routes (
  product_code text collate "C" not null,
  provider text collate "C" not null references provider_connections,
  priority integer not null check (priority between 1 and 1000),
  -- null: routes of this priority are taken by cost
  weight integer check (weight between 0 and 1000),
  -- What the provider charges: in 1/10,000 of the face value, or an amount per order; null: not known
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
-- What each node measured lately. It is worth nothing after a crash, and is written every few seconds.
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
