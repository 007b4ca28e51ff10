-- Moves the test clock of an account in staging: expiries and looks at payments come nearer, and so does the end of the
-- time in which a confirmed order is tried again. Leases stay. Orders are locked before their work, as everywhere.
create or replace function advance_orders(p_reseller bigint, p_seconds integer) returns void language plpgsql as $$
begin
  perform 1 from orders
    where reseller_id = p_reseller and state in ('draft', 'awaiting_payment', 'confirmed') order by id
      for no key update;
  update orders set expires_at = later(expires_at, -make_interval(secs => p_seconds))
   where reseller_id = p_reseller and state in ('draft', 'awaiting_payment');
  update orders set confirmed_at = later(confirmed_at, -make_interval(secs => p_seconds))
   where reseller_id = p_reseller and state = 'confirmed';
  update order_work set next_at = later(next_at, -make_interval(secs => p_seconds))
   where reseller_id = p_reseller and holder is null;
end $$;
