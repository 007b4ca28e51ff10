-- The last change to what may be bought, for the catalogue's last_updated; null: unchanged since this migration.

-- A product got its first price at the level, or lost its price.
alter table price_levels add column access_updated_at timestamptz;

-- A permission was given or taken away, or the account moved to another price level.
alter table account_views add column access_updated_at timestamptz;

-- owner: catalog
-- Prices that were taken away, as they last were: events about a product that can no longer be bought carry
-- them. A table of its own, because a node of the version before would sell at every row of wholesale_prices.
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
