-- Begins to count the payments of resellers by these kinds, where that has not begun, and counts the newest of the month
-- so far. The others follow step by step: a batch of payments does not wait for them.
create or replace function begin_tallies(p_resellers bigint[], p_kinds text[]) returns void
language plpgsql
set enable_seqscan = off set jit = off
as $$
declare
  v_resellers bigint[];
begin
  select array_agg(distinct c.reseller_id) into v_resellers
    from unnest(p_resellers, p_kinds) as c (reseller_id, kind)
   where not exists (select from payment_tallies t where t.reseller_id = c.reseller_id and t.kind = c.kind);
  if v_resellers is null then return; end if;
  perform lock_wallets(v_resellers);
  with begun as (
    insert into payment_tallies as t (reseller_id, kind, began_at, counted_from, is_whole, suffix)
    select c.reseller_id, c.kind, c.at, 9223372036854775807, false, '#' || floor(extract(epoch from c.at) * 1000)
      from (select distinct b.reseller_id, b.kind, clock_timestamp() as at
              from unnest(p_resellers, p_kinds) as b (reseller_id, kind)) c
     order by 1, 2
    on conflict do nothing
    returning t.reseller_id, t.kind
  )
  select array_agg(b.reseller_id), array_agg(b.kind) into p_resellers, p_kinds from begun b;
  perform count_back(b.reseller_id, b.kind, 1000) from unnest(p_resellers, p_kinds) as b (reseller_id, kind);
end $$;
