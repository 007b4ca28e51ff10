-- Claims lanes of the caller's streams in which deliveries are due and that nobody holds, longest waiting first. The end
-- of a lease is believed only up to the instant that the caller names, because the database's clock may have been moved.
-- A lane without a holder is free at any time. A node names the streams that it knows: one of an earlier version must
-- not hold the lane of a stream that came later. A held lane has the end of its lease as its next time: a claim looks
-- only at lanes that it may take, however many lanes others hold. The text is not made by db/leases.ts: a lane has two times, because it
-- stays held over many deliveries, and its claim is on the way of every delivery, under plan settings that only a
-- function can have.
create or replace function claim_lanes_of(
  p_streams text[], p_holder uuid, p_lanes_max integer, p_lease_ms integer, p_believed_until timestamptz
)
returns table (reseller_id bigint, stream text)
language plpgsql
set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_until timestamptz := clock_timestamp() + p_lease_ms * interval '1 millisecond';
begin
  return query
    with free as materialized (
      select l.reseller_id, l.stream from delivery_lanes l
       where l.next_at <= now() and l.leased_until <= now() and l.stream = any (p_streams)
         and (l.holder is null or l.leased_until <= p_believed_until)
       order by l.next_at limit p_lanes_max for update skip locked
    )
    update delivery_lanes l set holder = p_holder, leased_until = v_until, next_at = v_until
      from free where l.reseller_id = free.reseller_id and l.stream = free.stream
    returning l.reseller_id, l.stream;
end $$;
