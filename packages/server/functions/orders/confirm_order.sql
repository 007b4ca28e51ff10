-- Confirms an order whose money the reseller has, and writes down the payments to make. Verdicts:
--   confirmed          now; its work is due at once
--   confirmed_before   under the same payment reference
--   another_reference  it was confirmed under another one
--   unjudged           it could be confirmed, but the caller has not judged its basket
--   draft, cancelled, timeout
create or replace function confirm_order(
  p_reseller bigint, p_order bigint, p_payment_reference text, p_sender text, p_is_judged boolean
) returns text language plpgsql as $$
declare
  v_order orders := hold_order(p_reseller, p_order);
begin
  if v_order.confirmed_at is not null then
    return case when v_order.payment_reference = p_payment_reference then 'confirmed_before'
                else 'another_reference' end;
  end if;
  if v_order.state <> 'awaiting_payment' then return v_order.state; end if;
  if not p_is_judged then return 'unjudged'; end if;
  update orders set state = 'confirmed', payment_reference = p_payment_reference, sender = p_sender,
                    confirmed_at = greatest(clock_timestamp(), created_at)
   where reseller_id = p_reseller and id = p_order;
  insert into order_units (reseller_id, order_id, line, number, refid, state, price)
  select l.reseller_id, l.order_id, l.line, n.number, v_order.code || '-' || l.line || '-' || n.number, 'waiting',
         l.unit_price
    from order_lines l cross join lateral generate_series(1, l.quantity) as n (number)
   where l.reseller_id = p_reseller and l.order_id = p_order;
  -- A node that holds the work found the order open, and loses the lease.
  update order_work set next_at = now(), holder = null, looks = 0
   where reseller_id = p_reseller and order_id = p_order;
  return 'confirmed';
end $$;
