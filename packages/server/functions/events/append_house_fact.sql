-- Appends a fact about the house itself, for operators. Its feed is that of the account 0, which nobody else has, so that
-- operators' pages learn of it as resellers' pages learn of theirs: in order, and on every node.
create or replace function append_house_fact(p_type text, p_data jsonb, p_at timestamptz)
returns void language plpgsql as $$
begin
  perform append_facts(
    p_source => 'own', p_resellers => array[0]::bigint[], p_subjects => array[0]::bigint[], p_codes => null,
    p_amounts => null, p_balances => null, p_spans => null, p_type => p_type, p_data => p_data, p_at => p_at);
end $$;
