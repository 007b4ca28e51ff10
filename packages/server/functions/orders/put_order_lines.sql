-- Writes the whole basket of an order that the caller holds, and returns its total.
create or replace function put_order_lines(
  p_reseller bigint, p_order bigint, p_lines smallint[], p_products text[], p_names text[], p_amounts bigint[],
  p_quantities smallint[], p_unit_prices bigint[], p_open_fields text[], p_inputs bytea[]
) returns bigint language plpgsql as $$
declare
  v_total bigint;
begin
  delete from order_lines where reseller_id = p_reseller and order_id = p_order;
  insert into order_lines (reseller_id, order_id, line, product_code, product_name, amount, quantity, unit_price,
                           open_fields, sealed_input)
  -- The fields of each line come as one text with commas: arrays of arrays must be of one length.
  select p_reseller, p_order, u.line, u.product, u.name, u.amount, u.quantity, u.unit_price,
         string_to_array(u.open_fields, ','), u.input
    from unnest(p_lines, p_products, p_names, p_amounts, p_quantities, p_unit_prices, p_open_fields, p_inputs)
      as u (line, product, name, amount, quantity, unit_price, open_fields, input);
  select coalesce(sum(l.unit_price * l.quantity), 0)::bigint into v_total
    from order_lines l where l.reseller_id = p_reseller and l.order_id = p_order;
  return v_total;
end $$;
