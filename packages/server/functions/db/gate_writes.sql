-- Lets a statement write unless the group is held or was moved away. A move puts it before the tables of its group as a
-- trigger of each statement, and takes the lock alone to hold the group: the writers then wait. Apart from a move no table
-- has it. The error is that of a server that only reads: nothing was written, and nodes look for the other place.
create or replace function gate_writes() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('group_gate', 0) # lock_mark());
  -- An older snapshot sees no row here when the schema was put in the place of another one.
  if (select state from group_place) is distinct from 'serving' then
    raise exception using errcode = 'read_only_sql_transaction', message = 'the group was moved to another place';
  end if;
  return null;
end $$;
