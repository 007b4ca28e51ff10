-- Marks the items of payments whose money went back as spent.
create or replace function spend_stock(p_payments bigint[]) returns void language plpgsql as $$
begin
  update stock_items set spent_at = now()
   where payment_id = any (p_payments) and payment_id is not null and spent_at is null;
end $$;
