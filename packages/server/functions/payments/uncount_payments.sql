-- Gives back what payments that failed or were voided had counted, in the day in which they were taken. The caller holds
-- their wallets. What a tally has not come to is not counted.
create or replace function uncount_payments(p_resellers bigint[], p_ids bigint[]) returns void
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan
as $$
begin
  update payment_counts n
     set payments = n.payments - g.payments, face_value = n.face_value - g.face_value, cost = n.cost - g.cost
    from (
      select p.reseller_id, t.kind || t.suffix as kind,
             case when t.kind = 'account' then coalesce(p.canonical_account, p.account)
                  when t.kind = 'key' then p.purpose_id::text
                  when t.kind = 'member' then counted_member(p.purpose_id, p.category, p.member_id) else '' end
               as subject,
             d.day, case when t.kind in ('key', 'member') then '' else coalesce(p.category, '') end as category,
             count(*) as payments, sum(p.face_value) as face_value, sum(p.cost) as cost
        from unnest(p_resellers, p_ids) as c (reseller_id, id)
        join payment_tallies t on t.reseller_id = c.reseller_id
        join payments p on p.reseller_id = c.reseller_id and p.id = c.id and p.id >= t.counted_from
       cross join lateral counted_day(p.reseller_id, p.created_at) d
       where (t.kind <> 'key' or p.purpose_id is not null)
         and (t.kind <> 'member' or counted_member(p.purpose_id, p.category, p.member_id) is not null)
       group by 1, 2, 3, 4, 5
    ) g
   where n.reseller_id = g.reseller_id and n.kind = g.kind and n.subject = g.subject and n.day = g.day
     and n.category = g.category;
end $$;
