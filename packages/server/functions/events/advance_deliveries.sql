-- Moves the test clock of an account in staging: retries, the age of receivers' failures and the end of a previous
-- secret come nearer. Leases stay. Work that another node is recording at this moment is skipped: that node reads the
-- lane's clock itself.
create or replace function advance_deliveries(p_reseller bigint, p_seconds integer) returns void
language plpgsql
set enable_seqscan = off set jit = off
as $$
declare
  v_by interval := make_interval(secs => p_seconds);
begin
  perform 1 from delivery_lanes l where l.reseller_id = p_reseller order by l.stream for update;
  update delivery_lanes l
     set advanced_ms = l.advanced_ms + p_seconds * 1000::bigint,
         next_at = case when l.holder is null then later(l.next_at, -v_by) else l.next_at end
   where l.reseller_id = p_reseller;
  update delivery_work w set next_at = later(w.next_at, -v_by)
    from (select w.stream, w.next_at, w.delivery_id from delivery_work w
           where w.reseller_id = p_reseller for update skip locked) held
   where w.reseller_id = p_reseller and w.stream = held.stream and w.next_at = held.next_at
     and w.delivery_id = held.delivery_id;
  update event_endpoints e
     set failing_since = later(e.failing_since, -v_by), failure_told_at = later(e.failure_told_at, -v_by),
         previous_secret_until = later(e.previous_secret_until, -v_by)
   where e.reseller_id = p_reseller
     and (e.failing_since is not null or e.failure_told_at is not null or e.previous_secret_until is not null);
  perform pg_notify(channel_prefix() || 'deliveries', '');
end $$;
