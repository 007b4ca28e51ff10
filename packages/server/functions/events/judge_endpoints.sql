-- Updates the receivers after a batch. A success ends a receiver's failure; without one it fails from now on, and a
-- webhook that has failed for days is paused. Its owner is told at most once a day of deliveries that were given up. A
-- result from another address than the present one says nothing about the receiver.
create or replace function judge_endpoints(
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
         -- A test that arrived resumes a paused endpoint.
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
