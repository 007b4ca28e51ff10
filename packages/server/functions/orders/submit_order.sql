-- Ends the choice of the customer: from now on the basket never changes. Verdicts: submitted; changed, if the basket is
-- no longer of `p_version`; otherwise the state that the order already has.
create or replace function submit_order(p_reseller bigint, p_order bigint, p_version integer) returns text
language plpgsql as $$
declare
  v_order orders := hold_order(p_reseller, p_order);
begin
  if v_order.state <> 'draft' then return v_order.state; end if;
  if v_order.version <> p_version then return 'changed'; end if;
  if not exists (select 1 from order_lines where reseller_id = p_reseller and order_id = p_order) then
    raise exception 'order % has no lines', v_order.code;
  end if;
  update orders set state = 'awaiting_payment' where reseller_id = p_reseller and id = p_order;
  return 'submitted';
end $$;
