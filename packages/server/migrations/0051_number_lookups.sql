-- When suppliers were asked about numbers, and what they told. Rows are kept as long as an answer counts.
-- owner: numbers
create table number_lookups (
  number text collate "C" primary key check (number ~ '^[0-9]{7,15}$'),
  asked_at timestamptz not null,
  -- The operator in the supplier's words; null: none has told it.
  operator text,
  answered_at timestamptz,
  check ((operator is null) = (answered_at is null))
);
create index number_lookups_asked on number_lookups (asked_at);
