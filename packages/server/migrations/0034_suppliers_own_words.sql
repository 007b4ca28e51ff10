-- owner: payments
-- Names under which a supplier knows an attempt, beside our reference. A row exists only where there is such a name.
create table payment_supplier_references (
  reseller_id bigint not null,
  payment_id bigint not null,
  attempt smallint not null,
  -- The supplier that has the attempt.
  provider text not null,
  -- The form of our reference that the supplier wants, written before the order was sent. null: it got the usual one.
  reference text collate "C",
  -- The supplier's own id of the order. null: it has not given one.
  supplier_id text collate "C",
  primary key (reseller_id, payment_id, attempt)
);

-- One reference is one attempt: a supplier that gets it twice must act once.
create unique index payment_supplier_references_by_reference on payment_supplier_references (provider, reference)
 where reference is not null;
create index payment_supplier_references_by_id on payment_supplier_references (supplier_id)
 where supplier_id is not null;

-- owner: payments
-- Money that a supplier said it took from us for an attempt that succeeded.
create table payment_supplier_costs (
  reseller_id bigint not null,
  payment_id bigint not null,
  attempt smallint not null,
  provider text not null,
  -- ISO 4217
  currency text not null,
  -- Ten-thousandths of the currency's unit.
  amount bigint not null check (amount >= 0),
  primary key (reseller_id, payment_id, attempt)
);

-- Ids begin with the millisecond of the payment: a range of ids is a range of time.
create index payment_supplier_costs_by_payment on payment_supplier_costs (payment_id);
