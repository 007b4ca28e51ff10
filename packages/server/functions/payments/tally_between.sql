-- Counts payments of a reseller, from an id to before another one, from the payments themselves: the beginning and the
-- proof of payment_counts. The day is that of counted_day, which would be called for each payment.
create or replace function tally_between(p_reseller bigint, p_kind text, p_from bigint, p_until bigint)
returns table (subject text, day date, category text, payments bigint, face_value bigint, cost bigint)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
    select case p_kind when 'account' then coalesce(p.canonical_account, p.account)
                       when 'key' then p.purpose_id::text
                       when 'member' then counted_member(p.purpose_id, p.category, p.member_id) else '' end,
           ((p.created_at + m.moved) at time zone 'Asia/Kuala_Lumpur')::date,
           case when p_kind in ('key', 'member') then '' else coalesce(p.category, '') end,
           count(*), sum(p.face_value)::bigint, sum(p.cost)::bigint
      from payments p
     cross join lateral (
       select make_interval(secs => coalesce(sum(c.seconds), 0)::float8) as moved
         from test_clock_moves c where c.reseller_id = p_reseller and c.at <= p.created_at
     ) m
     where p.reseller_id = p_reseller and p.id >= p_from and p.id < p_until
       and p.code in (0, 1, 20) and (p_kind <> 'key' or p.purpose_id is not null)
       and (p_kind <> 'member' or counted_member(p.purpose_id, p.category, p.member_id) is not null)
     group by 1, 2, 3;
end $$;
