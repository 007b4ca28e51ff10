-- Files of payments that the service pays on a day, once or again and again, with nobody at the screen.
-- owner: payments
create table batch_schedules (
  reseller_id bigint not null references resellers,
  id bigint generated always as identity,
  -- Member in whose name and within whose right and limits it pays.
  member_id bigint not null,
  -- Address at which that member said so: its right to pay is judged again before each turn.
  sender text not null,
  name text not null check (length(name) <= 100),
  every text not null check (every in ('once', 'week', 'month')),
  first_at timestamptz not null,
  pays_repeats boolean not null,
  -- What the person confirmed as the most that a run may cost.
  max_cost bigint not null check (max_cost > 0),
  state text not null default 'active' check (state in ('active', 'stopped', 'ended')),
  reason text check (reason in ('person', 'member', 'account', 'not_allowed', 'balance', 'limit', 'product', 'price',
                                'unavailable', 'late')),
  -- Runs that have ended.
  runs integer not null default 0,
  -- Time of the next run, or of the one under way.
  run_at timestamptz not null,
  -- Run under way, and the last of its lines that has an end.
  batch_id bigint,
  line integer not null default -1,
  failing_since timestamptz,
  next_at timestamptz not null,
  holder uuid,
  created_at timestamptz not null default now(),
  primary key (reseller_id, id),
  check ((state = 'stopped') = (reason is not null)),
  check (state = 'active' or (next_at = 'infinity' and holder is null))
);
create index batch_schedules_due on batch_schedules (next_at) where state = 'active';
-- Their lines, each with the cost that the person saw: it is the most that the line is paid for.
-- owner: payments
create table batch_schedule_lines (
  reseller_id bigint not null,
  schedule_id bigint not null,
  line integer not null check (line >= 0),
  product text not null,
  account text not null,
  amount text not null,
  subproduct_code text,
  biller_code text,
  ref2 text,
  remarks text,
  reference text,
  cost bigint not null check (cost > 0),
  -- Identity number. It goes when the schedule ends.
  sealed_input bytea,
  primary key (reseller_id, schedule_id, line),
  foreign key (reseller_id, schedule_id) references batch_schedules on delete cascade
);
-- Runs of schedules are batches like those that a member pays.
alter table payment_batches add schedule_id bigint;
alter table payment_batches add run integer;
alter table payment_batch_lines add refusal text;
