-- The instant that lies so much behind another one (before it, if negative). `+` would depend on the time zone of the session as soon
-- as there are days in the interval, and a statement on Citus may not add to a column with it.
create or replace function later(p_at timestamptz, p_by interval) returns timestamptz language sql immutable as $$
  select (p_at at time zone 'UTC' + p_by) at time zone 'UTC'
$$;
