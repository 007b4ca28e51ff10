-- Makes an order, unless its reference is taken. Verdicts:
--   created
--   exists         an order has the reference; the caller compares the requests
--   too_many       the account has `p_open_max` open orders
--   too_many_user  the customer has `p_user_open_max` of them
create or replace function create_order(
  p_lines smallint[], p_product_codes text[], p_names text[], p_amounts bigint[], p_quantities smallint[],
  p_unit_prices bigint[], p_open_fields text[], p_inputs bytea[],
  p_reseller bigint, p_code text, p_reference text, p_user text, p_state text, p_request bytea, p_token_digest bytea,
  p_token bytea, p_return_url text, p_products text[], p_is_fixed boolean, p_language text, p_shows_results boolean,
  p_expires_seconds integer, p_open_max integer, p_user_open_max integer
) returns table (verdict text, id bigint) language plpgsql as $$
#variable_conflict use_column
declare
  v_id bigint;
  v_now timestamptz;
  v_total bigint;
  v_open integer;
  v_open_of_user integer;
begin
  -- Simultaneous requests of an account wait for each other: the counts hold, and a repeated reference finds its order.
  perform pg_advisory_xact_lock(hashtextextended('create_order:' || p_reseller, 0) # lock_mark());
  select o.id into v_id from orders o where o.reseller_id = p_reseller and o.reference = p_reference;
  if found then
    return query select 'exists', v_id;
    return;
  end if;
  select count(*), count(*) filter (where o.user_id = p_user) into v_open, v_open_of_user
    from orders o where o.reseller_id = p_reseller and o.state in ('draft', 'awaiting_payment');
  if v_open >= p_open_max or v_open_of_user >= p_user_open_max then
    return query select case when v_open >= p_open_max then 'too_many' else 'too_many_user' end, null::bigint;
    return;
  end if;
  v_now := clock_timestamp();
  insert into orders (reseller_id, code, reference, user_id, state, sealed_request, token_digest, sealed_token,
                      return_url, products, is_fixed, language, shows_results, total, created_at, expires_at)
  values (p_reseller, p_code, p_reference, p_user, p_state, p_request, p_token_digest, p_token, p_return_url,
          p_products, p_is_fixed, p_language, p_shows_results, 0, v_now,
          v_now + make_interval(secs => p_expires_seconds))
  returning orders.id into v_id;
  v_total := put_order_lines(
    p_reseller => p_reseller, p_order => v_id, p_lines => p_lines, p_products => p_product_codes, p_names => p_names,
    p_amounts => p_amounts, p_quantities => p_quantities, p_unit_prices => p_unit_prices,
    p_open_fields => p_open_fields, p_inputs => p_inputs);
  update orders o set total = v_total where o.reseller_id = p_reseller and o.id = v_id;
  insert into order_work (reseller_id, order_id, next_at)
  values (p_reseller, v_id, v_now + make_interval(secs => p_expires_seconds));
  return query select 'created', v_id;
end $$;
