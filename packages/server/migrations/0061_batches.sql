-- Files of payments that members paid, so that their result can be read again and their lines used again.
-- owner: payments
create table payment_batches (
  reseller_id bigint not null references resellers,
  id bigint generated always as identity,
  -- Member who paid it. It may have been removed since.
  member_id bigint not null,
  name text not null check (length(name) <= 100),
  created_at timestamptz not null default now(),
  primary key (reseller_id, id)
);
-- Their lines as the file had them. Identity numbers are not kept.
-- owner: payments
create table payment_batch_lines (
  reseller_id bigint not null,
  batch_id bigint not null,
  line integer not null check (line >= 0),
  refid text collate "C" not null,
  product text not null,
  account text not null,
  amount text not null,
  subproduct_code text,
  biller_code text,
  ref2 text,
  remarks text,
  reference text,
  primary key (reseller_id, batch_id, line),
  foreign key (reseller_id, batch_id) references payment_batches on delete cascade
);
