-- Alerts operators about cases past their due time, and again each time that `p_again_seconds` have passed. The
-- provider is still asked. Returns the number of cases.
create or replace function watch_cases(p_limit integer, p_again_seconds integer)
returns integer language plpgsql as $$
declare
  v_case cases;
  v_count integer := 0;
begin
  for v_case in
    select * from cases where watch_at <= now() order by watch_at limit p_limit for no key update skip locked
  loop
    update cases set watch_at = now() + make_interval(secs => p_again_seconds)
     where reseller_id = v_case.reseller_id and id = v_case.id;
    perform raise_alert('case_overdue', v_case.number,
      'case ' || v_case.number || ' (' || v_case.kind || ' of payment ' || v_case.payment_id
        || ') is past its due time', 'critical');
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;
