-- An event's id, as before; with the numbers cast by themselves the planner puts the expression in the function's place,
-- and a batch of deliveries calls no function for each of its rows.
create or replace function event_id(p_reseller bigint, p_sequence bigint) returns text language sql immutable as $$
  select 'evt_' || p_reseller::text || '_' || p_sequence::text
$$;
