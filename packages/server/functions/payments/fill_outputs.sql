-- Fills in the outputs of payments that had succeeded before. A success may be reported twice, and the first report
-- need not be the one with the PIN: fields that the first report left empty are taken from a later report about the
-- attempt that succeeded. Existing fields stay, and two PINs are never mixed. Voids are locked here as well, so that a
-- batch locks all payments that succeeded before in one order.
create or replace function fill_outputs(
  p_resellers bigint[], p_ids bigint[], p_codes smallint[], p_serials text[], p_expiries text[], p_notes text[],
  p_sealed_outputs bytea[], p_attempts smallint[], p_evidence text[], p_at timestamptz
) returns void language plpgsql as $$
#variable_conflict use_column
begin
  perform 1 from unnest(p_resellers, p_ids, p_codes) as c (reseller_id, id, code)
    join payments p on p.reseller_id = c.reseller_id and p.id = c.id
   where c.code in (20, 53) and p.code = 20
   order by p.reseller_id, p.id for no key update of p;
  with given as (
    select c.reseller_id, c.id, c.attempt, c.evidence,
           case when p.sealed_output is null then c.sealed_output end as sealed_output,
           case when coalesce(p.serial_number, '') = '' then nullif(c.serial_number, '') end as serial_number,
           case when coalesce(p.expiry, '') = '' then nullif(c.expiry, '') end as expiry,
           case when coalesce(p.note, '') = '' then nullif(c.note, '') end as note
      from unnest(p_resellers, p_ids, p_codes, p_serials, p_expiries, p_notes, p_sealed_outputs, p_attempts, p_evidence)
        as c (reseller_id, id, code, serial_number, expiry, note, sealed_output, attempt, evidence)
      join payments p on p.reseller_id = c.reseller_id and p.id = c.id
      left join lateral (
        select h.attempt from payment_changes h
         where h.reseller_id = c.reseller_id and h.payment_id = c.id and h.kind = 'state' and h.code = 20
         order by h.id desc limit 1
      ) s on true
     where c.code = 20 and p.code = 20 and coalesce(c.attempt = s.attempt, true)
       and (p.sealed_output is null or c.sealed_output is null)
  ), filled as (
    update payments p
       set sealed_output = coalesce(g.sealed_output, p.sealed_output),
           serial_number = coalesce(g.serial_number, p.serial_number),
           expiry = coalesce(g.expiry, p.expiry), note = coalesce(g.note, p.note)
      from given g
     where p.reseller_id = g.reseller_id and p.id = g.id
       and num_nonnulls(g.sealed_output, g.serial_number, g.expiry, g.note) > 0
    returning g.*
  )
  insert into payment_changes (reseller_id, payment_id, kind, code, attempt, detail, at)
  select reseller_id, id, 'output', 20, attempt,
         concat_ws('; ', 'given later: ' || concat_ws(', ',
           case when sealed_output is not null then 'PIN or link' end,
           case when serial_number is not null then 'serial number' end,
           case when expiry is not null then 'expiry' end, case when note is not null then 'note' end), evidence), p_at
    from filled;
end $$;
