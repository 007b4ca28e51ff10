-- What limits and caps count a payment as: the category of its product, and the purpose of the key that paid. null: taken
-- before these columns were there, or by nobody's key.
alter table payments add column category text collate "C", add column purpose_id bigint;

-- Most that each reseller of a level may pay in a day or a month, by the operator. A null is no limit.
-- owner: accounts
create table level_limits (
  price_level text not null references price_levels,
  -- account: for each account that is paid for
  scope text not null check (scope in ('account', 'reseller')),
  period text not null check (period in ('day', 'month')),
  -- '': all categories together
  category text collate "C" not null,
  payments bigint check (payments >= 0),
  -- Sum of face values, 1/10,000 ringgit
  face_value bigint check (face_value >= 0),
  check (payments is not null or face_value is not null),
  primary key (price_level, scope, period, category)
);

-- The same for one reseller. An entry of the operator replaces that of the level; the reseller's own come on top.
-- owner: payments
create table reseller_limits (
  reseller_id bigint not null references resellers,
  set_by text not null check (set_by in ('operator', 'reseller')),
  scope text not null check (scope in ('account', 'reseller')),
  period text not null check (period in ('day', 'month')),
  category text collate "C" not null,
  payments bigint check (payments >= 0),
  face_value bigint check (face_value >= 0),
  check (payments is not null or face_value is not null),
  primary key (reseller_id, set_by, scope, period, category)
);

-- Resellers whose payments are counted by account, as a whole, or by the purpose of the key: from the first payment on
-- that has a limit or a cap of this kind. Nobody else pays for the counting.
-- owner: payments
create table payment_tallies (
  reseller_id bigint not null references resellers,
  kind text not null check (kind in ('account', 'reseller', 'key')),
  began_at timestamptz not null,
  primary key (reseller_id, kind)
);

-- Payments that were taken in a day of GMT+8 and have neither failed nor been voided.
-- owner: payments
create table payment_counts (
  reseller_id bigint not null,
  kind text not null,
  -- The account in its canonical form, '' for the whole reseller, or the purpose of the key
  subject text collate "C" not null,
  -- By the reseller's test clock, where it has one
  day date not null,
  -- Empty for keys, whose caps know no categories
  category text collate "C" not null,
  payments bigint not null check (payments >= 0),
  face_value bigint not null check (face_value >= 0),
  cost bigint not null check (cost >= 0),
  primary key (reseller_id, kind, subject, day, category)
) with (fillfactor = 50);
