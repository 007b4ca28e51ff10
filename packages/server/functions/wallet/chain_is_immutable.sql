-- Hashes of the ledger are never changed or deleted: the chain could not prove anything otherwise.
create or replace function chain_is_immutable() returns trigger language plpgsql as $$
begin
  raise exception 'hashes of the ledger are immutable';
end $$;

create or replace trigger transfer_chain_immutable before update or delete or truncate on transfer_chain
  for each statement execute function chain_is_immutable();
