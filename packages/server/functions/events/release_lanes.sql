-- Gives lanes back. Each lane is locked before its work is read in a later statement: work that is added at this
-- moment is either seen here, or finds the released lane and moves its time.
create or replace function release_lanes(p_holder uuid, p_resellers bigint[], p_streams text[]) returns void
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
