-- Places at which a shop sells.
-- owner: tills
create table branches (
  reseller_id bigint not null references resellers,
  id bigint generated always as identity,
  name text not null check (length(name) between 1 and 40),
  -- Payments go on naming a place that is not used any more.
  is_retired boolean not null default false,
  primary key (reseller_id, id)
);
create unique index branches_name on branches (reseller_id, name);

-- Counters of a branch, each with its drawer of cash.
-- owner: tills
create table tills (
  reseller_id bigint not null,
  id bigint generated always as identity,
  branch_id bigint not null,
  name text not null check (length(name) between 1 and 40),
  is_retired boolean not null default false,
  -- Digest of the secret in the browser that is this till; null: none is.
  browser_digest bytea,
  -- Number of the last Z report.
  last_number integer not null default 0,
  primary key (reseller_id, id),
  foreign key (reseller_id, branch_id) references branches
);
create unique index tills_name on tills (reseller_id, branch_id, name);
create unique index tills_browser on tills (reseller_id, browser_digest);

-- What the owner of a shop wants at its tills.
-- owner: tills
create table till_settings (
  reseller_id bigint primary key references resellers,
  -- True: members sell in a shift alone.
  requires_shift boolean not null
);

-- Shifts of a till. The columns of its end are the Z report: they are there together or not at all. Times are in
-- milliseconds, as in the ids of payments.
-- owner: tills
create table shifts (
  reseller_id bigint not null,
  id bigint generated always as identity,
  till_id bigint not null,
  opened_by bigint not null,
  opened_ms bigint not null,
  -- Amounts of cash, 1/10,000 ringgit
  float_amount bigint not null check (float_amount >= 0),
  number integer,
  closed_by bigint,
  closed_ms bigint check (closed_ms > opened_ms),
  counted bigint check (counted >= 0),
  expected bigint,
  primary key (reseller_id, id),
  foreign key (reseller_id, till_id) references tills,
  check (num_nulls(number, closed_by, closed_ms, counted, expected) in (0, 5))
);
create unique index shifts_open on shifts (reseller_id, till_id) where number is null;
create unique index shifts_number on shifts (reseller_id, till_id, number);

-- Stretches of time in which a member sold in a shift. A payment is of the shift, and so of the till and the branch, in
-- whose stretch its member took it: nothing is written when it is taken. One member is in one shift at a time.
-- owner: tills
create table shift_stays (
  reseller_id bigint not null,
  shift_id bigint not null,
  member_id bigint not null,
  from_ms bigint not null,
  -- null: the shift is open
  until_ms bigint check (until_ms > from_ms),
  primary key (reseller_id, shift_id, member_id),
  foreign key (reseller_id, shift_id) references shifts,
  foreign key (reseller_id, member_id) references users
);
create unique index shift_stays_open on shift_stays (reseller_id, member_id) where until_ms is null;
create index shift_stays_until on shift_stays (reseller_id, until_ms);

-- Cash that went into a drawer or out of it without a sale, and takings that are not in it.
-- owner: tills
create table shift_movements (
  reseller_id bigint not null,
  shift_id bigint not null,
  id bigint generated always as identity,
  member_id bigint not null,
  kind text not null check (kind in ('pay_in', 'pay_out', 'not_cash')),
  amount bigint not null check (amount > 0),
  reason text not null check (length(reason) between 1 and 100),
  at timestamptz not null default clock_timestamp(),
  primary key (reseller_id, shift_id, id),
  foreign key (reseller_id, shift_id) references shifts
);

-- Sales of a Z report, by who sold them and the category of the product.
-- owner: tills
create table shift_sales (
  reseller_id bigint not null,
  shift_id bigint not null,
  member_id bigint not null,
  category text collate "C" not null,
  payments bigint not null check (payments > 0),
  -- Sum of face values, 1/10,000 ringgit
  face_value bigint not null check (face_value > 0),
  primary key (reseller_id, shift_id, member_id, category),
  foreign key (reseller_id, shift_id) references shifts
);
