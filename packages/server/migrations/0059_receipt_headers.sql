-- What stands on every receipt of a shop besides the payment.
-- owner: receipts
create table receipt_headers (
  reseller_id bigint primary key references resellers,
  -- Name on the slip; empty: that of the account.
  name text not null check (length(name) <= 80),
  address text not null check (length(address) <= 200),
  registration_number text not null check (length(registration_number) <= 40),
  footer text not null check (length(footer) <= 200),
  -- A small PNG; null: none.
  logo bytea check (length(logo) <= 24576),
  updated_at timestamptz not null default clock_timestamp()
);
