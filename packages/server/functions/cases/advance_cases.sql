-- Moves the test clock of an account in staging: due times and questions come nearer. Leases stay. Cases are locked
-- before their work, as everywhere.
create or replace function advance_cases(p_reseller bigint, p_seconds integer) returns void language plpgsql as $$
begin
  perform 1 from cases where reseller_id = p_reseller and closed_at is null order by id for no key update;
  update cases set due_at = later(due_at, -make_interval(secs => p_seconds)),
                   watch_at = later(watch_at, -make_interval(secs => p_seconds))
   where reseller_id = p_reseller and closed_at is null;
  update case_work set next_at = later(next_at, -make_interval(secs => p_seconds))
   where reseller_id = p_reseller and holder is null;
end $$;
