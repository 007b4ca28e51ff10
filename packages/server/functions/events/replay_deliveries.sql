-- Replays failed deliveries one by one, in the order given; an id that is named twice is replayed twice. Outcomes:
-- replayed, not_found, not_failed, gone, limit, or the reason why nothing is sent at present: missing, disabled,
-- paused. Replays of one account and stream wait for each other, so that no event is replayed more often than allowed.
create or replace function replay_deliveries(p_reseller bigint, p_stream text, p_ids uuid[], p_replays_max integer)
returns table (place integer, outcome text, new_id uuid, event_id text)
language plpgsql
set enable_seqscan = off set jit = off
as $$
#variable_conflict use_column
declare
  v_endpoint record;
  v_delivery deliveries;
  v_replays integer;
  v_now timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('replay_deliveries ' || p_stream, p_reseller) # lock_mark());
  v_now := clock_timestamp();
  select * into v_endpoint from find_open_endpoint(p_reseller, p_stream, false);
  for v_place in 1 .. cardinality(p_ids) loop
    select * into v_delivery from deliveries d
     where d.reseller_id = p_reseller and d.stream = p_stream and d.id = p_ids[v_place] and d.status <> 'superseded';
    if not found then
      return query select v_place, 'not_found', null::uuid, null::text;
      continue;
    end if;
    if v_delivery.status <> 'failed' or v_delivery.source = 'test' then
      return query select v_place, 'not_failed', null::uuid, v_delivery.event_id;
      continue;
    end if;
    if not is_content_kept(v_delivery) then
      return query select v_place, 'gone', null::uuid, v_delivery.event_id;
      continue;
    end if;
    select max(d.replay_number) into v_replays from deliveries d
     where d.reseller_id = p_reseller and d.event_id = v_delivery.event_id and d.stream = p_stream;
    if v_replays >= p_replays_max then
      return query select v_place, 'limit', null::uuid, v_delivery.event_id;
      continue;
    end if;
    if v_endpoint.state <> 'open' then
      return query select v_place, v_endpoint.state, null::uuid, v_delivery.event_id;
      continue;
    end if;
    v_delivery.original_id := v_delivery.id;
    v_delivery.replay_number := v_replays + 1;
    v_delivery.id := new_delivery_id(v_now, v_place);
    v_delivery.status := 'pending';
    v_delivery.attempts := '[]';
    v_delivery.attempts_made := 0;
    v_delivery.error := '';
    v_delivery.response_status := 0;
    v_delivery.sealed_response := null;
    v_delivery.url := v_endpoint.url;
    v_delivery.method := v_endpoint.method;
    v_delivery.created_at := v_now;
    v_delivery.completed_at := null;
    perform queue_delivery(v_delivery);
    return query select v_place, 'replayed', v_delivery.id, v_delivery.event_id;
  end loop;
end $$;
