-- Locks wallets in the order of their resellers, so that two batches cannot wait for each other in a circle. The call
-- fails with 55P03 if a wallet stays locked for longer than any batch holds one: the caller then sets the commands of
-- that wallet aside.
create or replace function lock_wallets(p_resellers bigint[])
returns table (reseller_id bigint, balance bigint, sequence bigint, last_entry_at timestamptz)
language plpgsql set lock_timeout = '250ms' as $$
#variable_conflict use_column
begin
  return query
    select w.reseller_id, w.balance, w.sequence, w.last_entry_at
      from wallets w where w.reseller_id = any (p_resellers) order by w.reseller_id for no key update;
end $$;
