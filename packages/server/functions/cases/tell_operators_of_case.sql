-- Tells operators' pages that a case was opened or has changed.
create or replace function tell_operators_of_case(p_case cases, p_at timestamptz) returns void language plpgsql as $$
begin
  perform append_house_fact(
    'case.changed', jsonb_build_object('number', p_case.number, 'kind', p_case.kind, 'state', p_case.state), p_at);
end $$;
