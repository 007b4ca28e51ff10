-- Posts entries of one kind to wallets that the caller has locked. The entries of each wallet come in the order of
-- their sequence, and the wallet ends with the balance of its last entry. An entry that does not follow the last one
-- of its wallet is refused. The facts for the feed are appended in the same commit, so no entry exists without its
-- fact.
create or replace function post_entries(
  p_kind text, p_house_account text, p_resellers bigint[], p_sequences bigint[], p_amounts bigint[],
  p_balances bigint[], p_payments bigint[], p_remarks text[], p_at timestamptz
) returns void language plpgsql as $$
declare
  v_wallets integer;
  v_moved integer;
begin
  insert into transfers (reseller_id, sequence, kind, house_account, amount, balance_after, payment_id, remarks,
                         created_at)
  select e.reseller_id, e.sequence, p_kind, p_house_account, e.amount, e.balance, e.payment_id, e.remarks, p_at
    from unnest(p_resellers, p_sequences, p_amounts, p_balances, p_payments, p_remarks)
      as e (reseller_id, sequence, amount, balance, payment_id, remarks);
  with last as (
    select e.reseller_id, min(e.sequence) as first_sequence, max(e.sequence) as sequence,
           (array_agg(e.balance order by e.sequence desc))[1] as balance
      from unnest(p_resellers, p_sequences, p_balances) as e (reseller_id, sequence, balance)
     group by e.reseller_id
  ), moved as (
    update wallets w set balance = last.balance, sequence = last.sequence, last_entry_at = p_at
      from last where w.reseller_id = last.reseller_id and w.sequence = last.first_sequence - 1
    returning 1
  )
  select (select count(*) from last), (select count(*) from moved) into v_wallets, v_moved;
  if v_moved <> v_wallets then
    raise exception 'entries do not follow on their wallets: % of % wallets', v_moved, v_wallets;
  end if;
  perform append_facts(
    p_source => case p_kind when 'payment' then 'taken' else 'refunded' end, p_resellers => p_resellers,
    p_subjects => p_payments, p_codes => null, p_amounts => p_amounts, p_balances => p_balances, p_spans => null,
    p_type => null, p_data => null, p_at => p_at);
end $$;
