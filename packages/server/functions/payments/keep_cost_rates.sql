-- Keeps with costs of a supplier the rate of their time; returns how many. The rollups of days that are over no longer
-- hold then. It runs under the lock of the rates: one that is set later begins later than every cost that is seen here.
create or replace function keep_cost_rates(p_currency text, p_provider text, p_from timestamptz, p_limit integer)
returns integer language plpgsql as $$
declare
  v_kept integer;
  v_today date := (clock_timestamp() at time zone 'Asia/Kuala_Lumpur')::date;
begin
  with due as (
    select reseller_id, payment_id, attempt, rate_at(currency, at) as rate from payment_supplier_costs
     where rate is null and currency = p_currency and provider = p_provider and at >= p_from
     order by at limit p_limit
  ), kept as (
    update payment_supplier_costs c set rate = due.rate
      from due where c.reseller_id = due.reseller_id and c.payment_id = due.payment_id and c.attempt = due.attempt
    returning c.reseller_id, (to_timestamp((c.payment_id >> 20) / 1000.0) at time zone 'Asia/Kuala_Lumpur')::date as day
  ), marked as (
    insert into payment_rollup_days (reseller_id, day, is_current)
    select distinct reseller_id, day, false from kept
     where day < v_today
     order by 1, 2
    on conflict (reseller_id, day) do update set is_current = false
  )
  select count(*) into v_kept from kept;
  return v_kept;
end $$;
