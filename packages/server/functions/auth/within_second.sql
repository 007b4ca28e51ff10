-- The times that lie less than a second before another one, or behind it, in their order.
create or replace function within_second(p_times timestamptz[], p_now timestamptz) returns timestamptz[]
language sql immutable as $$
  select array(
    select at from unnest(p_times) at
     where at > later(p_now, -interval '1 second') order by at)
$$;
