-- Lists the resellers of whose payments not all may fit their limits and caps, if all of them were taken now: those for
-- which a sum could pass its maximum, and those whose payments are not counted yet. Of the others no payment has to be
-- judged by itself, which costs many times as much: see gauges_of. Null: there is none.
create or replace function resellers_near_limits(
  p_resellers bigint[], p_accounts text[], p_categories text[], p_purposes bigint[], p_members text[],
  p_face_values bigint[], p_costs bigint[], p_daily_caps bigint[], p_monthly_caps bigint[], p_at timestamptz
) returns bigint[]
language plpgsql
-- Joins with arrays look small to the planner, and are not.
set enable_seqscan = off set enable_nestloop = off set jit = off set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    with asked as materialized (
      select c.*, counted_member(c.purpose_id, c.category, c.member_id) as seller
        from unnest(p_resellers, p_accounts, p_categories, p_purposes, p_members, p_face_values, p_costs, p_daily_caps,
                    p_monthly_caps)
        as c (reseller_id, account, category, purpose_id, member_id, face_value, cost, daily_cap, monthly_cap)
    ), days as materialized (
      select d.reseller_id, d.day
        from counted_days((select array_agg(distinct a.reseller_id) from asked a), p_at) d
    ), limits as materialized (
      select l.reseller_id, l.scope as kind, l.category,
             min(l.payments) filter (where l.period = 'day') as day_payments,
             min(l.face_value) filter (where l.period = 'day') as day_sum,
             min(l.payments) filter (where l.period = 'month') as month_payments,
             min(l.face_value) filter (where l.period = 'month') as month_sum
        from limits_of(array(select d.reseller_id from days d)) l
       group by 1, 2, 3
    ), added as (
      -- All payments of the reseller count for each of its categories: too much is judged one by one, and not taken.
      select a.reseller_id, 'account' as kind, a.account as subject, count(*) as payments, sum(a.face_value) as sum
        from asked a group by 1, 3
      union all
      select a.reseller_id, 'reseller', '', count(*), sum(a.face_value) from asked a group by 1
    ), maxima as (
      select a.*, l.category, l.day_payments, l.day_sum, l.month_payments, l.month_sum
        from added a join limits l on l.reseller_id = a.reseller_id and l.kind = a.kind
      union all
      select a.reseller_id, 'key', a.purpose_id::text, count(*), sum(a.cost), '', null, min(a.daily_cap), null,
             min(a.monthly_cap)
        from asked a
       where a.daily_cap is not null or a.monthly_cap is not null
       group by 1, 3
      union all
      select a.reseller_id, 'member', a.seller, a.payments, a.sum, '',
             min(l.payments) filter (where l.period = 'day'), min(l.face_value) filter (where l.period = 'day'),
             min(l.payments) filter (where l.period = 'month'), min(l.face_value) filter (where l.period = 'month')
        from (select a.reseller_id, a.seller, count(*) as payments, sum(a.face_value) as sum
                from asked a group by 1, 2) a
        join member_limits l on l.reseller_id = a.reseller_id and l.user_id::text = a.seller
       group by 1, 3, 4, 5
    )
    select array_agg(distinct x.reseller_id)
      from maxima x
      join days d on d.reseller_id = x.reseller_id
      left join payment_tallies t on t.reseller_id = x.reseller_id and t.kind = x.kind
     cross join lateral (
       select coalesce(sum(n.payments) filter (where n.day = d.day), 0) as day_payments,
              coalesce(sum(case x.kind when 'key' then n.cost else n.face_value end) filter (where n.day = d.day), 0)
                as day_sum,
              coalesce(sum(n.payments), 0) as month_payments,
              coalesce(sum(case x.kind when 'key' then n.cost else n.face_value end), 0) as month_sum
         from payment_counts n
        where n.reseller_id = x.reseller_id and n.kind = t.kind || t.suffix and n.subject = x.subject
          and n.day between case when x.month_payments is null and x.month_sum is null then d.day
                                 else date_trunc('month', d.day::timestamp)::date end and d.day
          and (x.category = '' or n.category = x.category)
     ) u
     where t.reseller_id is null
        or u.day_payments + x.payments > x.day_payments or u.day_sum + x.sum > x.day_sum
        or u.month_payments + x.payments > x.month_payments or u.month_sum + x.sum > x.month_sum
  );
end $$;
