-- Support cases: disputes and voids. A change of a case is told in its own commit: a message of the case, a fact for
-- the account's feed and a notice for its members. An approved void is the refund, the payment's last state and the
-- end of the case in one commit. Cases come last in the order of locks: wallets, payments, stock, cases.

-- owner: cases
create sequence case_numbers as bigint;

-- owner: cases
create table cases (
  reseller_id bigint not null references resellers,
  id bigint not null,
  -- The number that people use; it ends with the id.
  number text collate "C" not null,
  kind text not null check (kind in ('dispute', 'void')),
  state text not null check (state in ('open', 'in_progress', 'resolved', 'refused')),
  payment_id bigint not null,
  refid text not null,
  -- Addresses that get a copy of all mails. The account's registered address always does and is not stored here,
  -- because it may change.
  cc text[] not null,
  refund_type smallint check (refund_type between 1 and 3),
  refund_reason text,
  member_id text not null,
  -- The request that opened it. The same request, run again, recognises its case by this.
  request_id uuid not null,
  opened_at timestamptz not null,
  changed_at timestamptz not null,
  due_at timestamptz not null,
  closed_at timestamptz,
  -- When operators are told that it is late, and told again. null: nobody has to work on it.
  watch_at timestamptz,
  primary key (reseller_id, id),
  check ((kind = 'void') = (refund_type is not null)),
  check ((state in ('resolved', 'refused')) = (closed_at is not null))
);
create unique index cases_number on cases (number);
-- A payment has one open case, however many ask at once and on however many nodes.
create unique index cases_one_open on cases (payment_id, reseller_id) where closed_at is null;
create index cases_of_payment on cases (payment_id, reseller_id);
create index cases_newest on cases (id);
-- Open cases are few among all that ever were.
create index cases_unclosed on cases (id) where closed_at is null;
create index cases_watched on cases (watch_at) where watch_at is not null;

-- owner: cases
create table case_messages (
  reseller_id bigint not null,
  case_id bigint not null,
  id bigint generated always as identity,
  author text not null check (author in ('reseller', 'operator', 'system')),
  text text not null,
  at timestamptz not null,
  primary key (reseller_id, case_id, id)
);

-- owner: cases
-- One row per void that the provider is asked for, from the commit that opens the case until the provider has decided.
-- It outlives the case if an operator closes it while the provider is still deciding.
create table case_work (
  reseller_id bigint not null,
  case_id bigint not null,
  -- Nobody touches it before this instant: the end of a lease, or the time of the next question.
  next_at timestamptz not null,
  -- The node that works on it until next_at. A test clock moves questions, never leases.
  holder uuid,
  questions integer not null default 0,
  primary key (reseller_id, case_id)
);
create index case_work_next on case_work (next_at);
