-- The month that a limit finds is counted step by step, from the newest payment back. A tally counts the payments with
-- this id and later ones.
alter table payment_tallies
  add column counted_from bigint not null default 0,
  -- False while payments of the month are still to be counted
  add column is_whole boolean not null default true,
  -- Its rows in payment_counts have the kind with this behind it: a tally that ended leaves rows, which are deleted later.
  add column suffix text not null default '';
create index payment_tallies_open on payment_tallies (reseller_id, kind) where not is_whole;
