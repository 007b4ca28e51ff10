-- A moment, in milliseconds, that divides the movements of a wallet: those that are committed or under way are dated
-- before it, and later ones at or after it. The wallet is held for the rest of the present millisecond alone, because the
-- end of a subtransaction gives its lock back. So what came before can be read without hindering payments.
create or replace function dividing_moment(p_reseller bigint) returns bigint
language plpgsql volatile set lock_timeout = '5s' as $$
declare
  v_moment bigint;
begin
  begin
    select floor(extract(epoch from greatest(clock_timestamp(), w.last_entry_at)) * 1000)::bigint + 1 into v_moment
      from wallets w where w.reseller_id = p_reseller for no key update;
    if v_moment > extract(epoch from clock_timestamp()) * 1000 + 1000 then
      raise exception 'the clock was put back: the last movement of the wallet lies ahead' using errcode = '55000';
    end if;
    while extract(epoch from clock_timestamp()) * 1000 < v_moment loop
      perform pg_sleep(0.0005);
    end loop;
    raise exception using errcode = 'WG001';
  exception when sqlstate 'WG001' then
    -- The lock is given back; the moment stays.
  end;
  return v_moment;
end
$$;
