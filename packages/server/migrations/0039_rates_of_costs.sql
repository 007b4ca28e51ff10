-- When the supplier said the cost, and ringgit for one unit of its currency at that time. null: the rate was not looked
-- up yet, or there was none.
alter table payment_supplier_costs add column at timestamptz not null default clock_timestamp();
alter table payment_supplier_costs add column rate numeric(17, 8) check (rate > 0);
create index payment_supplier_costs_without_rate on payment_supplier_costs (currency, provider, at)
 where rate is null;

-- Payments of the day whose suppliers said what they took, in ringgit, with their face value and what resellers paid.
alter table payment_rollups add column told_payments bigint not null default 0;
alter table payment_rollups add column told_face_value bigint not null default 0;
alter table payment_rollups add column told_charged bigint not null default 0;
alter table payment_rollups add column told_cost bigint not null default 0;
