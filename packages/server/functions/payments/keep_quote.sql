-- Keeps a quote, and ends the oldest ones of an account that has more than `p_open_max` open. Returns when it expires.
create or replace function keep_quote(
  p_reseller bigint, p_id uuid, p_product text, p_product_name text, p_account text, p_amount bigint,
  p_subproduct text, p_biller text, p_ref2 text, p_plan text, p_sealed_input bytea, p_face_value bigint, p_cost bigint,
  p_seconds integer, p_open_max integer
) returns timestamptz language plpgsql as $$
declare
  v_now timestamptz;
  v_expires_at timestamptz;
begin
  -- Simultaneous quotes of an account wait for each other, so that the count holds.
  perform pg_advisory_xact_lock(hashtextextended('keep_quote:' || p_reseller, 0) # lock_mark());
  v_now := clock_timestamp();
  v_expires_at := v_now + make_interval(secs => p_seconds);
  insert into quotes (reseller_id, id, product_code, product_name, account, amount, subproduct_code, biller_code, ref2,
                      plan_code, sealed_input, face_value, cost, created_at, expires_at)
  values (p_reseller, p_id, p_product, p_product_name, p_account, p_amount, p_subproduct, p_biller, p_ref2,
          p_plan, p_sealed_input, p_face_value, p_cost, v_now, v_expires_at);
  update quotes set expires_at = v_now
   where reseller_id = p_reseller
     and id in (select q.id from quotes q
                 where q.reseller_id = p_reseller and q.payment_id is null and q.expires_at > v_now
                 order by q.expires_at desc offset p_open_max);
  return v_expires_at;
end $$;
