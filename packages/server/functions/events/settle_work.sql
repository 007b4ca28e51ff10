-- Ends the work of finished deliveries and moves the rest to its next time. Work is found by its due time; if a test
-- clock has moved that, the whole lane is searched. A null state means that nothing changed; if the delivery was finished
-- before, its work is left over and ends too, or it would be sent again and again. That work is found by its due time
-- alone: if it was moved, it is found the next time.
create or replace function settle_work(
  p_resellers bigint[], p_streams text[], p_ids uuid[], p_work_ats timestamptz[], p_advanced_ms bigint[],
  p_retry_ms integer[], p_states text[], p_now timestamptz
) returns void
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_ended integer;
  v_found integer[];
begin
  delete from delivery_work w
   using unnest(p_resellers, p_streams, p_ids, p_work_ats, p_states) as c (reseller_id, stream, id, work_at, state)
   where c.state <> 'pending' and w.reseller_id = c.reseller_id and w.stream = c.stream and w.next_at = c.work_at
     and w.delivery_id = c.id;
  get diagnostics v_ended = row_count;
  if v_ended < (select count(*) from unnest(p_states) as s (state) where s.state <> 'pending') then
    delete from delivery_work w
     using unnest(p_resellers, p_streams, p_ids, p_states) as c (reseller_id, stream, id, state)
     where c.state <> 'pending' and w.reseller_id = c.reseller_id and w.stream = c.stream and w.delivery_id = c.id;
  end if;
  if num_nulls(variadic p_states) > 0 then
    delete from delivery_work w
     using unnest(p_resellers, p_streams, p_ids, p_work_ats, p_states) as c (reseller_id, stream, id, work_at, state)
     cross join lateral (
       select d.status from deliveries d
        where d.reseller_id = c.reseller_id and d.stream = c.stream and d.id between c.id and c.id
        order by d.id limit 1
     ) d
     where c.state is null and d.status <> 'pending'
       and w.reseller_id = c.reseller_id and w.stream = c.stream and w.next_at = c.work_at and w.delivery_id = c.id;
  end if;
  if not coalesce('pending' = any (p_states), false) then return; end if;
  with retries as materialized (
    select c.*, retry_at(c.reseller_id, c.stream, c.advanced_ms, c.retry_ms, p_now) as next_at
      from unnest(p_resellers, p_streams, p_ids, p_work_ats, p_advanced_ms, p_retry_ms, p_states) with ordinality
        as c (reseller_id, stream, id, work_at, advanced_ms, retry_ms, state, command)
     where c.state = 'pending'
  ), found as (
    update delivery_work w set next_at = r.next_at
      from retries r
     where w.reseller_id = r.reseller_id and w.stream = r.stream and w.next_at = r.work_at and w.delivery_id = r.id
    returning r.command::integer
  )
  select coalesce(array_agg(command), '{}') into v_found from found;
  if cardinality(v_found) < (select count(*) from unnest(p_states) as s (state) where s.state = 'pending') then
    with retries as materialized (
      select c.*, retry_at(c.reseller_id, c.stream, c.advanced_ms, c.retry_ms, p_now) as next_at
        from unnest(p_resellers, p_streams, p_ids, p_advanced_ms, p_retry_ms, p_states) with ordinality
          as c (reseller_id, stream, id, advanced_ms, retry_ms, state, command)
       where c.state = 'pending' and c.command <> all (v_found)
    )
    update delivery_work w set next_at = r.next_at
      from retries r
     where w.reseller_id = r.reseller_id and w.stream = r.stream and w.delivery_id = r.id;
  end if;
end $$;
