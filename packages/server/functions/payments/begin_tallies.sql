-- Begins to count the payments of resellers by these kinds, where that has not begun, and counts those of the month so
-- far. Under the lock of the wallet, so that each payment is in exactly one of the two.
create or replace function begin_tallies(p_resellers bigint[], p_kinds text[]) returns void
language plpgsql
set enable_seqscan = off set jit = off
as $$
declare
  v_resellers bigint[];
begin
  select array_agg(distinct c.reseller_id) into v_resellers
    from unnest(p_resellers, p_kinds) as c (reseller_id, kind)
   where not exists (select from payment_tallies t where t.reseller_id = c.reseller_id and t.kind = c.kind);
  if v_resellers is null then return; end if;
  perform lock_wallets(v_resellers);
  with begun as (
    insert into payment_tallies as t (reseller_id, kind, began_at)
    select distinct c.reseller_id, c.kind, clock_timestamp()
      from unnest(p_resellers, p_kinds) as c (reseller_id, kind)
     order by 1, 2
    on conflict do nothing
    returning t.reseller_id, t.kind
  )
  insert into payment_counts (reseller_id, kind, subject, day, category, payments, face_value, cost)
  select b.reseller_id, b.kind, t.subject, t.day, t.category, t.payments, t.face_value, t.cost
    from begun b
   cross join lateral counted_month(b.reseller_id, clock_timestamp()) m
   cross join lateral tally_payments(b.reseller_id, b.kind, m.first_day, m.begins_at) t;
end $$;
