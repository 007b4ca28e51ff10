-- The back office.

-- owner: operator
-- Verifications of the whole ledger and their results. One runs at a time; one that was not seen for long has ended.
create table ledger_proofs (
  id bigint generated always as identity primary key,
  requested_by text not null,
  started_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  -- null: it is under way, or could not be finished
  report json,
  trouble text
);
create unique index ledger_proofs_one_at_a_time on ledger_proofs ((true)) where finished_at is null;
