-- PINs and links that we hold ourselves and sell one by one. An item is bound to its payment in the commit that
-- takes the payment, and that is its sale: whatever becomes of the payment, what may have been shown to somebody is
-- never free again. Payments touch the stock only through the functions below.

-- owner: providers
-- The key of the fingerprints: random, made once and sealed by the vault. Whoever has the database without the
-- master key cannot try out which PINs are in it.
create table stock_keys (
  singleton boolean primary key default true check (singleton),
  sealed_key bytea not null,
  created_at timestamptz not null default now()
);

-- owner: providers
-- One file that was loaded, all of it or nothing; and, where it was, its withdrawal.
create table stock_batches (
  id bigint generated always as identity primary key,
  product_code text collate "C" not null,
  -- null: the file says it line by line.
  denomination bigint check (denomination > 0),
  file_name text not null,
  items integer not null check (items > 0),
  loaded_by text not null,
  loaded_at timestamptz not null default now(),
  withdrawn_by text,
  withdrawn_reason text,
  withdrawn_at timestamptz,
  check (num_nonnulls(withdrawn_by, withdrawn_reason, withdrawn_at) in (0, 3))
);

-- owner: providers
-- No table of a reseller's: an item belongs to nobody until it is sold.
create table stock_items (
  id bigint generated always as identity primary key,
  batch_id bigint not null references stock_batches,
  product_code text collate "C" not null,
  -- The amount that a payment names.
  denomination bigint not null check (denomination > 0),
  -- PIN, serial number and link; bound to the fingerprint
  sealed bytea not null,
  -- Of the PIN, or of the link where there is no PIN: nothing is loaded twice, ever.
  fingerprint bytea not null constraint stock_items_fingerprint unique,
  -- The last day of its use. Never null, so that what is past it is a range of the index and not a row to look at.
  expiry date not null default 'infinity',
  -- Whose it is now; null: free.
  reseller_id bigint,
  payment_id bigint,
  bound_at timestamptz,
  -- The payment failed or was voided: its money went back, and the item is gone all the same.
  spent_at timestamptz,
  withdrawn_at timestamptz,
  check (num_nonnulls(reseller_id, payment_id, bound_at) in (0, 3)),
  check (payment_id is not null or spent_at is null),
  check (payment_id is null or withdrawn_at is null)
  -- What was sold lies in the way to what is free until it is swept out of the index.
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- The next to be sold is the first of its product and denomination that has not expired. What is sold or withdrawn
-- is not in it: with a million items of which most are sold it is as small as what is left.
create index stock_items_free on stock_items (product_code, denomination, expiry, id)
  where payment_id is null and withdrawn_at is null;
-- Whatever goes wrong above it: one item for a payment.
create unique index stock_items_payment on stock_items (payment_id) where payment_id is not null;

create function stock_is_kept() returns trigger language plpgsql as $$
begin
  raise exception 'an item of the stock is sold once, and kept';
end $$;
create trigger stock_items_sold_once before update of reseller_id, payment_id, bound_at, sealed, fingerprint on stock_items
  for each row when (old.payment_id is not null) execute function stock_is_kept();
create trigger stock_items_kept before delete or truncate on stock_items
  for each statement execute function stock_is_kept();

-- owner: providers
-- Below which number of free items an operator wants to hear of it.
create table stock_levels (
  product_code text collate "C" not null,
  denomination bigint not null check (denomination > 0),
  items_min integer not null check (items_min > 0),
  primary key (product_code, denomination)
);

-- Locks a free item for each that is asked for, as far as there are any, in the order in which they are to be sold;
-- those that are bound before the commit are sold, the others are free again after it. Items that another commit
-- holds are passed over, never waited for: so it has no place in the order of locks. For the same reason the last
-- ones of a product may be refused to one batch while another still holds them and then does not take them.
create function reserve_stock(p_products text[], p_denominations bigint[])
returns table (product_code text, denomination bigint, id bigint)
language plpgsql
-- The plans are kept, and may have been made when the table was empty.
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

-- Sells items that the caller has reserved. By the array and not by a join with it, and without naming what the
-- partial index holds: a join planned on an empty table looked at every free item for each that was sold, 10 ms of it.
-- One that is sold already is refused by the trigger, a withdrawn one by the check.
create function bind_stock(p_items bigint[], p_resellers bigint[], p_payments bigint[], p_at timestamptz)
returns void language plpgsql
set enable_seqscan = off set plan_cache_mode = force_generic_plan
as $$
declare
  v_bound integer;
begin
  update stock_items i
     set reseller_id = p_resellers[array_position(p_items, i.id)],
         payment_id = p_payments[array_position(p_items, i.id)], bound_at = p_at
   where i.id = any (p_items);
  get diagnostics v_bound = row_count;
  if v_bound <> cardinality(p_items) then
    raise exception 'stock that was reserved is not there: % of % items', v_bound, cardinality(p_items);
  end if;
end $$;

-- Of payments whose money went back, those that had an item have spent it.
create function spend_stock(p_payments bigint[]) returns void language sql as $$
  update stock_items set spent_at = now()
   where payment_id = any (p_payments) and payment_id is not null and spent_at is null
$$;
