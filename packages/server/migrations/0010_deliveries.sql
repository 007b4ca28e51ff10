-- Deliveries on their way: lanes are leased, what is due is read, what came of it is written down in batches.

-- By how much the account's test clock was moved while the lane was there: what failed before a move, and is written
-- down after it, is due as if it had been written down at once.
alter table delivery_lanes add column advanced_ms bigint not null default 0;

-- Rows come and go by the hundred thousand, and few are there at a time: what is gone is cleared away early, or every look
-- at the front of the line walks over it.
alter table event_facts set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
alter table delivery_work set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- A change of an endpoint holds from its commit on: nodes read again what they have read ahead for it.
create function tell_endpoint_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('deliveries', coalesce(new.reseller_id, old.reseller_id) || ' ' || coalesce(new.stream, old.stream));
  return null;
end $$;

create trigger event_endpoints_made after insert or delete on event_endpoints
  for each row execute function tell_endpoint_change();
create trigger event_endpoints_changed after update on event_endpoints
  for each row when (
    (old.url, old.method, old.is_enabled, old.sealed_secret, old.previous_secret_until, old.paused_at)
    is distinct from
    (new.url, new.method, new.is_enabled, new.sealed_secret, new.previous_secret_until, new.paused_at))
  execute function tell_endpoint_change();

-- Takes lanes in which something is due and that nobody has, longest waiting first.
create function claim_lanes(p_holder uuid, p_lanes_max integer, p_lease_ms integer)
returns table (reseller_id bigint, stream text)
language plpgsql
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
    with free as materialized (
      select l.reseller_id, l.stream from delivery_lanes l
       where l.next_at <= now() and l.leased_until <= now()
       order by l.next_at limit p_lanes_max for update skip locked
    )
    update delivery_lanes l
       set holder = p_holder, leased_until = clock_timestamp() + p_lease_ms * interval '1 millisecond'
      from free where l.reseller_id = free.reseller_id and l.stream = free.stream
    returning l.reseller_id, l.stream;
end $$;

-- Returns those that are still the holder's; the others were taken over.
create function renew_lanes(p_holder uuid, p_resellers bigint[], p_streams text[], p_lease_ms integer)
returns table (reseller_id bigint, stream text)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
    with held as materialized (
      select l.reseller_id, l.stream
        from unnest(p_resellers, p_streams) as k (reseller_id, stream)
        join delivery_lanes l on l.reseller_id = k.reseller_id and l.stream = k.stream
       where l.holder = p_holder
       order by l.reseller_id, l.stream for update of l
    )
    update delivery_lanes l set leased_until = clock_timestamp() + p_lease_ms * interval '1 millisecond'
      from held where l.reseller_id = held.reseller_id and l.stream = held.stream
    returning l.reseller_id, l.stream;
end $$;

-- Gives lanes back. Each is locked before its work is looked at, in a later statement: work that somebody adds at this
-- moment is either seen here, or finds the lane as it is left here and moves it.
create function release_lanes(p_holder uuid, p_resellers bigint[], p_streams text[]) returns void
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan
as $$
begin
  perform 1 from unnest(p_resellers, p_streams) as k (reseller_id, stream)
    join delivery_lanes l on l.reseller_id = k.reseller_id and l.stream = k.stream
   where l.holder = p_holder
   order by l.reseller_id, l.stream for update of l;
  update delivery_lanes l
     set holder = null, leased_until = '-infinity',
         next_at = coalesce((select w.next_at from delivery_work w
                              where w.reseller_id = l.reseller_id and w.stream = l.stream
                              order by w.next_at limit 1), 'infinity')
    from unnest(p_resellers, p_streams) as k (reseller_id, stream)
   where l.reseller_id = k.reseller_id and l.stream = k.stream and l.holder = p_holder;
end $$;

-- The oldest due deliveries of each lane. `work_at` finds the work again exactly: a driver's dates have milliseconds.
create function due_deliveries(p_resellers bigint[], p_streams text[], p_rows_max integer[])
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
     -- The order keeps the planner to the primary key: as long as the table has no statistics, every index that begins
     -- with the account is as good as any other to it, and each row would be looked for among all of the account's.
     cross join lateral (
       select * from deliveries d
        where d.reseller_id = k.reseller_id and d.stream = k.stream and d.id between w.delivery_id and w.delivery_id
        order by d.id limit 1
     ) d;
end $$;

-- Writes down what came of a batch of deliveries, in one commit; running it again changes nothing. Outcomes:
--   success, failed, superseded   as the delivery's state
--   retry                         failed, and worth another attempt while there are some left
-- `ats` null: nothing was sent. A delivery that is finished stays as it is, whoever sent it once more. The endpoint's row
-- is touched only when something about it changes. Returns each command's new state, null where nothing changed.
create function record_deliveries(
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
    -- No test clock moves between the look at it and the commit.
    perform 1 from delivery_lanes l
     where (l.reseller_id, l.stream) in (
       select c.reseller_id, c.stream from unnest(p_resellers, p_streams, p_outcomes) as c (reseller_id, stream, outcome)
        where c.outcome = 'retry')
     order by l.reseller_id, l.stream for share of l;
  end if;
  -- Held in the order of their key, so that nodes which write down the same ones wait rather than deadlock; found as
  -- due_deliveries finds them.
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

  perform settle_work(p_resellers, p_streams, p_ids, p_work_ats, p_advanced_ms, p_retry_ms, v_states, v_now);
  if exists (select from unnest(v_states) as s (state) where s.state <> 'superseded') then
    perform judge_endpoints(p_resellers, p_streams, p_urls, p_errors, p_is_test, p_ats, v_states, v_now);
  end if;
  if not 'failed' = any (v_states) then return v_states; end if;
  -- Given up: told once, in the commit that says so.
  perform append_facts('own', array[c.reseller_id], array[0::bigint], null, null, null, null, 'delivery.failed',
                       jsonb_build_object('stream', c.stream, 'jobId', c.id, 'eventId', d.event_id,
                                          'url', split_part(d.url, '?', 1), 'error', c.error,
                                          'attempts', d.attempts_made), v_now)
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

-- What is finished is nobody's work any more; what is to be tried again waits. The work is found by its due time; where
-- that was moved meanwhile, by a test clock, the lane is looked through.
create function settle_work(
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
  if not 'pending' = any (p_states) then return; end if;
  with found as (
    update delivery_work w
       set next_at = retry_at(c.reseller_id, c.stream, c.advanced_ms, c.retry_ms, p_now)
      from unnest(p_resellers, p_streams, p_ids, p_work_ats, p_advanced_ms, p_retry_ms, p_states) with ordinality
        as c (reseller_id, stream, id, work_at, advanced_ms, retry_ms, state, command)
     where c.state = 'pending' and w.reseller_id = c.reseller_id and w.stream = c.stream and w.next_at = c.work_at
       and w.delivery_id = c.id
    returning c.command::integer
  )
  select coalesce(array_agg(command), '{}') into v_found from found;
  if cardinality(v_found) < (select count(*) from unnest(p_states) as s (state) where s.state = 'pending') then
    update delivery_work w
       set next_at = retry_at(c.reseller_id, c.stream, c.advanced_ms, c.retry_ms, p_now)
      from unnest(p_resellers, p_streams, p_ids, p_advanced_ms, p_retry_ms, p_states) with ordinality
        as c (reseller_id, stream, id, advanced_ms, retry_ms, state, command)
     where c.state = 'pending' and c.command <> all (v_found)
       and w.reseller_id = c.reseller_id and w.stream = c.stream and w.delivery_id = c.id;
  end if;
end $$;

create function retry_at(p_reseller bigint, p_stream text, p_advanced_ms bigint, p_retry_ms integer, p_now timestamptz)
returns timestamptz language sql stable as $$
  select p_now + (p_retry_ms - greatest(l.advanced_ms - p_advanced_ms, 0)) * interval '1 millisecond'
    from delivery_lanes l where l.reseller_id = p_reseller and l.stream = p_stream
$$;

-- What a batch says about its receivers. Something received: it does not fail. Nothing received: it fails since then, and
-- a webhook that failed for days is paused. Its owner is told of what was given up at most once a day. What was sent to
-- another address than the present one says nothing.
create function judge_endpoints(
  p_resellers bigint[], p_streams text[], p_urls text[], p_errors text[], p_is_test boolean[], p_ats text[],
  p_states text[], p_now timestamptz
) returns void
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  update event_endpoints e
     set failing_since = null, last_success_at = p_now,
         -- Its owner asked for a test, and it arrived.
         paused_at = case when s.is_test then null else e.paused_at end
    from (select c.reseller_id, c.stream, c.url, bool_or(c.is_test) as is_test
            from unnest(p_resellers, p_streams, p_urls, p_is_test, p_states)
              as c (reseller_id, stream, url, is_test, state)
           where c.state = 'success' group by c.reseller_id, c.stream, c.url) s
   where e.reseller_id = s.reseller_id and e.stream = s.stream and e.url = s.url
     and (e.failing_since is not null or e.last_success_at is null or (s.is_test and e.paused_at is not null)
          or e.last_success_at < p_now - interval '1 minute');
  if not exists (select from unnest(p_ats, p_is_test, p_states) as c (at, is_test, state)
                  where c.at is not null and not c.is_test and c.state in ('pending', 'failed')) then
    return;
  end if;

  with failed as (
    select c.reseller_id, c.stream, c.url, bool_or(c.state = 'success') as has_success,
           count(*) filter (where c.state = 'failed') as given_up,
           (array_agg(c.error) filter (where c.state = 'failed'))[1] as error
      from unnest(p_resellers, p_streams, p_urls, p_errors, p_is_test, p_ats, p_states)
        as c (reseller_id, stream, url, error, is_test, at, state)
     where c.at is not null and not c.is_test
     group by c.reseller_id, c.stream, c.url
    having bool_or(c.state in ('pending', 'failed'))
  ), noted as (
    update event_endpoints e
       set failing_since = case when f.has_success then e.failing_since else coalesce(e.failing_since, p_now) end,
           failure_told_at = case when f.given_up > 0 and (e.failure_told_at is null
                                    or e.failure_told_at < p_now - interval '24 hours')
                                  then p_now else e.failure_told_at end
      from failed f
     where e.reseller_id = f.reseller_id and e.stream = f.stream and e.url = f.url
       and ((e.failing_since is null and not f.has_success)
            or (f.given_up > 0
                and (e.failure_told_at is null or e.failure_told_at < p_now - interval '24 hours')))
    returning e.reseller_id, e.stream, e.url, e.failing_since, e.failure_told_at, f.error, f.given_up
  )
  insert into mail_notices (reseller_id, kind, data, created_at)
  select n.reseller_id, 'delivery.failed',
         jsonb_build_object('stream', n.stream, 'url', split_part(n.url, '?', 1), 'error', n.error,
                            'since', coalesce(n.failing_since, p_now), 'failedCount', n.given_up),
         p_now
    from noted n where n.given_up > 0 and n.failure_told_at = p_now;

  perform pause_endpoint(e.reseller_id, e.stream, p_now)
     from event_endpoints e
    where (e.reseller_id, e.stream) in (
            select c.reseller_id, c.stream from unnest(p_resellers, p_streams, p_is_test, p_ats, p_states)
              as c (reseller_id, stream, is_test, at, state)
             where c.at is not null and not c.is_test and c.state in ('pending', 'failed'))
      and e.stream <> 'callback' and e.is_enabled and e.paused_at is null
      and e.failing_since < p_now - interval '3 days';
end $$;

-- Pauses a webhook that has failed for days, unless it was hardly ever tried in that time.
create function pause_endpoint(p_reseller bigint, p_stream text, p_now timestamptz) returns void
language plpgsql
set enable_seqscan = off set jit = off
as $$
declare
  v_endpoint event_endpoints;
begin
  select * into v_endpoint from event_endpoints e
   where e.reseller_id = p_reseller and e.stream = p_stream and e.paused_at is null for no key update;
  if v_endpoint is null or 10 > (
    select coalesce(sum(d.attempts_made), 0) from (
      select d.attempts_made from deliveries d
       where d.reseller_id = p_reseller and d.stream = p_stream
         and d.id >= first_delivery_id(v_endpoint.failing_since - interval '1 hour')
       order by d.id limit 100) d)
  then
    return;
  end if;
  update event_endpoints e set paused_at = p_now where e.reseller_id = p_reseller and e.stream = p_stream;
  perform append_facts('own', array[p_reseller], array[0::bigint], null, null, null, null, 'endpoint.paused',
                       jsonb_build_object('stream', p_stream, 'url', split_part(v_endpoint.url, '?', 1),
                                          'since', v_endpoint.failing_since), p_now);
  insert into mail_notices (reseller_id, kind, data, created_at)
  values (p_reseller, 'endpoint.paused',
          jsonb_build_object('stream', p_stream, 'url', split_part(v_endpoint.url, '?', 1),
                             'since', v_endpoint.failing_since),
          p_now);
end $$;

-- No delivery made at that instant or later has a smaller id.
create function first_delivery_id(p_at timestamptz) returns uuid language sql immutable as $$
  select rpad(lpad(to_hex(floor(extract(epoch from p_at) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$$;

-- Staging's test clock: brings an account's retries, the age of its receivers' troubles and the end of a previous secret
-- nearer. Leases stay. What somebody is writing down at this moment is skipped: who does so looks at the lane's clock.
create function advance_deliveries(p_reseller bigint, p_seconds integer) returns void
language plpgsql
set enable_seqscan = off set jit = off
as $$
declare
  v_by interval := make_interval(secs => p_seconds);
begin
  perform 1 from delivery_lanes l where l.reseller_id = p_reseller order by l.stream for update;
  update delivery_lanes l set advanced_ms = l.advanced_ms + p_seconds * 1000::bigint, next_at = l.next_at - v_by
   where l.reseller_id = p_reseller;
  update delivery_work w set next_at = w.next_at - v_by
    from (select w.stream, w.next_at, w.delivery_id from delivery_work w
           where w.reseller_id = p_reseller for update skip locked) held
   where w.reseller_id = p_reseller and w.stream = held.stream and w.next_at = held.next_at
     and w.delivery_id = held.delivery_id;
  update event_endpoints e
     set failing_since = e.failing_since - v_by, failure_told_at = e.failure_told_at - v_by,
         previous_secret_until = e.previous_secret_until - v_by
   where e.reseller_id = p_reseller
     and (e.failing_since is not null or e.failure_told_at is not null or e.previous_secret_until is not null);
  perform pg_notify('deliveries', '');
end $$;
