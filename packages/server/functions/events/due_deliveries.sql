-- Reads the oldest due deliveries of each lane. `work_at` is text because it must find the work again exactly, and a
-- driver's dates have milliseconds only.
create or replace function due_deliveries(p_resellers bigint[], p_streams text[], p_rows_max integer[])
returns table (
  lane integer, work_at text, advanced_ms bigint, id uuid, attempts_made smallint, is_replay boolean,
  reseller_id bigint, event_id text, source text, subject bigint, code smallint, amount bigint, balance bigint,
  type text, data jsonb, catalog_set_id uuid, catalog_position integer, at timestamptz
)
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_sort = off set jit = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
    select k.lane::integer, w.next_at::text, l.advanced_ms, d.id, d.attempts_made, d.original_id is not null,
           k.reseller_id, d.event_id, d.source, d.subject, d.code, d.amount, d.balance, d.type, d.data,
           d.catalog_set_id, d.catalog_position, d.at
      from unnest(p_resellers, p_streams, p_rows_max) with ordinality as k (reseller_id, stream, rows_max, lane)
      join delivery_lanes l on l.reseller_id = k.reseller_id and l.stream = k.stream
     cross join lateral (
       select w.next_at, w.delivery_id from delivery_work w
        where w.reseller_id = k.reseller_id and w.stream = k.stream and w.next_at <= now()
        order by w.next_at, w.delivery_id limit k.rows_max
     ) w
     -- The order keeps the planner to the primary key: without statistics every index that begins with the account
     -- looks equally good to it, and each row would be searched among all rows of the account.
     cross join lateral (
       select * from deliveries d
        where d.reseller_id = k.reseller_id and d.stream = k.stream and d.id between w.delivery_id and w.delivery_id
        order by d.id limit 1
     ) d;
end $$;
