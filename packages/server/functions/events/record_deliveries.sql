-- Records the results of a batch of deliveries in one commit. Running it again changes nothing. Outcomes:
--   success, failed, superseded   the new state of the delivery
--   retry                         failed, and tried again while attempts are left
-- A null in `p_ats` means that nothing was sent. A finished delivery stays as it is, even if somebody sent it once
-- more. The row of the endpoint is written only if something about it changes. Returns the new state of each command,
-- null if nothing changed.
create or replace function record_deliveries(
  p_resellers bigint[], p_streams text[], p_ids uuid[], p_work_ats timestamptz[], p_advanced_ms bigint[],
  p_outcomes text[], p_attempts_max smallint[], p_retry_ms integer[], p_is_test boolean[], p_ats text[],
  p_ms integer[], p_errors text[], p_response_statuses smallint[], p_sealed_responses bytea[], p_urls text[],
  p_methods text[]
) returns text[]
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_sort = off set jit = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_now timestamptz;
  v_states text[];
  v_rows tid[];
begin
  if 'retry' = any (p_outcomes) then
    -- Locks the lanes: no test clock moves between this look at it and the commit.
    perform 1 from delivery_lanes l
     where (l.reseller_id, l.stream) in (
       select c.reseller_id, c.stream
         from unnest(p_resellers, p_streams, p_outcomes) as c (reseller_id, stream, outcome)
        where c.outcome = 'retry')
     order by l.reseller_id, l.stream for share of l;
  end if;
  -- Locks the rows in the order of their keys, so that nodes which record the same deliveries wait rather than
  -- deadlock. The rows are found as due_deliveries finds them.
  select array_agg(d.ctid order by c.command) into v_rows
    from (select * from unnest(p_resellers, p_streams, p_ids) with ordinality as c (reseller_id, stream, id, command)
           order by c.reseller_id, c.stream, c.id) c
    left join lateral (
      select d.ctid from deliveries d
       where d.reseller_id = c.reseller_id and d.stream = c.stream and d.id between c.id and c.id
       order by d.id limit 1 for no key update
    ) d on true;
  v_now := clock_timestamp();

  with done as (
    update deliveries d
       set status = case when c.outcome = 'retry' and d.attempts_made + 1 < c.attempts_max then 'pending'
                         when c.outcome = 'retry' then 'failed' else c.outcome end,
           attempts = case when c.at is null then d.attempts else d.attempts || jsonb_build_object(
                        'at', c.at, 'ms', c.ms, 'status', c.response_status, 'error', c.error) end,
           attempts_made = d.attempts_made + case when c.at is null then 0 else 1 end,
           error = c.error,
           response_status = case when c.at is null then d.response_status else c.response_status end,
           sealed_response = case when c.at is null then d.sealed_response else c.sealed_response end,
           url = coalesce(c.url, d.url), method = coalesce(c.method, d.method),
           completed_at = case when c.outcome = 'retry' and d.attempts_made + 1 < c.attempts_max then null
                               else v_now end
      from unnest(v_rows, p_outcomes, p_attempts_max, p_ats, p_ms, p_errors, p_response_statuses, p_sealed_responses,
                  p_urls, p_methods) with ordinality
        as c (place, outcome, attempts_max, at, ms, error, response_status, sealed_response, url, method, command)
     where d.ctid = c.place and d.status = 'pending'
       and (c.at is null or d.attempts_made = 0 or not d.attempts @> jsonb_build_array(jsonb_build_object(
              'at', c.at, 'ms', c.ms, 'status', c.response_status, 'error', c.error)))
    returning c.command, d.status
  )
  select array_agg(done.status order by k.command)
    into v_states
    from generate_subscripts(p_ids, 1) as k (command) left join done on done.command = k.command;

  perform settle_work(
    p_resellers => p_resellers, p_streams => p_streams, p_ids => p_ids, p_work_ats => p_work_ats,
    p_advanced_ms => p_advanced_ms, p_retry_ms => p_retry_ms, p_states => v_states, p_now => v_now);
  if exists (select from unnest(v_states) as s (state) where s.state <> 'superseded') then
    perform judge_endpoints(
      p_resellers => p_resellers, p_streams => p_streams, p_urls => p_urls, p_errors => p_errors,
      p_is_test => p_is_test, p_ats => p_ats, p_states => v_states, p_now => v_now);
  end if;
  if not 'failed' = any (v_states) then return v_states; end if;
  -- A delivery that was given up is told once, in the commit that gives it up.
  perform append_facts(
    p_source => 'own', p_resellers => array[c.reseller_id], p_subjects => array[0::bigint], p_codes => null,
    p_amounts => null, p_balances => null, p_spans => null, p_type => 'delivery.failed',
    p_data => jsonb_build_object('stream', c.stream, 'jobId', c.id, 'eventId', d.event_id,
                                 'url', split_part(d.url, '?', 1), 'error', c.error, 'attempts', d.attempts_made),
    p_at => v_now)
     from unnest(p_resellers, p_streams, p_ids, p_errors, p_is_test, v_states) with ordinality
       as c (reseller_id, stream, id, error, is_test, state, command)
    cross join lateral (
      select * from deliveries d
       where d.reseller_id = c.reseller_id and d.stream = c.stream and d.id between c.id and c.id
       order by d.id limit 1
    ) d
    where c.state = 'failed' and not c.is_test;
  return v_states;
end $$;
