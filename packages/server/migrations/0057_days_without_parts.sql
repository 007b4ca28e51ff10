-- no-transaction
-- Finds the days whose parts are still to be summed.
create index concurrently if not exists payment_rollup_days_partless
  on payment_rollup_days (reseller_id, day) where is_current and not has_parts;
