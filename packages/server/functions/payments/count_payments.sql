-- Counts payments that are being taken, for those resellers whose payments are counted. The caller holds their wallets.
create or replace function count_payments(
  p_resellers bigint[], p_accounts text[], p_categories text[], p_purposes bigint[], p_members text[],
  p_face_values bigint[], p_costs bigint[], p_at timestamptz
) returns void language plpgsql
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan
as $$
begin
  with added as (
    select c.reseller_id, t.kind || t.suffix,
           case t.kind when 'account' then c.account when 'key' then c.purpose_id::text
                       when 'member' then counted_member(c.purpose_id, c.category, c.member_id) else '' end,
           d.day, case when t.kind in ('key', 'member') then '' else coalesce(c.category, '') end,
           count(*), sum(c.face_value), sum(c.cost)
    from counted_days(array(select distinct unnest(p_resellers)), p_at) d
    join payment_tallies t on t.reseller_id = d.reseller_id
    join unnest(p_resellers, p_accounts, p_categories, p_purposes, p_members, p_face_values, p_costs)
      as c (reseller_id, account, category, purpose_id, member_id, face_value, cost) on c.reseller_id = t.reseller_id
   where (t.kind <> 'key' or c.purpose_id is not null)
     and (t.kind <> 'member' or counted_member(c.purpose_id, c.category, c.member_id) is not null)
   group by 1, 2, 3, 4, 5
  )
  insert into payment_counts as n (reseller_id, kind, subject, day, category, payments, face_value, cost)
  select a.* from added a
  on conflict (reseller_id, kind, subject, day, category) do update
     set payments = n.payments + excluded.payments, face_value = n.face_value + excluded.face_value,
         cost = n.cost + excluded.cost;
end $$;
