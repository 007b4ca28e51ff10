-- Raises the alert for a case that only a person can take further. It stays on the operators' list until somebody
-- takes the case.
create or replace function await_person(p_case cases) returns void language plpgsql as $$
begin
  perform raise_alert('case_waiting', p_case.number,
    'case ' || p_case.number || ' (' || p_case.kind || ' of payment ' || p_case.payment_id || ') waits for a person',
    'warning');
end $$;
