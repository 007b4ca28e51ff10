-- Tells whether any level has a limit, without a look at the levels of resellers.
create or replace function has_level_limits() returns boolean
language sql stable as $$
  select exists (select from level_limits)
$$;
