-- Deliveries that somebody asked for: replays of those that failed, and test events.

-- Those that failed are looked for among a million that did not. The error stands for the state: an index on the state
-- itself would have to be written at every delivery that succeeds.
create index deliveries_troubled on deliveries (reseller_id, stream, id) where error <> '';
-- The same the other way round, for those that arrived among hundreds of thousands that did not. A delivery is in it
-- from the beginning, so that one that succeeds at once changes nothing here.
create index deliveries_untroubled on deliveries (reseller_id, stream, id) where error = '';

-- Whether a delivery can still be told: all but the catalogue's changes is kept for good. A replay is made later than
-- what it repeats, and may stay in the log for longer than its change.
create function is_told_kept(p_delivery deliveries) returns boolean language sql stable as $$
  select p_delivery.source <> 'catalog' or (
    exists (select from account_catalog_events a
             where a.reseller_id = p_delivery.reseller_id and a.version = p_delivery.subject)
    and exists (select from catalog_events e
                 where e.version = p_delivery.subject and e.set_id = p_delivery.catalog_set_id
                   and e.position = p_delivery.catalog_position))
$$;

-- A delivery and its work, as the sequencer makes them.
create function queue_delivery(p_delivery deliveries) returns void
language plpgsql as $$
begin
  insert into deliveries select (p_delivery).*;
  insert into delivery_work (reseller_id, stream, next_at, delivery_id)
  values (p_delivery.reseller_id, p_delivery.stream, p_delivery.created_at, p_delivery.id);
  insert into delivery_lanes as l (reseller_id, stream, next_at)
  values (p_delivery.reseller_id, p_delivery.stream, p_delivery.created_at)
  on conflict (reseller_id, stream) do update set next_at = least(l.next_at, excluded.next_at);
  perform pg_notify('deliveries', '');
end $$;

-- Where something that was asked for would go. Its state is returned when it would not get there.
create function find_open_endpoint(p_reseller bigint, p_stream text, p_even_paused boolean, out state text,
                                   out url text, out method text)
language plpgsql stable as $$
begin
  select case when not e.is_enabled then 'disabled' when e.paused_at is not null and not p_even_paused then 'paused'
              else 'open' end, e.url, e.method
    into state, url, method
    from event_endpoints e where e.reseller_id = p_reseller and e.stream = p_stream;
  state := coalesce(state, 'missing');
end $$;

-- Replays failed deliveries one by one, in the order given; one that is named twice is replayed twice. Outcomes: replayed,
-- not_found, not_failed, gone, limit; or why nothing at all is sent now: missing, disabled, paused. Whoever replays
-- something of the same account and stream waits, so that an event is never replayed once too often.
create function replay_deliveries(p_reseller bigint, p_stream text, p_ids uuid[], p_replays_max integer)
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
  perform pg_advisory_xact_lock(hashtextextended('replay_deliveries ' || p_stream, p_reseller));
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
    if not is_told_kept(v_delivery) then
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

-- Queues a test event; its id begins with its millisecond, so that those of the last minute lie together. Outcomes:
-- queued, limit, missing, disabled. One that is paused is sent to: a test that arrives resumes it.
create function queue_test_event(
  p_reseller bigint, p_stream text, p_type text, p_data jsonb, p_at timestamptz, p_per_minute_max integer,
  out outcome text, out new_id uuid, out event_id text)
language plpgsql
set enable_seqscan = off set jit = off
as $$
#variable_conflict use_column
declare
  v_endpoint record;
  v_delivery deliveries;
  v_now timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('queue_test_event', p_reseller));
  v_now := clock_timestamp();
  select * into v_endpoint from find_open_endpoint(p_reseller, p_stream, true);
  if v_endpoint.state <> 'open' then
    outcome := v_endpoint.state;
    return;
  end if;
  if p_per_minute_max <= (
    select count(*) from deliveries d
     where d.reseller_id = p_reseller
       and d.event_id >= 'evt_test_' || first_delivery_id(v_now - interval '1 minute') and d.event_id < 'evt_test_g')
  then
    outcome := 'limit';
    return;
  end if;
  outcome := 'queued';
  new_id := new_delivery_id(v_now, 0);
  event_id := 'evt_test_' || new_id;
  v_delivery.reseller_id := p_reseller;
  v_delivery.stream := p_stream;
  v_delivery.id := new_id;
  v_delivery.event_id := event_id;
  v_delivery.source := 'test';
  v_delivery.subject := 0;
  v_delivery.type := p_type;
  v_delivery.data := p_data;
  v_delivery.at := p_at;
  v_delivery.status := 'pending';
  v_delivery.attempts := '[]';
  v_delivery.attempts_made := 0;
  v_delivery.error := '';
  v_delivery.response_status := 0;
  v_delivery.url := v_endpoint.url;
  v_delivery.method := v_endpoint.method;
  v_delivery.replay_number := 0;
  v_delivery.created_at := v_now;
  perform queue_delivery(v_delivery);
end $$;
