-- owner: operator
-- Payments that one operator ended or refunded without a second person. Their sums over a day and a week are limited, for
-- each operator and for each reseller. A row is written in the commit that moves the payment.
create table lone_decisions (
  reseller_id bigint not null references resellers,
  id bigint generated always as identity,
  operator_id bigint not null references operators,
  payment_id bigint not null,
  cost bigint not null check (cost > 0),
  decided_at timestamptz not null default clock_timestamp(),
  primary key (reseller_id, id)
);

-- Sums of an operator over the last days.
create index lone_decisions_by_operator on lone_decisions (operator_id, decided_at) include (cost);
-- Sums of a reseller over the last days.
create index lone_decisions_by_reseller on lone_decisions (reseller_id, decided_at) include (cost);
