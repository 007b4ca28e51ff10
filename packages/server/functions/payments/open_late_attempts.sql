-- Opens attempts that a provider has, or may have, although they are not the present attempt of their payment: from
-- now on they are asked about. Nothing is opened for the attempt that succeeded, nor for an attempt that the provider
-- itself reported as failed (an answer may arrive after the callback that overtook it). A failure that was only
-- concluded does not count as a report; its reason is on the timeline as a `route` of the attempt.
create or replace function open_late_attempts(
  p_resellers bigint[], p_ids bigint[], p_codes smallint[], p_attempts smallint[], p_next_ms integer[],
  p_asked integer[], p_at timestamptz
) returns void language plpgsql as $$
#variable_conflict use_column
begin
  with late as (
    select c.reseller_id, c.id, c.attempt, a.provider, c.next_ms
    from unnest(p_resellers, p_ids, p_codes, p_attempts, p_next_ms) with ordinality
      as c (reseller_id, id, code, attempt, next_ms, command)
    join lateral (
      select p.code from payments p where p.reseller_id = c.reseller_id and p.id = c.id limit 1
    ) p on true
    left join lateral (
      select w.attempt from payment_work w where w.reseller_id = c.reseller_id and w.payment_id = c.id limit 1
    ) w on true
    left join lateral (
      select h.attempt from payment_changes h
       where h.reseller_id = c.reseller_id and h.payment_id = c.id and h.kind = 'state' and h.code not in (0, 1, 53)
       order by h.id desc limit 1
    ) s on true
   cross join lateral (select attempt_provider(c.reseller_id, c.id, c.attempt) as provider) a
   where c.code = 1 and c.attempt is not null and c.command <> all (p_asked) and a.provider is not null
     and w.attempt is distinct from c.attempt
     -- The provider reported the failure while the attempt was open, or while it was held back for another one.
     and not exists (
       select from payment_changes h
        where h.reseller_id = c.reseller_id and h.payment_id = c.id and h.kind = 'late' and h.attempt = c.attempt
          and h.detail like 'attempt %) failed with %')
     and (s.attempt is distinct from c.attempt
          or p.code not in (20, 53) and exists (
               select from payment_changes h
                where h.reseller_id = c.reseller_id and h.payment_id = c.id and h.kind = 'route'
                  and h.attempt = c.attempt))
  )
  insert into payment_open_attempts (reseller_id, payment_id, attempt, provider, submitted_at, next_at, is_leased,
                                     lease)
  select l.reseller_id, l.id, l.attempt, l.provider, p_at, p_at + l.next_ms * interval '1 millisecond', false, 1
    from late l order by l.reseller_id, l.id
  on conflict (reseller_id, payment_id, attempt) do nothing;
end $$;
