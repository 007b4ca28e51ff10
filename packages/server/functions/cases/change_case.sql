-- Takes a case one step further, with a message about it; a null `p_state` keeps its state. Returns false if the case
-- is closed, or in that state already. A void is resolved by nothing but its refund. If an operator closes a case that
-- the provider is working on, the provider is still asked: somebody has to know if it decides otherwise.
create or replace function change_case(
  p_reseller bigint, p_case bigint, p_state text, p_author text, p_text text
) returns boolean language plpgsql as $$
declare
  v_case cases;
  v_at timestamptz;
  v_is_end boolean := coalesce(p_state in ('resolved', 'refused'), false);
begin
  select * into v_case from cases where reseller_id = p_reseller and id = p_case for no key update;
  if not found or v_case.closed_at is not null or v_case.state = p_state then return false; end if;
  if p_state = 'resolved' and v_case.kind = 'void'
     and payment_code(p_reseller, v_case.payment_id) is distinct from 53 then
    raise exception 'case % cannot be resolved: its payment is not voided', v_case.number;
  end if;
  v_at := greatest(clock_timestamp(), v_case.changed_at);
  update cases set state = coalesce(p_state, state), changed_at = v_at, closed_at = case when v_is_end then v_at end,
                   watch_at = case when v_is_end then null else watch_at end
   where reseller_id = p_reseller and id = p_case
  returning * into v_case;
  if p_state is not null then perform clear_alert('case_waiting', v_case.number); end if;
  if v_is_end then
    delete from case_work
     where reseller_id = p_reseller and case_id = p_case
       and (p_author = 'system' or (questions = 0 and holder is null));
    perform clear_alert('case_overdue', v_case.number);
  end if;
  perform tell_case(v_case, 'case.' || case when v_is_end then p_state else 'updated' end, p_author, p_text, v_at);
  return true;
end $$;
