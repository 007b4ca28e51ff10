-- What can be sold, to whom, at what price. Nothing of the base is ever deleted: it is deactivated, so that
-- "everything with a version greater than the last" is all a node needs to follow.

-- owner: catalog
-- One row, locked by every writer first: versions become visible in order, and writers cannot deadlock.
create table catalog_version (
  singleton boolean primary key default true check (singleton),
  version bigint not null,
  -- The last change to groups, categories or products; options and prices do not move it.
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
  -- Moves with every change to the level's prices: a node loads a changed level whole.
  version bigint not null
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
-- One row per reseller that has a permission or a customisation; a node loads a changed one whole.
create table account_views (
  reseller_id bigint primary key references resellers,
  version bigint not null,
  -- The last change to the customisation; null when there is none.
  overlay_updated_at timestamptz
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
-- One row per committed change: what was touched, as it was before and after. It is expanded into events per
-- account behind the change, in batches that remember how far they came.
create table catalog_changes (
  id bigint generated always as identity primary key,
  version bigint not null,
  -- base: every account. level: the accounts of that level. account: one.
  scope text not null check (scope in ('base', 'level', 'account')),
  level_code text,
  reseller_id bigint,
  touched jsonb not null,
  reason text not null,
  created_at timestamptz not null default now(),
  -- Accounts up to this id have their events.
  expanded_through bigint not null default 0,
  expanded_at timestamptz,
  check ((scope = 'level') = (level_code is not null)),
  check ((scope = 'account') = (reseller_id is not null))
);
create index catalog_changes_pending on catalog_changes (id) where expanded_at is null;

-- owner: catalog
-- The precise events per account, waiting for their place in its feed.
create table catalog_events (
  reseller_id bigint not null references resellers,
  change_id bigint not null references catalog_changes,
  resource text not null check (resource in ('groups', 'categories', 'products', 'options')),
  resource_id text not null,
  type text not null,
  -- null for deleted
  data jsonb,
  created_at timestamptz not null default now(),
  primary key (reseller_id, change_id, resource, resource_id)
);
