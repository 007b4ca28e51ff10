-- What a customer is given of a payment: made when somebody first asks for it, signed anew when the payment is voided.
-- owner: receipts
create table receipts (
  reseller_id bigint not null references resellers,
  payment_id bigint not null,
  -- Short enough to read out on the telephone.
  number text collate "C" not null check (number ~ '^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$'),
  -- Whoever has it sees the receipt's page.
  token text collate "C" not null,
  -- Serial and PIN are signed by a digest with it. It stays here: a PIN is short enough to be guessed by its digest.
  salt bytea not null check (length(salt) = 32),
  -- Code of the payment that was signed
  code smallint not null,
  kid text collate "C" not null,
  jws text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (reseller_id, payment_id)
);
create unique index receipts_number on receipts (reseller_id, number);
create unique index receipts_token on receipts (token);

-- Public keys by which receipts were signed. A receipt is verified for years, after its key signs nothing any more.
-- owner: receipts
create table receipt_keys (
  kid text collate "C" primary key,
  public_jwk jsonb not null
);
