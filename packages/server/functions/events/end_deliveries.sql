-- Ends the oldest due deliveries of a receiver that is removed, disabled or paused, without a request and many at a time.
-- Returns how many it ended. Deliveries that the caller has under way are left out: their results are recorded. A test
-- is sent to a paused receiver too. Each delivery that was given up is told as a fact, so nothing is ended while the
-- sequencer has many facts before it: events of other accounts must not wait behind a hundred thousand of this one.
create or replace function end_deliveries(p_reseller bigint, p_stream text, p_except uuid[], p_rows_max integer)
returns integer
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_error text;
  v_has_tests boolean;
  v_now timestamptz;
  v_work_ats timestamptz[];
  v_ids uuid[];
  v_rows tid[];
  v_told jsonb[];
  v_ended integer;
  v_removed integer;
begin
  select case when e.stream is null then 'The endpoint was removed'
              when not e.is_enabled then 'The endpoint is disabled'
              when e.paused_at is not null then 'The endpoint is paused' end, coalesce(e.is_enabled, false)
    into v_error, v_has_tests
    from (select) one left join event_endpoints e on e.reseller_id = p_reseller and e.stream = p_stream;
  if v_error is null or (select count(*) from (select from event_facts limit 200) f) >= 200 then return 0; end if;

  select array_agg(w.next_at order by w.next_at, w.delivery_id), array_agg(w.delivery_id order by w.next_at, w.delivery_id)
    into v_work_ats, v_ids
    from (
      select w.next_at, w.delivery_id from delivery_work w
       cross join lateral (
         -- The order keeps the planner to the primary key: see due_deliveries.
         select d.source from deliveries d
          where d.reseller_id = w.reseller_id and d.stream = w.stream and d.id between w.delivery_id and w.delivery_id
          order by d.id limit 1
       ) d
       where w.reseller_id = p_reseller and w.stream = p_stream and w.next_at <= now()
         and w.delivery_id <> all (p_except) and not (v_has_tests and d.source = 'test')
       order by w.next_at, w.delivery_id limit p_rows_max
    ) w;
  if v_ids is null then return 0; end if;

  -- Locks in the order of record_deliveries.
  select array_agg(d.ctid) into v_rows
    from (select c.id from unnest(v_ids) as c (id) order by c.id) c
   cross join lateral (
     select d.ctid from deliveries d
      where d.reseller_id = p_reseller and d.stream = p_stream and d.id between c.id and c.id
      order by d.id limit 1 for no key update
   ) d;
  v_now := clock_timestamp();
  with done as (
    update deliveries d set status = 'failed', error = v_error, completed_at = v_now
     where d.ctid = any (v_rows) and d.status = 'pending'
    returning d.id, d.event_id, d.source, d.url, d.attempts_made
  )
  select count(*), array_agg(jsonb_build_object(
           'stream', p_stream, 'jobId', d.id, 'eventId', d.event_id, 'url', split_part(d.url, '?', 1),
           'error', v_error, 'attempts', d.attempts_made) order by array_position(v_ids, d.id))
         filter (where d.source <> 'test')
    into v_ended, v_told from done d;
  delete from delivery_work w
   using unnest(v_work_ats, v_ids) as c (work_at, id)
   where w.reseller_id = p_reseller and w.stream = p_stream and w.next_at = c.work_at and w.delivery_id = c.id;
  get diagnostics v_removed = row_count;
  if v_removed < cardinality(v_ids) then
    -- Another node recorded a result, or a test clock moved the work, while this call waited for the rows above.
    delete from delivery_work w
     where w.reseller_id = p_reseller and w.stream = p_stream and w.delivery_id = any (v_ids);
  end if;
  perform append_facts(
    p_source => 'own', p_resellers => array[p_reseller], p_subjects => array[0::bigint], p_codes => null,
    p_amounts => null, p_balances => null, p_spans => null, p_type => 'delivery.failed', p_data => t.data,
    p_at => v_now)
     from unnest(v_told) as t (data);
  return v_ended;
end $$;
