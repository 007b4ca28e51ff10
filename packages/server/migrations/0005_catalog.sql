-- The catalogue: what can be sold, to whom, at what price. Rows of the base are deactivated, never deleted, so that a
-- node can follow it by reading all rows with a version greater than its last one.

-- owner: catalog
-- One row, locked first by every writer: versions become visible in order, and writers cannot deadlock.
create table catalog_version (
  singleton boolean primary key default true check (singleton),
  version bigint not null,
  -- The last change to groups, categories or products. Options and prices do not move it.
  structure_updated_at timestamptz not null
);
insert into catalog_version (version, structure_updated_at) values (0, now());

-- owner: catalog
create table catalog_groups (
  code text primary key,
  name text not null,
  icon_url text not null,
  display_order integer not null,
  is_active boolean not null,
  version bigint not null
);

-- owner: catalog
create table catalog_categories (
  code text primary key,
  group_code text not null references catalog_groups,
  name text not null,
  icon_url text not null,
  display_order integer not null,
  is_active boolean not null,
  version bigint not null
);

-- owner: catalog
create table catalog_products (
  code text primary key,
  category_code text not null references catalog_categories,
  kind text not null,
  name text not null,
  note text,
  image_url text not null,
  processing_time text not null check (processing_time in ('instant', '24_hours', '3_days', 'link', 'pin')),
  display_order integer not null,
  is_active boolean not null,
  is_hidden boolean not null,
  is_restricted boolean not null,
  is_refundable boolean not null,
  denomination text,
  denomination_currency text,
  -- 1/100,000,000 ringgit per denomination unit
  denomination_unit_price bigint not null check (denomination_unit_price > 0),
  fields jsonb not null,
  fulfillment jsonb not null,
  min_amount bigint,
  max_amount bigint,
  legacy jsonb not null,
  version bigint not null
);

-- owner: catalog
create table catalog_options (
  product_code text not null references catalog_products,
  field_id text not null,
  code text not null,
  label text not null,
  description text,
  display_order integer not null,
  is_active boolean not null,
  denomination bigint check (denomination > 0),
  validity text,
  features text[],
  rrp bigint check (rrp > 0),
  min_amount bigint,
  max_amount bigint,
  suggested_category text,
  additional_description text[],
  requires_ref2 boolean not null default false,
  version bigint not null,
  primary key (product_code, field_id, code)
);
create index catalog_options_version on catalog_options (version);

-- owner: catalog
create table price_levels (
  code text primary key check (code ~ '^[A-Z0-9_]{1,40}$'),
  name text not null,
  -- Moves with every change to the level's prices. A node loads a changed level whole.
  version bigint not null,
  -- The last time that a product got its first price at the level or lost its price, for the catalogue's last_updated.
  -- null: never.
  access_updated_at timestamptz
);

-- owner: catalog
create table wholesale_prices (
  level_code text not null references price_levels,
  product_code text not null references catalog_products,
  discount_type text not null check (discount_type in ('percentage', 'fixed')),
  -- 1/100,000,000; negative for fixed
  unit_price bigint not null,
  currency text not null,
  primary key (level_code, product_code),
  check (case discount_type when 'fixed' then unit_price < 0 else unit_price > 0 end)
);

-- owner: catalog
-- Prices that were taken away, with their last values: events about a product that can no longer be bought carry them.
-- They are in a table of their own because every row of wholesale_prices is a price to sell at.
create table withdrawn_prices (
  level_code text not null references price_levels,
  product_code text not null references catalog_products,
  discount_type text not null check (discount_type in ('percentage', 'fixed')),
  -- 1/100,000,000; negative for fixed
  unit_price bigint not null,
  currency text not null,
  primary key (level_code, product_code),
  check (case discount_type when 'fixed' then unit_price < 0 else unit_price > 0 end)
);

-- owner: catalog
-- One row per reseller that has a permission or a customisation. A node loads a changed one whole.
create table account_views (
  reseller_id bigint primary key references resellers,
  version bigint not null,
  -- The last change to the customisation, its removal included. null: there never was one.
  overlay_updated_at timestamptz,
  -- The last time that a permission was given or taken away, or the account moved to another price level, for the
  -- catalogue's last_updated. null: never.
  access_updated_at timestamptz
);
create index account_views_version on account_views (version);

-- owner: catalog
create table product_permissions (
  reseller_id bigint not null references account_views,
  product_code text not null references catalog_products,
  is_allowed boolean not null,
  primary key (reseller_id, product_code)
);

-- owner: catalog
create table overlay_groups (
  reseller_id bigint not null references account_views,
  code text not null,
  is_own boolean not null,
  name text,
  icon_url text,
  display_order integer,
  primary key (reseller_id, code)
);

-- owner: catalog
create table overlay_categories (
  reseller_id bigint not null references account_views,
  code text not null,
  is_own boolean not null,
  group_code text,
  name text,
  icon_url text,
  display_order integer,
  primary key (reseller_id, code)
);

-- owner: catalog
create table overlay_products (
  reseller_id bigint not null references account_views,
  code text not null references catalog_products,
  category_code text,
  display_name text,
  image_url text,
  display_order integer,
  is_enabled boolean not null,
  adjustment_type text check (adjustment_type in ('fixed', 'percentage')),
  -- fixed: 1/10,000 ringgit; percentage: 1/100,000,000
  adjustment_value bigint,
  min_amount bigint,
  max_amount bigint,
  primary key (reseller_id, code),
  check ((adjustment_type is null) = (adjustment_value is null))
);

-- owner: catalog
create table overlay_options (
  reseller_id bigint not null references account_views,
  product_code text not null,
  field_id text not null,
  code text not null,
  is_enabled boolean not null,
  rrp bigint check (rrp > 0),
  primary key (reseller_id, product_code, field_id, code),
  foreign key (product_code, field_id, code) references catalog_options
);

-- owner: catalog
-- One row per committed change. A job behind it expands the change into events per account, in batches that remember
-- their progress, and in the order of versions, so that an account hears of changes in the order in which they
-- happened.
create table catalog_changes (
  version bigint primary key,
  reason text not null,
  -- Taken late in its commit: an account that was created after this instant needs no events.
  created_at timestamptz not null default clock_timestamp(),
  -- Who may see a difference: everybody, the accounts of some levels, or some accounts.
  concerns_everyone boolean not null,
  level_codes text[] not null,
  reseller_ids bigint[] not null,
  -- Set if an account moved from one level to another.
  switched_from text,
  switched_to text,
  -- Accounts up to this id have their events.
  expanded_through bigint not null default 0,
  expanded_at timestamptz,
  check ((switched_from is null) = (switched_to is null)),
  check (switched_from is null or cardinality(reseller_ids) = 1)
);
create index catalog_changes_pending on catalog_changes (version) where expanded_at is null;
create index catalog_changes_switches on catalog_changes ((reseller_ids[1]), version)
  where switched_from is not null;

-- owner: catalog
-- The rows that a change touched, before and after it. Read forwards they tell what accounts see differently now, read
-- backwards they lead from the present catalogue to the one before the change.
create table catalog_change_parts (
  -- Deferred, because the change itself is written last.
  version bigint not null references catalog_changes deferrable initially deferred,
  part integer not null,
  touched jsonb not null,
  primary key (version, part)
);

-- owner: catalog
-- The events of one change in sets of a few hundred, each stored once for all accounts that see the same. A change of
-- 20,000 options for 2,000 accounts is 20,000 rows here and 2,000 in the next table, not their product.
create table catalog_events (
  version bigint not null references catalog_changes,
  -- Derived from the content, so that a set that is made again after a crash is recognised.
  set_id uuid not null,
  position integer not null,
  resource text not null check (resource in ('groups', 'categories', 'products', 'options')),
  resource_id text not null,
  type text not null,
  -- null for deleted. The data of a product lacks reseller_code, which is the account's own.
  data jsonb,
  primary key (version, set_id, position),
  unique (version, set_id, resource, resource_id)
);

-- owner: catalog
-- The events that an account gets for a change, waiting for their place in its feed.
create table account_catalog_events (
  reseller_id bigint not null references resellers,
  version bigint not null references catalog_changes,
  -- In the order in which the account hears of them.
  set_ids uuid[] not null,
  reseller_code text not null,
  created_at timestamptz not null default now(),
  primary key (reseller_id, version)
);
