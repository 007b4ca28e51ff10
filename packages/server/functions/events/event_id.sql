-- The id of an event. The numbers are cast one by one so that the planner inlines the expression: a batch of
-- deliveries then calls no function for each of its rows.
create or replace function event_id(p_reseller bigint, p_sequence bigint) returns text language sql immutable as $$
  select 'evt_' || p_reseller::text || '_' || p_sequence::text
$$;
