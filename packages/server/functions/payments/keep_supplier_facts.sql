-- Keeps what suppliers said about attempts beside their outcome: their own ids, and what they took from us. The first
-- id of an attempt stays, because it is asked about under it. A null id or cost was not said.
create or replace function keep_supplier_facts(
  p_resellers bigint[], p_payments bigint[], p_attempts smallint[], p_providers text[], p_supplier_ids text[],
  p_currencies text[], p_costs bigint[]
) returns void language plpgsql as $$
#variable_conflict use_column
begin
  insert into payment_supplier_references as r (reseller_id, payment_id, attempt, provider, supplier_id)
  select c.reseller_id, c.payment_id, c.attempt, c.provider, c.supplier_id
    from unnest(p_resellers, p_payments, p_attempts, p_providers, p_supplier_ids)
      as c (reseller_id, payment_id, attempt, provider, supplier_id)
   where c.supplier_id is not null
   order by c.reseller_id, c.payment_id, c.attempt
  on conflict (reseller_id, payment_id, attempt) do update set supplier_id = excluded.supplier_id
   where r.supplier_id is null;
  -- A ringgit is a ringgit; other rates are kept by a job, when no earlier one can come any more.
  insert into payment_supplier_costs (reseller_id, payment_id, attempt, provider, currency, amount, rate)
  select c.reseller_id, c.payment_id, c.attempt, c.provider, c.currency, c.cost, case when c.currency = 'MYR' then 1 end
    from unnest(p_resellers, p_payments, p_attempts, p_providers, p_currencies, p_costs)
      as c (reseller_id, payment_id, attempt, provider, currency, cost)
   where c.cost is not null
   order by c.reseller_id, c.payment_id, c.attempt
  on conflict (reseller_id, payment_id, attempt) do nothing;
end $$;
