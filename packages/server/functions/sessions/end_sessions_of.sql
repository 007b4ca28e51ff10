-- Ends the sessions and pending password resets of a person.
create or replace function end_sessions_of(p_kind text, p_reseller bigint, p_person bigint)
returns void language sql as $$
  update sessions set ended_at = clock_timestamp()
   where kind = p_kind and reseller_id = p_reseller and person_id = p_person and ended_at is null;
  update password_resets set used_at = clock_timestamp()
   where kind = p_kind and reseller_id = p_reseller and person_id = p_person and used_at is null;
$$;
