-- Keeps failures that do not count yet because another attempt of the payment is undecided, and notes each once. A failure
-- that a node concluded, which carries a lease, is not kept: the node that has the work then concludes it again.
create or replace function hold_failures(
  p_resellers bigint[], p_ids bigint[], p_codes smallint[], p_failures text[], p_attempts smallint[],
  p_leases integer[], p_held integer[], p_at timestamptz
) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
begin
  update payment_work w set held_code = p_codes[h], held_failure = p_failures[h]
    from unnest(p_held) as h
   where p_leases[h] is null and w.reseller_id = p_resellers[h] and w.payment_id = p_ids[h];
  with late as (
    select h as command, p.code, t.detail
    from unnest(p_held) as h
    join lateral (
      select p.code from payments p where p.reseller_id = p_resellers[h] and p.id = p_ids[h] limit 1
    ) p on true
   cross join lateral (
     select 'attempt ' || p_attempts[h] || ' (' || reference_of(p_ids[h], p_attempts[h]) || ') failed with '
              || p_codes[h] || '; the payment waits for '
              || string_agg(reference_of(o.payment_id, o.attempt), ' and ' order by o.attempt)
              || ', which is undecided' as detail
       from payment_open_attempts o
      where o.reseller_id = p_resellers[h] and o.payment_id = p_ids[h] and o.attempt <> p_attempts[h]
     -- The attempt may have been closed since the caller looked.
     having count(*) > 0
   ) t
   where p_leases[h] is null
     and not exists (
       select from payment_changes c
        where c.reseller_id = p_resellers[h] and c.payment_id = p_ids[h] and c.kind = 'late' and c.detail = t.detail)
  )
  insert into payment_changes (reseller_id, payment_id, kind, code, attempt, detail, at)
  select p_resellers[l.command], p_ids[l.command], 'late', l.code, p_attempts[l.command], l.detail, p_at from late l;
end $$;
