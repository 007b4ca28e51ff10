-- Ends the choice of the customer: from now on the basket never changes. Verdicts:
--   submitted
--   changed   the basket is no longer of `p_version`
--   unjudged  it is of that version, but the caller has not judged it
--   empty     it has no lines
-- otherwise the state that the order already has.
create or replace function submit_order(
  p_reseller bigint, p_order bigint, p_version integer, p_is_judged boolean
) returns text language plpgsql as $$
declare
  v_order orders := hold_order(p_reseller, p_order);
begin
  if v_order.state <> 'draft' then return v_order.state; end if;
  if v_order.version <> p_version then return 'changed'; end if;
  if not p_is_judged then return 'unjudged'; end if;
  if not exists (select 1 from order_lines where reseller_id = p_reseller and order_id = p_order) then
    return 'empty';
  end if;
  update orders set state = 'awaiting_payment' where reseller_id = p_reseller and id = p_order;
  return 'submitted';
end $$;
