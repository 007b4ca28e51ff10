-- The day of GMT+8 in which a reseller's payment of this time counts, and by how much its test clock had been moved until
-- then.
create or replace function counted_day(p_reseller bigint, p_at timestamptz) returns table (day date, moved interval)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
    select ((p_at + m.moved) at time zone 'Asia/Kuala_Lumpur')::date, m.moved
      from (select make_interval(secs => coalesce(sum(c.seconds), 0)::float8) as moved
              from test_clock_moves c where c.reseller_id = p_reseller and c.at <= p_at) m;
end $$;
