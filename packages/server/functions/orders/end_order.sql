-- Makes an order final: its state, the end of its work and its one event, in the caller's commit. The caller holds the
-- order's row.
create or replace function end_order(p_order orders, p_state text, p_refund bigint) returns orders
language plpgsql as $$
declare
  v_order orders;
  v_now timestamptz := clock_timestamp();
begin
  update orders set state = p_state, refund = p_refund,
                    completed_at = greatest(v_now, coalesce(confirmed_at, created_at))
   where reseller_id = p_order.reseller_id and id = p_order.id
  returning * into v_order;
  delete from order_work where reseller_id = p_order.reseller_id and order_id = p_order.id;
  perform append_facts(
    p_source => 'order', p_resellers => array[v_order.reseller_id], p_subjects => array[v_order.id], p_codes => null,
    p_amounts => null, p_balances => null, p_spans => null,
    p_type => case p_state when 'timeout' then 'order.timeout' when 'cancelled' then 'order.cancelled'
                           else 'order.completed' end,
    p_data => null, p_at => v_order.completed_at);
  return v_order;
end $$;
