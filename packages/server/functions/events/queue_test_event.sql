-- Queues a test event. Its id begins with its millisecond, so that the test events of the last minute lie together.
-- Outcomes: queued, limit, missing, disabled. A paused endpoint is tested too: a test that arrives resumes it.
create or replace function queue_test_event(
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
  perform pg_advisory_xact_lock(hashtextextended('queue_test_event', p_reseller) # lock_mark());
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
