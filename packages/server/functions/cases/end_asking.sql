-- Ends the questions to a provider that does not take voids: a person takes the case further. Works only while the
-- caller still holds the work.
create or replace function end_asking(p_reseller bigint, p_case bigint, p_holder uuid)
returns void language plpgsql as $$
declare
  v_case cases;
begin
  select * into v_case from cases where reseller_id = p_reseller and id = p_case for no key update;
  delete from case_work where reseller_id = p_reseller and case_id = p_case and holder = p_holder;
  if found and v_case.state = 'open' then perform await_person(v_case); end if;
end $$;
