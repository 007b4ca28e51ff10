-- Carries out a void that the biller approved: refund, state 53 and the end of the case in one commit. Verdicts:
--   approved         now
--   resolved_before  by an earlier run or by another node: the money went back once
--   refused_before   the case was refused: nothing moves, and an operator is alerted, unless another case of the
--                    payment has the refund or still asks for it
create or replace function approve_void(
  p_reseller bigint, p_case bigint, p_author text, p_text text, p_evidence text
) returns text language plpgsql as $$
declare
  v_payment bigint;
  v_code smallint;
  v_case cases;
begin
  select payment_id into strict v_payment from cases
   where reseller_id = p_reseller and id = p_case and kind = 'void';
  perform lock_wallets(array[p_reseller]);
  v_code := hold_payment(p_reseller, v_payment);
  select * into v_case from cases where reseller_id = p_reseller and id = p_case for no key update;
  if v_case.state = 'resolved' then return 'resolved_before'; end if;
  if v_case.state = 'refused' then
    if v_code = 53 or exists (
         select from cases c join case_work w on w.reseller_id = c.reseller_id and w.case_id = c.id
          where c.payment_id = v_payment and c.reseller_id = p_reseller and c.closed_at is null) then
      return 'refused_before';
    end if;
    perform raise_alert('void_contradiction', v_case.number,
      'case ' || v_case.number || ', payment ' || v_payment || ': the void is approved (' || p_evidence
        || '), but the case was refused before; nothing was refunded', 'critical');
    return 'refused_before';
  end if;
  if v_code = 20 then
    perform 1 from resolve_payments(
      p_resellers => array[p_reseller], p_ids => array[v_payment], p_codes => array[53]::smallint[],
      p_failures => array['Refund'], p_serials => array[null]::text[], p_expiries => array[null]::text[],
      p_notes => array[null]::text[], p_sealed_outputs => array[null]::bytea[], p_next_ms => array[null]::integer[],
      p_attempts => array[null]::smallint[], p_evidence => array[p_evidence]) r
      where not r.is_contradiction;
    if not found then raise exception 'payment % could not be voided', v_payment; end if;
  end if;
  if not change_case(p_reseller, p_case, 'resolved', p_author, p_text) then
    raise exception 'case % could not be resolved', v_case.number;
  end if;
  return 'approved';
end $$;
