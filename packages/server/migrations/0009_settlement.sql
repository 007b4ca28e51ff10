-- Settlement: a provider's own account of a day, compared with ours.

-- owner: settlement
-- A file as it was imported.
create table settlement_files (
  id bigint generated always as identity primary key,
  provider text collate "C" not null,
  day date not null,
  name text not null,
  -- SHA-256 of its bytes: the same file is imported once.
  digest bytea not null,
  mapping jsonb not null,
  lines bigint not null,
  imported_at timestamptz not null,
  -- The number of comparisons so far. A difference records the comparison that saw it last.
  runs integer not null default 0,
  compared_at timestamptz,
  -- The file should not have been imported: it stays, and counts for nothing.
  withdrawn_at timestamptz,
  withdrawn_reason text,
  check ((withdrawn_at is null) = (withdrawn_reason is null))
);
create unique index settlement_files_once on settlement_files (provider, digest) where withdrawn_at is null;
create index settlement_files_day on settlement_files (day, provider);

-- owner: settlement
create table settlement_lines (
  file_id bigint not null references settlement_files,
  line integer not null,
  provider text collate "C" not null,
  -- As in the file: our reference, or the provider's own.
  reference text collate "C" not null,
  -- The payment and attempt that the reference names. null: none, or not found yet.
  payment_id bigint,
  attempt smallint,
  amount bigint not null,
  state text not null check (state in ('succeeded', 'failed', 'pending')),
  serial_number text not null,
  at timestamptz,
  primary key (file_id, line)
);
create index settlement_lines_payment on settlement_lines (payment_id, provider, attempt) where payment_id is not null;
create index settlement_lines_reference on settlement_lines (reference, file_id);

-- owner: settlement
-- Disagreements between the provider's account and ours. A difference that agrees by now, or was accepted, is closed
-- and stays.
create table settlement_differences (
  id bigint generated always as identity primary key,
  file_id bigint not null references settlement_files,
  kind text not null check (kind in ('missing_here', 'missing_there', 'amount', 'state', 'duplicate_there')),
  -- 0: the file has no line for it
  line integer not null,
  reference text collate "C" not null,
  reseller_id bigint,
  payment_id bigint,
  attempt smallint,
  theirs text not null,
  ours text not null,
  found_at timestamptz not null,
  seen_run integer not null,
  closed_at timestamptz,
  closed_as text check (closed_as in ('agrees', 'accepted', 'withdrawn')),
  reason text,
  unique (file_id, kind, line, reference),
  check ((closed_at is null) = (closed_as is null))
);
create index settlement_differences_open on settlement_differences (file_id, id) where closed_at is null;
create index settlement_differences_missing on settlement_differences (payment_id)
  where kind = 'missing_there' and closed_at is null;
