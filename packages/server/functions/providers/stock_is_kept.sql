-- Refuses changes to stock items that are sold, and every removal: a PIN that may have been shown is never free again.
create or replace function stock_is_kept() returns trigger language plpgsql as $$
begin
  raise exception 'an item of the stock is sold once, and kept';
end $$;

create or replace trigger stock_items_sold_once
  before update of reseller_id, payment_id, bound_at, sealed, fingerprint on stock_items
  for each row when (old.payment_id is not null) execute function stock_is_kept();

create or replace trigger stock_items_kept before delete or truncate on stock_items
  for each statement execute function stock_is_kept();
