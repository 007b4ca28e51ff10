-- What suppliers said that they took for payments between two ids, in ringgit by the rates that are kept with the costs.
-- A payment of which some cost has no rate is left out.
create or replace function told_costs(p_reseller bigint, p_first bigint, p_behind bigint)
returns table (payment_id bigint, ringgit bigint)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
    select c.payment_id, sum(round(c.amount * c.rate))::bigint
      from payment_supplier_costs c
     where c.reseller_id = p_reseller and c.payment_id >= p_first and c.payment_id < p_behind
     group by c.payment_id
    having bool_and(c.rate is not null);
end $$;
