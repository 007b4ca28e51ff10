-- Refuses every move of an order that is not in the table of moves, which `states.rules.ts` has as well.
create or replace function orders_move_by_table() returns trigger language plpgsql as $$
declare
  v_is_allowed boolean := case old.state
    when 'draft' then new.state in ('awaiting_payment', 'cancelled', 'timeout')
    when 'awaiting_payment' then new.state in ('confirmed', 'cancelled', 'timeout')
    when 'confirmed' then new.state in ('completed', 'partially_completed', 'failed')
    else false end;
begin
  if new.state = old.state then
    -- A submitted basket never changes: the customer gets what was paid for.
    if new.state <> 'draft' and new.version <> old.version then
      raise exception 'the basket of order % is submitted', old.code;
    end if;
    return new;
  end if;
  if not v_is_allowed then
    raise exception 'order % cannot move from % to %', old.code, old.state, new.state;
  end if;
  return new;
end $$;

create or replace trigger orders_move_by_table before update on orders
for each row execute function orders_move_by_table();
