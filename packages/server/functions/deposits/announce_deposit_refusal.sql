-- Tells a reseller that a transfer was refused, in the same commit: in the feed and by mail, as a deposit is told.
create or replace function announce_deposit_refusal() returns trigger language plpgsql as $$
begin
  perform append_facts(
    p_source => 'own', p_resellers => array[new.reseller_id], p_subjects => array[0]::bigint[], p_codes => null,
    p_amounts => null, p_balances => null, p_spans => null, p_type => 'deposit.refused',
    p_data => jsonb_build_object('id', new.id::text, 'amount', round(new.amount / 10000.0, 4),
                                 'bank_reference', new.bank_reference, 'reason', new.refusal),
    p_at => new.changed_at);
  perform append_notice(new.reseller_id, 'deposit.refused',
    jsonb_build_object('id', new.id::text, 'amount', new.amount, 'reference', new.bank_reference,
                       'reason', new.refusal, 'at', new.changed_at), new.changed_at);
  return null;
end $$;

create or replace trigger deposit_refusals_told after update of state on deposit_requests for each row
  when (new.state = 'refused' and old.state <> 'refused') execute function announce_deposit_refusal();
