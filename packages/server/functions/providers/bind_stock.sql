-- Sells items that the caller has reserved. Items are found by the array: a join with it, planned while the table was
-- empty, looked at every free item for each one that was sold (10 ms). A sold item is refused by the trigger, a
-- withdrawn one by the check constraint.
create or replace function bind_stock(p_items bigint[], p_resellers bigint[], p_payments bigint[], p_at timestamptz)
returns void language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  v_bound integer;
begin
  update stock_items i
     set reseller_id = p_resellers[array_position(p_items, i.id)],
         payment_id = p_payments[array_position(p_items, i.id)], bound_at = p_at
   where i.id = any (p_items);
  get diagnostics v_bound = row_count;
  if v_bound <> cardinality(p_items) then
    raise exception 'stock that was reserved is not there: % of % items', v_bound, cardinality(p_items);
  end if;
end $$;
