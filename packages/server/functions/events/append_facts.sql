-- Appends one row of facts for a whole batch, in the commit of the events themselves. See event_facts for the sources.
create or replace function append_facts(
  p_source text, p_resellers bigint[], p_subjects bigint[], p_codes smallint[], p_amounts bigint[],
  p_balances bigint[], p_spans integer[], p_type text, p_data jsonb, p_at timestamptz
) returns void language plpgsql as $$
begin
  insert into event_facts (source, reseller_ids, subjects, codes, amounts, balances, spans, type, data, at)
  values (p_source, p_resellers, p_subjects, p_codes, p_amounts, p_balances, p_spans, p_type, p_data, p_at);
end $$;
