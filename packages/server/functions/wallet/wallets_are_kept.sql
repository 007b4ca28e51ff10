-- Keeps every wallet. Entries have no foreign key to their wallet, so this trigger protects it in place of one.
create or replace function wallets_are_kept() returns trigger language plpgsql as $$
begin
  raise exception 'wallets are kept: their entries are immutable';
end $$;

create or replace trigger wallets_kept before delete or truncate on wallets
  for each statement execute function wallets_are_kept();
