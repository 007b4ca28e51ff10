-- Daily closings.

-- owner: finance
-- A day (GMT+8) on which a wallet moved, closed once no more entries of it could come. A day without movements has no
-- row: the balance at its end is that of the closing before. Amounts are signed as in the ledger: payments are
-- negative.
create table daily_closings (
  reseller_id bigint not null references resellers,
  day date not null,
  opening bigint not null check (opening >= 0),
  closing bigint not null check (closing >= 0),
  first_sequence bigint not null check (first_sequence > 0),
  last_sequence bigint not null check (last_sequence >= first_sequence),
  deposit_count bigint not null check (deposit_count >= 0),
  deposit_amount bigint not null check (deposit_amount >= 0),
  adjustment_count bigint not null check (adjustment_count >= 0),
  adjustment_amount bigint not null,
  commission_count bigint not null check (commission_count >= 0),
  commission_amount bigint not null check (commission_amount >= 0),
  payment_count bigint not null check (payment_count >= 0),
  payment_amount bigint not null check (payment_amount <= 0),
  refund_count bigint not null check (refund_count >= 0),
  refund_amount bigint not null check (refund_amount >= 0),
  closed_at timestamptz not null default clock_timestamp(),
  primary key (reseller_id, day),
  constraint daily_closings_balance check (
    closing = opening + deposit_amount + adjustment_amount + commission_amount + payment_amount + refund_amount
  ),
  constraint daily_closings_count check (
    last_sequence - first_sequence + 1
      = deposit_count + adjustment_count + commission_count + payment_count + refund_count
  )
);
