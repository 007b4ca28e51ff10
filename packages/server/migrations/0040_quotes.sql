-- What a payment would cost, held for some minutes. Nothing is reserved by it.
-- owner: payments
create table quotes (
  reseller_id bigint not null references resellers,
  id uuid not null,
  -- The payment that was quoted, as it was sent. plan_code is the plan that it was decided to mean.
  product_code text collate "C" not null,
  product_name text not null,
  account text collate "C" not null,
  amount bigint not null check (amount > 0),
  subproduct_code text,
  biller_code text,
  ref2 text,
  plan_code text,
  -- Identity number; bound to reseller and quote
  sealed_input bytea,
  face_value bigint not null check (face_value > 0),
  cost bigint not null check (cost > 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The payment that was made with it, whatever became of it.
  payment_id bigint,
  primary key (reseller_id, id)
);
create index quotes_open on quotes (reseller_id, expires_at) where payment_id is null;
create index quotes_unpaid on quotes (expires_at) where payment_id is null;
