-- Counts payments of a reseller, from an id to before another one, from the payments themselves: the beginning and the
-- proof of payment_counts.
create or replace function tally_between(p_reseller bigint, p_kind text, p_from bigint, p_until bigint)
returns table (subject text, day date, category text, payments bigint, face_value bigint, cost bigint)
language sql stable as $$
  select case p_kind when 'account' then coalesce(p.canonical_account, p.account)
                     when 'key' then p.purpose_id::text
                     when 'member' then counted_member(p.purpose_id, p.category, p.member_id) else '' end,
         d.day, case when p_kind in ('key', 'member') then '' else coalesce(p.category, '') end,
         count(*), sum(p.face_value)::bigint, sum(p.cost)::bigint
    from payments p
   cross join lateral counted_day(p_reseller, p.created_at) d
   where p.reseller_id = p_reseller and p.id >= p_from and p.id < p_until
     and p.code in (0, 1, 20) and (p_kind <> 'key' or p.purpose_id is not null)
     and (p_kind <> 'member' or counted_member(p.purpose_id, p.category, p.member_id) is not null)
   group by 1, 2, 3
$$;
