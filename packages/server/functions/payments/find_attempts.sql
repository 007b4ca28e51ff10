-- Describes attempts at payments by their references, for comparing a provider's settlement file with our records. A
-- payment that does not exist has no row. A null `attempt_provider` means that there was no such attempt.
create or replace function find_attempts(p_ids bigint[], p_attempts smallint[])
returns table (reseller_id bigint, payment_id bigint, attempt smallint, attempt_provider text, code smallint,
               amount bigint, face_value bigint, serial_number text, present_attempt smallint,
               succeeded_attempt smallint)
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
#variable_conflict use_column
begin
  return query
    select p.reseller_id, k.payment_id, k.attempt,
           case when k.attempt = 1 then coalesce(first.provider_before, p.provider) else later.provider end,
           p.code, p.amount, p.face_value, p.serial_number, w.attempt, s.attempt
      from unnest(p_ids, p_attempts) as k (payment_id, attempt)
      join payments p on p.id + 0 = k.payment_id
      left join payment_work w on w.reseller_id = p.reseller_id and w.payment_id = p.id
      left join lateral (
        select c.attempt from payment_changes c
         where c.reseller_id = p.reseller_id and c.payment_id = p.id and c.kind = 'state' and c.code = 20
         order by c.id desc limit 1
      ) s on true
      left join lateral (
        select c.provider_before from payment_changes c
         where c.reseller_id = p.reseller_id and c.payment_id = p.id and c.kind = 'attempt'
         order by c.attempt, c.at, c.id limit 1
      ) first on true
      left join lateral (
        select c.provider from payment_changes c
         where c.reseller_id = p.reseller_id and c.payment_id = p.id and c.kind = 'attempt'
           and c.attempt = k.attempt
         order by c.id desc limit 1
      ) later on true;
end $$;
