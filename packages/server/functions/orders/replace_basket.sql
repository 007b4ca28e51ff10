-- Replaces the basket of a draft. Verdicts: replaced; changed, if the basket is no longer of `p_version`; otherwise the
-- state of the order, which is no draft any more.
create or replace function replace_basket(
  p_lines smallint[], p_product_codes text[], p_names text[], p_amounts bigint[], p_quantities smallint[],
  p_unit_prices bigint[], p_open_fields text[], p_inputs bytea[],
  p_reseller bigint, p_order bigint, p_version integer
) returns text language plpgsql as $$
declare
  v_order orders := hold_order(p_reseller, p_order);
  v_total bigint;
begin
  if v_order.state <> 'draft' then return v_order.state; end if;
  if v_order.version <> p_version then return 'changed'; end if;
  v_total := put_order_lines(
    p_reseller => p_reseller, p_order => p_order, p_lines => p_lines, p_products => p_product_codes,
    p_names => p_names, p_amounts => p_amounts, p_quantities => p_quantities, p_unit_prices => p_unit_prices,
    p_open_fields => p_open_fields, p_inputs => p_inputs);
  update orders set version = version + 1, total = v_total where reseller_id = p_reseller and id = p_order;
  return 'replaced';
end $$;
