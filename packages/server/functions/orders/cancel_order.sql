-- Cancels an open order, and returns its state: cancelled by this call or before it, or what it became instead.
create or replace function cancel_order(p_reseller bigint, p_order bigint, p_reason text) returns text
language plpgsql as $$
declare
  v_order orders := hold_order(p_reseller, p_order);
begin
  if v_order.state in ('draft', 'awaiting_payment') then
    update orders set cancel_reason = p_reason where reseller_id = p_reseller and id = p_order;
    v_order := end_order(v_order, 'cancelled', 0);
  end if;
  return v_order.state;
end $$;
