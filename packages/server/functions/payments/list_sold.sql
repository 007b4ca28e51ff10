-- Lists the attempts that succeeded among the payments between two ids, of all resellers, in the order of the ids.
create or replace function list_sold(p_after bigint, p_before bigint, p_limit integer)
returns table (payment_id bigint, attempt smallint)
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
#variable_conflict use_column
begin
  return query
    select p.id, coalesce(s.attempt, 1::smallint)
      from payments p
      left join lateral (
        select c.attempt from payment_changes c
         where c.reseller_id = p.reseller_id and c.payment_id = p.id and c.kind = 'state' and c.code = 20
         order by c.id desc limit 1
      ) s on true
     where p.id + 0 > p_after and p.id + 0 < p_before and p.code = 20
     order by p.id + 0 limit p_limit;
end $$;
