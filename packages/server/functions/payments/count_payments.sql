-- Counts payments that are being taken, for those resellers whose payments are counted. The caller holds their wallets.
create or replace function count_payments(
  p_resellers bigint[], p_accounts text[], p_categories text[], p_purposes bigint[], p_face_values bigint[],
  p_costs bigint[], p_at timestamptz
) returns void language plpgsql
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan
as $$
begin
  insert into payment_counts as n (reseller_id, kind, subject, day, category, payments, face_value, cost)
  select c.reseller_id, t.kind || t.suffix,
         case t.kind when 'account' then c.account when 'key' then c.purpose_id::text else '' end,
         t.day, case t.kind when 'key' then '' else coalesce(c.category, '') end,
         count(*), sum(c.face_value), sum(c.cost)
    from (select t.reseller_id, t.kind, t.suffix, d.day
            from payment_tallies t
           cross join lateral counted_day(t.reseller_id, p_at) d
           where t.reseller_id = any (p_resellers)) t
    join unnest(p_resellers, p_accounts, p_categories, p_purposes, p_face_values, p_costs)
      as c (reseller_id, account, category, purpose_id, face_value, cost) on c.reseller_id = t.reseller_id
   where t.kind <> 'key' or c.purpose_id is not null
   group by 1, 2, 3, 4, 5
   order by 1, 2, 3, 4, 5
  on conflict (reseller_id, kind, subject, day, category) do update
     set payments = n.payments + excluded.payments, face_value = n.face_value + excluded.face_value,
         cost = n.cost + excluded.cost;
end $$;
