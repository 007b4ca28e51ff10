-- Locks a payment until the commit and returns its state.
create or replace function hold_payment(p_reseller bigint, p_id bigint) returns smallint language plpgsql as $$
declare
  v_result smallint;
begin
  select p.code into v_result from payments p where p.reseller_id = p_reseller and p.id = p_id for no key update;
  return v_result;
end $$;
