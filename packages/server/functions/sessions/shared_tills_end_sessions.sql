-- The end of a shared till ends the sessions there in the same commit, whichever statement makes it.
create or replace function shared_tills_end_sessions() returns trigger language plpgsql as $$
begin
  update sessions set ended_at = statement_timestamp()
   where reseller_id = new.reseller_id and shared_till_id = new.id and ended_at is null;
  return null;
end $$;

create or replace trigger shared_tills_end_sessions after update on shared_tills for each row
  when (old.closed_at is null and new.closed_at is not null)
  execute function shared_tills_end_sessions();
