-- Seconds in which the same payment again is refused; 0: never.
alter table resellers add column duplicate_window_seconds integer not null default 0
  check (duplicate_window_seconds between 0 and 86400);

-- Moves of test clocks, in staging alone. They make what was paid before them older.
-- owner: payments
create table test_clock_moves (
  reseller_id bigint not null references resellers,
  at timestamptz not null,
  seconds bigint not null,
  primary key (reseller_id, at)
);
