-- Tells operators' pages that a verification of the ledger began or ended, in the same commit.
create or replace function announce_ledger_proof() returns trigger language plpgsql as $$
begin
  perform append_house_fact(
    case when new.finished_at is null then 'ledger.started' else 'ledger.finished' end,
    jsonb_build_object('id', new.id::text), clock_timestamp());
  return null;
end $$;

create or replace trigger ledger_proofs_told after insert or update of finished_at on ledger_proofs for each row
  execute function announce_ledger_proof();
