-- Notes answers that contradict a final state: success of a payment that failed, failure of the attempt that
-- succeeded, success of a second attempt (also after the payment was voided). They move no money; an operator is
-- alerted, and a success of a payment that was refunded opens a case. No contradictions are: the same final answer again, the failure of another attempt than the one that
-- succeeded, and any other answer about a voided payment. Returns the commands that were not noted before.
create or replace function note_contradictions(
  p_resellers bigint[], p_ids bigint[], p_codes smallint[], p_attempts smallint[], p_evidence text[],
  p_moved integer[], p_at timestamptz
) returns setof integer language plpgsql as $$
#variable_conflict use_column
declare
  v_row record;
begin
  for v_row in
    select c.command::integer as command, c.reseller_id, c.id, c.code, c.attempt, c.evidence, p.code as found_code, p.refid,
           s.attempt as succeeded_attempt
      from unnest(p_resellers, p_ids, p_codes, p_attempts, p_evidence) with ordinality
        as c (reseller_id, id, code, attempt, evidence, command)
      join lateral (
        select p.code, p.refid from payments p where p.reseller_id = c.reseller_id and p.id = c.id limit 1
      ) p on p.code not in (0, 1)
      left join lateral (
        select h.attempt from payment_changes h
         where h.reseller_id = c.reseller_id and h.payment_id = c.id and h.kind = 'state' and h.code = 20
         order by h.id desc limit 1
      ) s on true
     where c.code not in (0, 1, 53) and (p_moved is null or c.command <> all (p_moved))
       and case when c.code = 20 and p.code in (20, 53) then c.attempt <> s.attempt
                when p.code = 53 then false
                when c.code = 20 then true
                when p.code = 20 then coalesce(c.attempt = s.attempt, true)
                else false end
     order by c.reseller_id, c.id
  loop
    insert into payment_changes (reseller_id, payment_id, kind, code, attempt, detail, at)
    values (v_row.reseller_id, v_row.id, 'contradiction', v_row.code, v_row.attempt,
            concat_ws('; ', contradiction_text(v_row.code, v_row.attempt, v_row.found_code, v_row.succeeded_attempt),
                      v_row.evidence), p_at)
    on conflict (payment_id, reseller_id, code, coalesce(attempt, 0::smallint)) where kind = 'contradiction'
    do nothing;
    if found then
      perform raise_alert('payment_contradiction', v_row.id::text,
        'reseller ' || v_row.reseller_id || ', payment ' || v_row.id || ': '
          || contradiction_text(v_row.code, v_row.attempt, v_row.found_code, v_row.succeeded_attempt)
          || coalesce('; references ' || concat_ws(' and ', reference_of(v_row.id, v_row.attempt),
               case when v_row.succeeded_attempt <> v_row.attempt
                    then reference_of(v_row.id, v_row.succeeded_attempt) end), ''), 'critical');
      if v_row.code = 20 and v_row.found_code not in (20, 53) then
        perform open_supplier_case(
          p_reseller => v_row.reseller_id, p_payment => v_row.id, p_refid => v_row.refid, p_kind => 'dispute', p_text =>
          'The supplier reports this transaction as carried out, although it failed here and its cost was given back. '
            || 'No money moved: an operator finds out what is true.');
      end if;
      return next v_row.command;
    end if;
  end loop;
end $$;
