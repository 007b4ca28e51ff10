-- Counts up to so many more payments of a tally, from the newest back to the first of the month, under the lock of the
-- wallet: a payment that is taken or ends meanwhile is counted by itself if and only if the tally has come to it. Returns
-- whether more are left.
create or replace function count_back(p_reseller bigint, p_kind text, p_max integer) returns boolean
language plpgsql
set enable_seqscan = off set jit = off
as $$
declare
  v_until bigint;
  v_suffix text;
  v_first bigint;
  v_from bigint;
begin
  perform lock_wallets(array[p_reseller]);
  select t.counted_from, t.suffix into v_until, v_suffix
    from payment_tallies t where t.reseller_id = p_reseller and t.kind = p_kind and not t.is_whole;
  if not found then return false; end if;
  select floor(extract(epoch from m.begins_at) * 1000)::bigint << 20 into v_first
    from counted_month(p_reseller, clock_timestamp()) m;
  -- Payments of one millisecond stay together: new ones may have any number in theirs.
  select p.id >> 20 << 20 into v_from
    from payments p where p.reseller_id = p_reseller and p.id >= v_first and p.id < v_until
   order by p.id desc offset p_max - 1 limit 1;
  v_from := coalesce(v_from, v_first);
  insert into payment_counts as n (reseller_id, kind, subject, day, category, payments, face_value, cost)
  select p_reseller, p_kind || v_suffix, t.subject, t.day, t.category, t.payments, t.face_value, t.cost
    from tally_between(p_reseller, p_kind, v_from, v_until) t
   order by t.subject, t.day, t.category
  on conflict (reseller_id, kind, subject, day, category) do update
     set payments = n.payments + excluded.payments, face_value = n.face_value + excluded.face_value,
         cost = n.cost + excluded.cost;
  update payment_tallies t set counted_from = v_from, is_whole = v_from <= v_first
   where t.reseller_id = p_reseller and t.kind = p_kind;
  return v_from > v_first;
end $$;
