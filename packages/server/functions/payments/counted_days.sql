-- The day of GMT+8 in which payments of this time count, for each of these resellers.
create or replace function counted_days(p_resellers bigint[], p_at timestamptz)
returns table (reseller_id bigint, day date)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
    select r.reseller_id, ((p_at + m.moved) at time zone 'Asia/Kuala_Lumpur')::date
      from unnest(p_resellers) as r (reseller_id)
     cross join lateral (
       select make_interval(secs => coalesce(sum(c.seconds), 0)::float8) as moved
         from test_clock_moves c where c.reseller_id = r.reseller_id and c.at <= p_at
     ) m;
end $$;
