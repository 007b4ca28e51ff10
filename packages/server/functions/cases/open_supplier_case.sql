-- Opens a case because a supplier spoke against the end of a payment, and returns its number. A payment has one open case:
-- where there is one, of whichever kind, it gets the text as a message. Nobody is asked and no money moves: a person
-- decides. The caller has locked the payment, or decides by a line that is written once.
create or replace function open_supplier_case(
  p_reseller bigint, p_payment bigint, p_refid text, p_kind text, p_text text
) returns text language plpgsql as $$
declare
  v_case cases;
  v_days constant integer := 3;
begin
  select * into v_case from cases
   where payment_id = p_payment and reseller_id = p_reseller and closed_at is null for no key update;
  if found then
    perform change_case(p_reseller, v_case.id, null, 'system', p_text);
    perform await_person(v_case);
    return v_case.number;
  end if;
  v_case := insert_case(
    p_reseller => p_reseller, p_payment => p_payment, p_kind => p_kind, p_refid => p_refid, p_cc => '{}',
    p_refund_type => case when p_kind = 'void' then 3::smallint end,
    p_reason => case when p_kind = 'void' then 'the supplier took it back' end, p_member => '',
    p_request => gen_random_uuid(), p_due_seconds => v_days * 86400, p_is_worked => true);
  perform await_person(v_case);
  perform tell_case(v_case, 'case.opened', 'system', p_text, v_case.opened_at);
  return v_case.number;
end $$;
