-- Confirms an order whose money the reseller has, and writes down the payments to make. `p_costs` are the costs of one
-- unit of each line, in the order of the lines. Verdicts:
--   confirmed          now; its work is due at once
--   confirmed_before   under the same payment reference
--   another_reference  it was confirmed under another one
--   unjudged           it could be confirmed, but the caller has not judged its basket
--   insufficient       the wallet does not hold the costs; `available` is what it holds for this order
--   draft, cancelled, timeout
create or replace function confirm_order(
  p_reseller bigint, p_order bigint, p_payment_reference text, p_sender text, p_is_judged boolean, p_costs bigint[]
) returns table (verdict text, available bigint) language plpgsql as $$
declare
  v_order orders;
  v_needed bigint;
  v_available bigint;
  v_now timestamptz;
begin
  -- Confirmations of an account wait for each other: each of them sees the money that the one before needs.
  perform pg_advisory_xact_lock(hashtextextended('confirm_order:' || p_reseller, 0) # lock_mark());
  v_order := hold_order(p_reseller, p_order);
  if v_order.confirmed_at is not null then
    return query select case when v_order.payment_reference = p_payment_reference then 'confirmed_before'
                             else 'another_reference' end, null::bigint;
    return;
  end if;
  if v_order.state <> 'awaiting_payment' or not p_is_judged then
    return query select case v_order.state when 'awaiting_payment' then 'unjudged' else v_order.state end, null::bigint;
    return;
  end if;
  select sum(p_costs[l.line] * l.quantity)::bigint into strict v_needed
    from order_lines l where l.reseller_id = p_reseller and l.order_id = p_order;
  -- Units of other orders that are confirmed and not paid yet need their part of the balance. One statement reads both,
  -- so that a payment which is made meanwhile is counted once.
  select wallet_balance(p_reseller) - coalesce(sum(u.cost), 0)::bigint into v_available
    from order_units u
   where u.reseller_id = p_reseller and u.state = 'waiting' and not is_refid_taken(p_reseller, u.refid);
  if v_needed > v_available then
    return query select 'insufficient', v_available;
    return;
  end if;
  v_now := clock_timestamp();
  update orders set state = 'confirmed', payment_reference = p_payment_reference, sender = p_sender,
                    confirmed_at = greatest(v_now, created_at)
   where reseller_id = p_reseller and id = p_order;
  with units as (
    select l.line, n.number, l.unit_price
      from order_lines l cross join lateral generate_series(1, l.quantity) as n (number)
     where l.reseller_id = p_reseller and l.order_id = p_order
  )
  insert into order_units (reseller_id, order_id, line, number, refid, state, price, cost)
  select p_reseller, p_order, u.line, u.number, v_order.code || '-' || u.line || '-' || u.number, 'waiting',
         u.unit_price, p_costs[u.line]
    from units u;
  -- A node that holds the work found the order open, and loses the lease. What it may still pay is judged by the time of
  -- its claim: a rejection since then outranks it.
  insert into order_work (reseller_id, order_id, next_at) values (p_reseller, p_order, now())
  on conflict (reseller_id, order_id) do update
     set next_at = excluded.next_at, holder = null, looks = 0, failing_since = null;
  return query select 'confirmed', v_available;
end $$;
