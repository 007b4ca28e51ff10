-- Returns the state of a payment without locking it.
create or replace function payment_code(p_reseller bigint, p_id bigint) returns smallint language plpgsql stable as $$
begin
  return (
    select p.code from payments p where p.reseller_id = p_reseller and p.id = p_id
  );
end $$;
