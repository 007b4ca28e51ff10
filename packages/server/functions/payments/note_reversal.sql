-- Notes a supplier's word that it took an attempt back after carrying it out: once for each attempt, however often it
-- says so. It moves no money. Where the attempt is the one that succeeded, a void is opened as a case and operators are
-- alerted; of an open payment operators are alerted only if its failure does not follow (`p_ends`). Verdicts:
--   open    the payment is not final
--   taken   the payment succeeded by this attempt
--   beside  the payment was ended by another attempt, failed, or was voided
create or replace function note_reversal(
  p_reseller bigint, p_payment bigint, p_attempt smallint, p_provider text, p_reference text, p_word text,
  p_evidence text, p_ends boolean
) returns text language plpgsql as $$
declare
  v_code smallint := hold_payment(p_reseller, p_payment);
  v_refid text;
  v_succeeded smallint;
  v_verdict text;
  v_text text := p_provider || ' took ' || p_reference || ' back: “' || p_word || '”';
  v_case text;
begin
  if v_code is null then return 'beside'; end if;
  select h.attempt into v_succeeded from payment_changes h
   where h.reseller_id = p_reseller and h.payment_id = p_payment and h.kind = 'state' and h.code = 20
   order by h.id desc limit 1;
  v_verdict := case when v_code in (0, 1) then 'open'
                    when v_code = 20 and coalesce(v_succeeded = p_attempt, true) then 'taken'
                    else 'beside' end;
  if exists (
    select from payment_changes
     where reseller_id = p_reseller and payment_id = p_payment and kind = 'reversal' and attempt = p_attempt
       -- What was said about an open payment is said again about its success.
       and (code = v_code or v_verdict <> 'taken')
  ) then
    return v_verdict;
  end if;
  insert into payment_changes (reseller_id, payment_id, kind, code, attempt, detail, at)
  values (p_reseller, p_payment, 'reversal', v_code, p_attempt, v_text || '; ' || p_evidence, clock_timestamp());
  if v_verdict = 'taken' then
    select refid into v_refid from payments where reseller_id = p_reseller and id = p_payment;
    v_case := open_supplier_case(
      p_reseller => p_reseller, p_payment => p_payment, p_refid => v_refid, p_kind => 'void', p_text =>
      'The supplier reported that it took this transaction back (' || p_reference || '): “' || p_word
        || '”. Nothing was given back yet: an operator finds out what is true.');
  end if;
  if v_verdict = 'taken' or (v_verdict = 'open' and not p_ends) then
    perform raise_alert('payment_reversed', p_payment::text,
      'reseller ' || p_reseller || ', payment ' || p_payment || ': ' || v_text || '; ' || p_evidence
        || coalesce('; case ' || v_case, '; the payment is still open'), 'critical');
  end if;
  return v_verdict;
end $$;
