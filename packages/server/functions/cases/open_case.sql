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
  v_id bigint;
  v_at timestamptz;
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
  v_id := nextval('case_numbers');
  v_at := clock_timestamp();
  insert into cases (reseller_id, id, number, kind, state, payment_id, refid, cc, refund_type, refund_reason, member_id,
                     request_id, opened_at, changed_at, due_at, watch_at)
  values (p_reseller, v_id,
          'C-' || to_char(v_at at time zone 'Asia/Kuala_Lumpur', 'YYYY') || '-'
            || lpad(v_id::text, greatest(6, length(v_id::text)), '0'),
          p_kind, 'open', p_payment, p_refid, p_cc, p_refund_type, p_reason, p_member, p_request,
          v_at, v_at, v_at + make_interval(secs => p_due_seconds),
          case when p_is_worked then v_at + make_interval(secs => p_due_seconds) end)
  returning * into v_case;
  if p_asks then
    -- From now on the provider is asked on behalf of this case, and no longer for an earlier one.
    delete from case_work w using cases c
     where c.payment_id = p_payment and c.reseller_id = p_reseller
       and w.reseller_id = c.reseller_id and w.case_id = c.id;
    insert into case_work (reseller_id, case_id, next_at) values (p_reseller, v_id, v_at);
  elsif p_is_worked then
    perform await_person(v_case);
  end if;
  perform tell_case(v_case, 'case.opened', 'reseller', p_text, v_at);
  return query select 'opened', v_case.number;
end $$;
