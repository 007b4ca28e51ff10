-- Entries of the ledger are never changed or deleted. An error is corrected by another entry.
create or replace function transfers_are_immutable() returns trigger language plpgsql as $$
begin
  raise exception 'transfers are immutable: correct one by another';
end $$;

create or replace trigger transfers_immutable before update or delete or truncate on transfers
  for each statement execute function transfers_are_immutable();
