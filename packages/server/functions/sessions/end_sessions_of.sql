-- Ends the sessions and pending password resets of a person.
create or replace function end_sessions_of(p_kind text, p_reseller bigint, p_person bigint)
returns void language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  update sessions set ended_at = v_now
   where kind = p_kind and reseller_id = p_reseller and person_id = p_person and ended_at is null;
  update password_resets set used_at = v_now
   where kind = p_kind and reseller_id = p_reseller and person_id = p_person and used_at is null;
end $$;
