-- Sums of whole days by hour of the day and by seller, for the days that are marked as having them. Other days are
-- counted from the payments.
-- owner: payments
create table payment_rollup_parts (
  reseller_id bigint not null,
  day date not null,
  kind text not null check (kind in ('hour', 'seller')),
  -- An hour from 0 to 23; for a seller what functions/payments/seller_of.sql says.
  part text collate "C" not null,
  code smallint not null,
  payments bigint not null,
  face_value bigint not null,
  cost bigint not null,
  primary key (reseller_id, day, kind, part, code)
);
-- Nodes of the version before sum days without their parts. A trigger takes the mark away with is_current.
alter table payment_rollup_days add column has_parts boolean not null default false;
