-- Locks a free item for each one asked for, as far as there are any, in the order in which they are sold. Items that
-- the caller binds before its commit are sold; the others are free again after it. Items that another commit has
-- locked are skipped, never waited for, so this has no place in the order of locks. For the same reason one batch may
-- be refused the last items of a product while another batch holds them and then does not take them.
create or replace function reserve_stock(p_products text[], p_denominations bigint[])
returns table (product_code text, denomination bigint, id bigint)
language plpgsql
-- Plans are kept and may have been made while the table was empty.
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_wanted record;
begin
  for v_wanted in
    select w.product_code, w.denomination, count(*) as items
      from unnest(p_products, p_denominations) as w (product_code, denomination)
     group by w.product_code, w.denomination
  loop
    return query
      select i.product_code, i.denomination, i.id
        from stock_items i
       where i.product_code = v_wanted.product_code and i.denomination = v_wanted.denomination
         and i.expiry >= (now() at time zone 'Asia/Kuala_Lumpur')::date
         and i.payment_id is null and i.withdrawn_at is null
       order by i.expiry, i.id
       limit v_wanted.items
         for no key update skip locked;
  end loop;
end $$;
