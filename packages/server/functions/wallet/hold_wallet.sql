-- Locks one wallet for a caller that can wait longer than a batch: an operator's command or a job.
create or replace function hold_wallet(p_reseller bigint)
returns table (balance bigint, sequence bigint)
language plpgsql set lock_timeout = '5s' as $$
#variable_conflict use_column
begin
  return query
    select w.balance, w.sequence from wallets w where w.reseller_id = p_reseller for no key update;
end $$;
