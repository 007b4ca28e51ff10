-- Restores: returns of the database to an earlier moment. Payments that were taken after the moment are not in the
-- database any more, but may have been carried out. docs/adr/0024 has the reasoning.

-- owner: payments
-- One row for each return to an earlier moment. While a row is not accepted, no refid that the database does not know is
-- taken or rejected: it may have been paid after the moment.
create table restores (
  id bigint generated always as identity primary key,
  -- Last commit that the database has from before the restore.
  restored_to timestamptz not null,
  restored_at timestamptz not null,
  -- Last commit in the log from which the lost payments were read. null: no log beyond the moment was read.
  log_read_to timestamptz,
  accepted_at timestamptz,
  accepted_by text,
  reason text,
  check (num_nonnulls(accepted_at, accepted_by, reason) in (0, 3))
);

-- owner: payments
-- Payments that were taken after the moment of a restore, by the log or by the word of an operator. Their refids are
-- answered with "the outcome is not known" until an operator has asked the provider and released them.
create table lost_payments (
  reseller_id bigint not null references resellers,
  refid text collate "C" not null,
  restore_id bigint not null references restores,
  -- The id that the payment had, of which its references at the provider are made. null: an operator named the refid.
  payment_id bigint,
  provider text not null default '',
  -- How many references were used.
  attempts smallint not null default 1,
  product_code text not null default '',
  account text not null default '',
  amount bigint not null default 0,
  cost bigint not null default 0,
  -- The last state that the log has.
  code smallint not null default 0,
  released_at timestamptz,
  released_by text,
  release_reason text,
  primary key (reseller_id, refid),
  check (num_nonnulls(released_at, released_by, release_reason) in (0, 3))
);

alter table payment_work
  -- True: the payment was in progress at the moment of a restore. Orders that were sent for it later are forgotten, so
  -- its provider is asked, and nothing is sent.
  add column is_ask_only boolean not null default false;
