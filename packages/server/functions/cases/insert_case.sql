-- Inserts a case with the next number. `p_is_worked`: a person has to see to it by its due time.
create or replace function insert_case(
  p_reseller bigint, p_payment bigint, p_kind text, p_refid text, p_cc text[], p_refund_type smallint, p_reason text,
  p_member text, p_request uuid, p_due_seconds integer, p_is_worked boolean
) returns cases language plpgsql as $$
declare
  v_case cases;
  v_id bigint := nextval('case_numbers');
  v_at timestamptz := clock_timestamp();
begin
  insert into cases (reseller_id, id, number, kind, state, payment_id, refid, cc, refund_type, refund_reason, member_id,
                     request_id, opened_at, changed_at, due_at, watch_at)
  values (p_reseller, v_id,
          'C-' || to_char(v_at at time zone 'Asia/Kuala_Lumpur', 'YYYY') || '-'
            || lpad(v_id::text, greatest(6, length(v_id::text)), '0'),
          p_kind, 'open', p_payment, p_refid, p_cc, p_refund_type, p_reason, p_member, p_request,
          v_at, v_at, v_at + make_interval(secs => p_due_seconds),
          case when p_is_worked then v_at + make_interval(secs => p_due_seconds) end)
  returning * into v_case;
  return v_case;
end $$;
