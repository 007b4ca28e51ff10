-- Lists what limits and caps say about payments that would be taken now: for each command the gauges that it has to fit,
-- in the order in which they are judged. A payment over a gauge is refused with its name. Gauges with the same `counter`
-- share what is used, which the first row of a counter says alone. The payments of these resellers must be counted:
-- begin_tallies.
create or replace function gauges_of(
  p_commands integer[], p_resellers bigint[], p_accounts text[], p_categories text[], p_purposes bigint[],
  p_members text[], p_daily_caps bigint[], p_monthly_caps bigint[], p_at timestamptz
) returns table (
  command integer, counter integer, is_first boolean, name text, max_payments bigint, max_sum bigint,
  used_payments bigint, used_sum bigint, resets_at timestamptz
)
language plpgsql
-- Joins with arrays look small to the planner, and are not.
set enable_seqscan = off set enable_nestloop = off set jit = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
    with asked as materialized (
      select c.* from unnest(p_commands, p_resellers, p_accounts, p_categories, p_purposes, p_members, p_daily_caps,
                           p_monthly_caps)
        as c (command, reseller_id, account, category, purpose_id, member_id, daily_cap, monthly_cap)
    ), rules as (
      select a.command, a.reseller_id, l.scope as kind,
             case l.scope when 'account' then a.account else '' end as subject,
             l.period, l.category, min(l.payments) as payments, min(l.face_value) as sum
        from limits_of((select array_agg(distinct a.reseller_id) from asked a)) l
        join asked a on a.reseller_id = l.reseller_id
       where l.category = '' or l.category = a.category
       group by 1, 2, 3, 4, 5, 6
      union all
      select a.command, a.reseller_id, 'member', a.member_id, l.period, '', l.payments, l.face_value
        from asked a
        join member_limits l on l.reseller_id = a.reseller_id
         and l.user_id::text = counted_member(a.purpose_id, a.category, a.member_id)
      union all
      select a.command, a.reseller_id, 'key', a.purpose_id::text, k.period, '', null, k.cap
        from asked a
       cross join lateral (values ('day', a.daily_cap), ('month', a.monthly_cap)) as k (period, cap)
       where k.cap is not null
    ), gauges as (
      select r.*, dense_rank() over (order by reseller_id, kind, subject, period, category)::integer as counter,
             row_number() over (partition by reseller_id, kind, subject, period, category order by command) = 1
               as is_first
        from rules r
    ), tallies as materialized (
      select t.reseller_id, t.kind, t.kind || t.suffix as name
        from payment_tallies t where t.reseller_id = any (array(select distinct a.reseller_id from asked a))
    ), months as materialized (
      select a.reseller_id, m.*
        from (select distinct reseller_id from asked) a
       cross join lateral counted_month(a.reseller_id, p_at) m
    )
    select g.command, g.counter, g.is_first,
           case g.kind when 'account' then 'Account_' when 'member' then 'Member_' when 'key' then 'Key_' else '' end
             || case g.period when 'day' then 'Daily_' else 'Monthly_' end
             || case g.kind when 'key' then 'Cap' else 'Limit' end,
           g.payments, g.sum, u.payments, case g.kind when 'key' then u.cost else u.face_value end,
           case g.period when 'day' then m.day_ends else m.month_ends end
      from gauges g
      join months m on m.reseller_id = g.reseller_id
      left join tallies t on t.reseller_id = g.reseller_id and t.kind = g.kind
     cross join lateral (
       select coalesce(sum(n.payments), 0)::bigint as payments, coalesce(sum(n.face_value), 0)::bigint as face_value,
              coalesce(sum(n.cost), 0)::bigint as cost
         from payment_counts n
        where g.is_first and n.reseller_id = g.reseller_id and n.kind = t.name and n.subject = g.subject
          and n.day between case g.period when 'day' then m.today else m.first_day end and m.today
          and (g.category = '' or n.category = g.category)
     ) u
     order by g.command, array_position('{account,reseller,member,key}', g.kind), g.period, g.category;
end $$;
