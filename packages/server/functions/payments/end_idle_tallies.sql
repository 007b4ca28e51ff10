-- Ends tallies of a reseller that no limit and no cap asks for any more. What they had counted is deleted later, in steps:
-- see payment_tallies. Returns whether any ended.
create or replace function end_idle_tallies(p_reseller bigint) returns boolean
language plpgsql
as $$
begin
  -- A batch of payments reads its tallies under this lock.
  perform lock_wallets(array[p_reseller]);
  with idle as materialized (
    select t.kind from payment_tallies t where t.reseller_id = p_reseller and is_idle_tally(t.reseller_id, t.kind)
  )
  delete from payment_tallies t using idle where t.reseller_id = p_reseller and t.kind = idle.kind;
  return found;
end $$;
