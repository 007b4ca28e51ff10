-- Returns the balance of a wallet as the calling statement sees it, without a lock.
create or replace function wallet_balance(p_reseller bigint) returns bigint language plpgsql stable as $$
begin
  return (
    select w.balance from wallets w where w.reseller_id = p_reseller
  );
end $$;
