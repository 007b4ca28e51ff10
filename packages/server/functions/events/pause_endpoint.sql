-- Pauses a webhook that has failed for days, unless it was hardly tried in that time.
create or replace function pause_endpoint(p_reseller bigint, p_stream text, p_now timestamptz) returns void
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
  perform append_facts(
    p_source => 'own', p_resellers => array[p_reseller], p_subjects => array[0::bigint], p_codes => null,
    p_amounts => null, p_balances => null, p_spans => null, p_type => 'endpoint.paused',
    p_data => jsonb_build_object('stream', p_stream, 'url', split_part(v_endpoint.url, '?', 1),
                                 'since', v_endpoint.failing_since),
    p_at => p_now);
  perform append_notice(p_reseller, 'endpoint.paused',
                        jsonb_build_object('stream', p_stream, 'url', split_part(v_endpoint.url, '?', 1),
                                           'since', v_endpoint.failing_since),
                        p_now);
end $$;
