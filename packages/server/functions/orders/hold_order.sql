-- Locks an order and returns it; null: there is none. An open order past its expiry times out here: whoever meets it
-- first writes that down. The clock is read after the lock, because the wait for it may have been long.
create or replace function hold_order(p_reseller bigint, p_order bigint) returns orders language plpgsql as $$
declare
  v_order orders;
begin
  select * into v_order from orders where reseller_id = p_reseller and id = p_order for no key update;
  if v_order.state in ('draft', 'awaiting_payment') and v_order.expires_at <= clock_timestamp() then
    v_order := end_order(v_order, 'timeout', 0);
  end if;
  return v_order;
end $$;
