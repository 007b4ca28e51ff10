-- What comes from providers by itself: callbacks, settlement files, and what is left of the money that we hold there.

-- The way to a payment whose reseller is not known: a provider knows our reference alone. An expression, so that no
-- statement that has the reseller can be planned over it. The functions below are the only ones to use it, with every
-- other way closed to them: plans are kept, and may have been made when the table was empty.
create index payments_by_id on payments ((id + 0));

create function find_called_payment(p_id bigint)
returns table (reseller_id bigint, code smallint, amount bigint, face_value bigint)
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
#variable_conflict use_column
begin
  return query select p.reseller_id, p.code, p.amount, p.face_value from payments p where p.id + 0 = p_id;
end $$;

-- What is known of attempts at payments, each in the row of its own place; a payment that does not exist has none.
-- `attempt_provider` null: there was no such attempt.
create function find_attempts(p_ids bigint[], p_attempts smallint[])
returns table (reseller_id bigint, payment_id bigint, attempt smallint, attempt_provider text, code smallint,
               amount bigint, face_value bigint, serial_number text, present_attempt smallint,
               succeeded_attempt smallint)
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
#variable_conflict use_column
begin
  return query
    select p.reseller_id, k.payment_id, k.attempt,
           case when k.attempt = 1 then coalesce(first.provider_before, p.provider) else later.provider end,
           p.code, p.amount, p.face_value, p.serial_number, w.attempt, s.attempt
      from unnest(p_ids, p_attempts) as k (payment_id, attempt)
      join payments p on p.id + 0 = k.payment_id
      left join payment_work w on w.reseller_id = p.reseller_id and w.payment_id = p.id
      left join lateral (
        select c.attempt from payment_changes c
         where c.reseller_id = p.reseller_id and c.payment_id = p.id and c.kind = 'state' and c.code = 20
         order by c.id desc limit 1
      ) s on true
      left join lateral (
        select c.provider_before from payment_changes c
         where c.reseller_id = p.reseller_id and c.payment_id = p.id and c.kind = 'attempt' order by c.id limit 1
      ) first on true
      left join lateral (
        select c.provider from payment_changes c
         where c.reseller_id = p.reseller_id and c.payment_id = p.id and c.kind = 'attempt'
           and c.attempt = k.attempt
         order by c.id desc limit 1
      ) later on true;
end $$;

-- Attempts that succeeded of the payments between two ids, whoever's they are, in the order of the ids.
create function list_sold(p_after bigint, p_before bigint, p_limit integer)
returns table (payment_id bigint, attempt smallint)
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
#variable_conflict use_column
begin
  return query
    select p.id, coalesce(s.attempt, 1::smallint)
      from payments p
      left join lateral (
        select c.attempt from payment_changes c
         where c.reseller_id = p.reseller_id and c.payment_id = p.id and c.kind = 'state' and c.code = 20
         order by c.id desc limit 1
      ) s on true
     where p.id + 0 > p_after and p.id + 0 < p_before and p.code = 20
     order by p.id + 0 limit p_limit;
end $$;

-- owner: payments
-- Callbacks that were taken, for as long as a provider may repeat them.
create table provider_callbacks (
  provider text collate "C" not null,
  -- SHA-256 of the provider's own id, which may be anything.
  id bytea not null,
  -- SHA-256 of what was sent: the same id with other content is not the same callback.
  digest bytea not null,
  received_at timestamptz not null,
  primary key (provider, id)
);
create index provider_callbacks_received on provider_callbacks (received_at);

-- owner: providers
-- What a provider last said of our money there, and whose turn it is to ask.
create table provider_floats (
  provider text collate "C" primary key,
  -- null: it never said
  amount bigint,
  read_at timestamptz,
  -- Since when it gives no answer, and the latest reason.
  failing_since timestamptz,
  trouble text,
  -- Nobody asks before this instant: one node at a time.
  next_at timestamptz not null
);

-- owner: providers
-- Readings of the last days, from which the rate of trading is seen.
create table provider_float_readings (
  provider text collate "C" not null,
  at timestamptz not null,
  amount bigint not null,
  primary key (provider, at)
);

-- owner: settlement
-- A provider's own account of a day, as it was imported.
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
  -- Comparisons so far; a difference says which of them saw it last.
  runs integer not null default 0,
  compared_at timestamptz,
  -- It should not have been imported: it stays, and counts for nothing.
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
  -- As the file has it: our reference, or the provider's own.
  reference text collate "C" not null,
  -- What it names of ours; null: nothing, or not found yet.
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
-- Where the provider's account and ours do not agree. A row that agrees by now, or was accepted, is closed and stays.
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
