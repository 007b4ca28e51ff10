-- Opens a case about a payment that succeeded, one at a time. Verdicts:
--   opened        with its number. Also for a repeated run of a request whose answer was lost, whatever became of
--                 the case
--   already_open  a case of either kind is not closed yet
--   moved         the payment has not succeeded, or was voided since
-- `p_is_worked`: a person has to see to it by its due time. `p_asks`: the provider is asked.
create or replace function open_case(
  p_reseller bigint, p_payment bigint, p_kind text, p_refid text, p_cc text[], p_refund_type smallint, p_reason text,
  p_member text, p_request uuid, p_text text, p_due_seconds integer, p_is_worked boolean, p_asks boolean
) returns table (verdict text, number text) language plpgsql as $$
#variable_conflict use_column
declare
  v_case cases;
  -- This lock also makes simultaneous requests wait for each other.
  v_code smallint := hold_payment(p_reseller, p_payment);
begin
  select * into v_case from cases c
   where c.payment_id = p_payment and c.reseller_id = p_reseller and (c.request_id = p_request or c.closed_at is null)
   order by c.request_id = p_request desc limit 1;
  if v_case.request_id = p_request then
    return query select 'opened', v_case.number;
    return;
  end if;
  if v_code is distinct from 20 then
    return query select 'moved', null::text;
    return;
  end if;
  if v_case.id is not null then
    return query select 'already_open', v_case.number;
    return;
  end if;
  v_case := insert_case(
    p_reseller => p_reseller, p_payment => p_payment, p_kind => p_kind, p_refid => p_refid, p_cc => p_cc,
    p_refund_type => p_refund_type, p_reason => p_reason, p_member => p_member, p_request => p_request,
    p_due_seconds => p_due_seconds, p_is_worked => p_is_worked);
  if p_asks then
    -- From now on the provider is asked on behalf of this case, and no longer for an earlier one.
    delete from case_work w using cases c
     where c.payment_id = p_payment and c.reseller_id = p_reseller
       and w.reseller_id = c.reseller_id and w.case_id = c.id;
    insert into case_work (reseller_id, case_id, next_at) values (p_reseller, v_case.id, v_case.opened_at);
  elsif p_is_worked then
    perform await_person(v_case);
  end if;
  perform tell_case(v_case, 'case.opened', 'reseller', p_text, v_case.opened_at);
  return query select 'opened', v_case.number;
end $$;
