-- Another PIN, or none, ends the sessions that the one before opened, in the same commit.
create or replace function member_pins_end_sessions() returns trigger language plpgsql as $$
begin
  update sessions set ended_at = statement_timestamp()
   where person_id = old.user_id and reseller_id = old.reseller_id and kind = 'member' and is_by_pin
     and ended_at is null;
  return null;
end $$;

create or replace trigger member_pins_end_sessions after update or delete on member_pins for each row
  execute function member_pins_end_sessions();
