-- A reseller without a wallet cannot exist, whichever statement creates the reseller.
create or replace function open_wallet() returns trigger language plpgsql as $$
begin
  insert into wallets (reseller_id) values (new.id);
  return null;
end $$;

create or replace trigger resellers_open_wallet after insert on resellers for each row execute function open_wallet();
