-- Tells about a change of a case that the caller has locked: in its messages, in the feed, to members and to operators.
-- Whether mails are made is decided by the mail job, because the caller may be a command that does not know the mail
-- settings.
create or replace function tell_case(p_case cases, p_event text, p_author text, p_text text, p_at timestamptz)
returns void language plpgsql as $$
declare
  v_told jsonb := jsonb_build_object('number', p_case.number, 'kind', p_case.kind, 'state', p_case.state,
                                     'refid', p_case.refid, 'message', p_text);
begin
  insert into case_messages (reseller_id, case_id, author, text, at)
  values (p_case.reseller_id, p_case.id, p_author, p_text, p_at);
  perform append_facts(
    p_source => 'own', p_resellers => array[p_case.reseller_id], p_subjects => array[0]::bigint[], p_codes => null,
    p_amounts => null, p_balances => null, p_spans => null, p_type => p_event,
    p_data => v_told || jsonb_build_object('transaction_id', p_case.payment_id::text), p_at => p_at);
  perform tell_operators_of_case(p_case, p_at);
  perform append_notice(p_case.reseller_id, 'case', v_told || jsonb_build_object('cc', p_case.cc), p_at);
end $$;
