-- Closes open attempts that were decided: nobody asks about them any more. The failure of an attempt that is not the
-- present one moves nothing and is noted once. An answer that carries a lease was only concluded, so it closes
-- nothing.
create or replace function close_open_attempts(
  p_resellers bigint[], p_ids bigint[], p_codes smallint[], p_attempts smallint[], p_leases integer[],
  p_moved integer[], p_at timestamptz
) returns void language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  v_row record;
begin
  for v_row in
    with gone as (
      delete from payment_open_attempts o
       using unnest(p_resellers, p_ids, p_codes, p_attempts, p_leases) as c (reseller_id, id, code, attempt, lease)
       where c.code not in (0, 1, 53) and c.lease is null
         and o.reseller_id = c.reseller_id and o.payment_id = c.id and o.attempt = c.attempt
      returning o.payment_id, o.attempt
    )
    select payment_id, attempt from gone
  loop
    perform clear_alert('attempt_undecided', reference_of(v_row.payment_id, v_row.attempt));
  end loop;
  if exists (select from unnest(p_codes) as c (code) where c.code not in (0, 1, 20, 53)) then
    with late as (
      select c.reseller_id, c.id, p.code, c.attempt, t.detail
      from unnest(p_resellers, p_ids, p_codes, p_attempts, p_leases) with ordinality
        as c (reseller_id, id, code, attempt, lease, command)
      join lateral (
        select p.code from payments p where p.reseller_id = c.reseller_id and p.id = c.id limit 1
      ) p on true
      left join lateral (
        select h.attempt from payment_changes h
         where h.reseller_id = c.reseller_id and h.payment_id = c.id and h.kind = 'state' and h.code not in (0, 1, 53)
         order by h.id desc limit 1
      ) s on true
     cross join lateral (
       select 'attempt ' || c.attempt || ' (' || reference_of(c.id, c.attempt) || ') failed with ' || c.code
                || '; it was not the present one any more' as detail
     ) t
     where c.code not in (0, 1, 20, 53) and c.attempt is not null and c.lease is null
       and (p_moved is null or c.command <> all (p_moved))
       and s.attempt is distinct from c.attempt and (p.code in (0, 1) or s.attempt is not null)
       and not exists (
         select from payment_changes h
          where h.reseller_id = c.reseller_id and h.payment_id = c.id and h.kind = 'late' and h.detail = t.detail)
    )
    insert into payment_changes (reseller_id, payment_id, kind, code, attempt, detail, at)
    select l.reseller_id, l.id, 'late', l.code, l.attempt, l.detail, p_at from late l;
  end if;
end $$;
