-- The closings of a wallet follow each other without a gap, whichever statement writes them.
create or replace function closing_must_follow() returns trigger language plpgsql as $$
declare
  v_last record;
begin
  select day, closing, last_sequence into v_last
    from daily_closings where reseller_id = new.reseller_id order by day desc limit 1;
  if new.day <= v_last.day
     or new.opening <> coalesce(v_last.closing, 0)
     or new.first_sequence <> coalesce(v_last.last_sequence, 0) + 1 then
    raise exception 'the closing of % for wallet % does not follow on the one before', new.day, new.reseller_id;
  end if;
  return new;
end $$;

create or replace trigger daily_closings_follow before insert on daily_closings
  for each row execute function closing_must_follow();
