-- Finds the payment that a provider's callback names. The provider knows our reference alone, not the reseller. Only
-- the index payments_by_id leads there; the other ways are switched off because plans are kept and may have been made
-- while the table was empty.
create or replace function find_called_payment(p_id bigint)
returns table (reseller_id bigint, code smallint, amount bigint, face_value bigint)
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
#variable_conflict use_column
begin
  return query select p.reseller_id, p.code, p.amount, p.face_value from payments p where p.id + 0 = p_id;
end $$;
