-- Writes down how far the payments of a confirmed order are, and makes the order final with the last of them. Only the
-- holder of the work may: a node that was frozen past its lease could report a rejection for a payment that another
-- node has made since. A final unit never changes. Verdicts: lost, if another node has the work; otherwise the state of
-- the order.
create or replace function note_order_units(
  p_lines smallint[], p_numbers smallint[], p_states text[], p_payments bigint[], p_errors text[],
  p_reseller bigint, p_order bigint, p_holder uuid
) returns text language plpgsql as $$
declare
  v_order orders := hold_order(p_reseller, p_order);
  v_open integer;
  v_succeeded integer;
  v_failed integer;
  v_refund bigint;
begin
  if v_order.state <> 'confirmed' then return v_order.state; end if;
  perform 1 from order_work
    where reseller_id = p_reseller and order_id = p_order and holder = p_holder for update;
  if not found then return 'lost'; end if;
  update order_units o set state = u.state, payment_id = coalesce(u.payment, o.payment_id), error = u.error
    from unnest(p_lines, p_numbers, p_states, p_payments, p_errors) as u (line, number, state, payment, error)
   where o.reseller_id = p_reseller and o.order_id = p_order and o.line = u.line and o.number = u.number
     and o.state in ('waiting', 'sent');
  select count(*) filter (where o.state in ('waiting', 'sent')), count(*) filter (where o.state = 'succeeded'),
         count(*) filter (where o.state = 'failed'),
         coalesce(sum(o.price) filter (where o.state = 'failed'), 0)::bigint
    into v_open, v_succeeded, v_failed, v_refund
    from order_units o where o.reseller_id = p_reseller and o.order_id = p_order;
  if v_open > 0 then return v_order.state; end if;
  v_order := end_order(v_order, case when v_failed = 0 then 'completed' when v_succeeded = 0 then 'failed'
                                     else 'partially_completed' end, v_refund);
  return v_order.state;
end $$;
