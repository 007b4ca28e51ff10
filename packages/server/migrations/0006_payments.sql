-- Payments. The hot path is two functions, take_payments and resolve_payments: each is one round trip and one commit
-- for a whole batch. They touch wallets, transfers, nonces and the stock through the functions of those tables'
-- owners. Every writer locks in one order: nonces, wallets by reseller, work and then payments (each by reseller and
-- id), the stock, cases.

-- owner: payments
-- The id begins with the millisecond of the initiation. The primary key is therefore also the order of the history and
-- the way to a day of it, and no index on the time is needed.
create table payments (
  reseller_id bigint not null,
  id bigint not null,
  refid text collate "C" not null check (length(refid) between 1 and 50),
  product_code text collate "C" not null,
  product_name text not null,
  account text collate "C" not null,
  amount bigint not null check (amount > 0),
  face_value bigint not null check (face_value > 0),
  cost bigint not null check (cost > 0),
  -- The balance of the wallet right after this payment's latest movement of money.
  balance_after bigint not null,
  -- 0 Accepted, 1 Processing, 20 Succesful, 53 voided, others Failed
  code smallint not null,
  -- As they were sent, for comparing a repeated request. plan_code is the plan that they were decided to mean.
  subproduct_code text,
  biller_code text,
  ref2 text,
  plan_code text,
  -- Identity number; bound to reseller and refid
  sealed_input bytea,
  remarks text not null,
  failure text,
  serial_number text,
  expiry text,
  note text,
  -- PIN and voucher link; bound to reseller and id
  sealed_output bytea,
  sender text not null,
  member_id text not null,
  provider text not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (reseller_id, id)
) with (fillfactor = 80);
-- No index but the primary key begins with the reseller. Plans are kept, and a plan made while the table is empty
-- could otherwise choose any index with the reseller and read through all of its payments. So there is one way to a
-- refid, one to an account and one to an id.
create unique index payments_refid on payments ((reseller_id::text || '/' || refid), reseller_id);
create index payments_account on payments (account, reseller_id, id);
-- Finds a payment whose reseller is not known: a provider knows our reference alone. It is an expression, so that no
-- statement that has the reseller is planned over it. Only find_called_payment, find_attempts and list_sold use it.
create index payments_by_id on payments ((id + 0));

-- owner: payments
-- Tells apart the payments of one millisecond.
create sequence payment_numbers as bigint cycle maxvalue 4611686018427387904;

-- owner: payments
-- One row per payment that is not final: the queue of payments to send or to ask about, and the lease of the node that
-- works on one. It is apart from the payments so that their rows are updated in place and this table stays small.
create table payment_work (
  reseller_id bigint not null,
  payment_id bigint not null,
  attempt smallint not null,
  -- When the present attempt was, or may have been, sent.
  submitted_at timestamptz not null,
  -- Nobody touches it before this instant: the end of a lease, or the time of the next question.
  next_at timestamptz not null,
  -- A node works on it until next_at. A test clock moves questions, never leases.
  is_leased boolean not null,
  -- Raised by every node that takes the work over. A node knows by the number that the work is still its own. A payment
  -- is created with the lease of the node that took it.
  lease integer not null default 1,
  due_at timestamptz not null,
  -- How far the account's test clock was moved while a node worked on it: to the provider it is that much older.
  ahead_ms bigint not null default 0,
  questions integer not null default 0,
  -- The node that had the present attempt has recorded that it was not sent and never will be.
  is_unsent boolean not null default false,
  -- How often the present attempt was sent again under the same reference.
  repeats smallint not null default 0,
  -- The request that it was taken for, if that has an id: a batch that is run again recognises its own payments by it.
  request_id uuid,
  primary key (reseller_id, payment_id)
);
create index payment_work_next on payment_work (next_at);

-- owner: payments
-- Attempts that may have been carried out although they are not the work of their payment: the payment has ended, or
-- goes on with another attempt. A row stays until the provider has decided. The columns mean the same as in
-- payment_work.
create table payment_open_attempts (
  reseller_id bigint not null,
  payment_id bigint not null,
  attempt smallint not null,
  -- The provider that has the attempt.
  provider text not null,
  submitted_at timestamptz not null,
  ahead_ms bigint not null default 0,
  next_at timestamptz not null,
  is_leased boolean not null,
  lease integer not null,
  questions integer not null default 0,
  primary key (reseller_id, payment_id, attempt)
);
create index payment_open_attempts_next on payment_open_attempts (next_at);

-- owner: payments
-- The timeline of a payment after it was taken.
create table payment_changes (
  reseller_id bigint not null,
  payment_id bigint not null,
  id bigint generated always as identity,
  kind text not null,
  code smallint not null,
  -- The attempt that it is about. null: it is about the payment itself.
  attempt smallint,
  -- For an attempt that was begun: its provider, and the provider of the attempt before.
  provider text,
  provider_before text,
  detail text not null,
  at timestamptz not null,
  primary key (reseller_id, payment_id, id)
);
-- A contradiction is noted once, however often a provider repeats it and on however many nodes.
create unique index payment_changes_one_contradiction
  on payment_changes (payment_id, reseller_id, code, coalesce(attempt, 0::smallint)) where kind = 'contradiction';

-- owner: payments
-- Refids that were rejected in the last minutes. Once a client was told that nothing exists under a refid, no request
-- that was signed or received before that creates the payment. A writer of a row holds the wallet of the reseller, and
-- so does a writer of a payment: either the rejection finds the payment, or the payment finds the rejection.
create table payment_rejections (
  reseller_id bigint not null,
  refid text collate "C" not null,
  -- The latest X-Timestamp of a rejected request, by the client's clock. null: only unsigned requests were rejected.
  signed_at bigint,
  -- When the latest rejection was decided, by the database's clock.
  rejected_at timestamptz not null,
  primary key (reseller_id, refid)
);
-- Serves the sweep. It does not begin with the reseller: see payments_refid.
create index payment_rejections_age on payment_rejections (rejected_at);

-- owner: payments
-- Sums of whole days by GMT+8, for the days that are marked as current. Other days are counted from the payments.
create table payment_rollups (
  reseller_id bigint not null,
  day date not null,
  product_code text collate "C" not null,
  code smallint not null,
  payments bigint not null,
  face_value bigint not null,
  cost bigint not null,
  primary key (reseller_id, day, product_code, code)
);

-- owner: payments
create table payment_rollup_days (
  reseller_id bigint not null,
  day date not null,
  is_current boolean not null,
  primary key (reseller_id, day)
);
create index payment_rollup_days_open on payment_rollup_days (reseller_id, day) where not is_current;

-- owner: payments
-- How far the clock of an account was moved forward in staging, for the operation that reads it. Moving the clock
-- updates the outstanding times themselves.
create table test_clocks (
  reseller_id bigint primary key references resellers,
  advanced_seconds bigint not null
);

-- owner: payments
-- Callbacks that were accepted, kept for as long as a provider may repeat them.
create table provider_callbacks (
  provider text collate "C" not null,
  -- SHA-256 of the provider's own id, which may be anything.
  id bytea not null,
  -- SHA-256 of the body: the same id with other content is another callback.
  digest bytea not null,
  received_at timestamptz not null,
  primary key (provider, id)
);
create index provider_callbacks_received on provider_callbacks (received_at);
