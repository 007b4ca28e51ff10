-- Renews the leases of lanes. Returns the lanes that the holder still has; the others were taken over. A held lane is
-- next looked at when its lease ends: see claim_lanes_of.
create or replace function renew_lanes(p_holder uuid, p_resellers bigint[], p_streams text[], p_lease_ms integer)
returns table (reseller_id bigint, stream text)
language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_until timestamptz := clock_timestamp() + p_lease_ms * interval '1 millisecond';
begin
  return query
    with held as materialized (
      select l.reseller_id, l.stream
        from unnest(p_resellers, p_streams) as k (reseller_id, stream)
        join delivery_lanes l on l.reseller_id = k.reseller_id and l.stream = k.stream
       where l.holder = p_holder
       order by l.reseller_id, l.stream for update of l
    )
    update delivery_lanes l set leased_until = v_until, next_at = v_until
      from held where l.reseller_id = held.reseller_id and l.stream = held.stream
    returning l.reseller_id, l.stream;
end $$;
