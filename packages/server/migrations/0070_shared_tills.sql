-- Browsers that an owner or a manager made a shared till: whoever has a PIN may take over there. The browser keeps the
-- secret in a cookie.
-- owner: sessions
create table shared_tills (
  reseller_id bigint not null references resellers,
  id bigint generated always as identity,
  name text not null,
  digest bytea not null constraint shared_tills_digest_key unique,
  -- Seconds without a key or a touch after which the till locks itself
  idle_seconds integer not null check (idle_seconds between 30 and 3600),
  opened_by bigint not null,
  -- Wrong PINs of everybody since `failing_since`
  failures integer not null default 0 check (failures >= 0),
  failing_since timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz not null default clock_timestamp(),
  closed_at timestamptz,
  primary key (reseller_id, id),
  foreign key (reseller_id, opened_by) references users
);

-- PINs of members, sealed after they were hashed: whoever copies the table can guess none of them.
-- owner: sessions
create table member_pins (
  reseller_id bigint not null,
  user_id bigint not null,
  sealed_hash bytea not null,
  -- The member's value when the PIN was set. A PIN outlives no change of the password.
  password_changed_at timestamptz not null,
  set_at timestamptz not null default clock_timestamp(),
  primary key (reseller_id, user_id),
  foreign key (reseller_id, user_id) references users
);

-- Wrong PINs of a member at one shared till, since the last right one. A guess is counted before it is judged.
-- owner: sessions
create table pin_failures (
  reseller_id bigint not null,
  shared_till_id bigint not null,
  user_id bigint not null,
  failures integer not null check (failures >= 0),
  primary key (reseller_id, shared_till_id, user_id),
  foreign key (reseller_id, shared_till_id) references shared_tills,
  foreign key (reseller_id, user_id) references users
);

-- Sessions at a shared till end earlier, and those that a PIN opened may do less.
alter table sessions add column shared_till_id bigint;
alter table sessions add column is_by_pin boolean not null default false;
alter table sessions add column idle_seconds integer;
alter table sessions add constraint sessions_by_pin_check check (shared_till_id is not null or not is_by_pin);
alter table sessions add constraint sessions_till_check check ((shared_till_id is null) = (idle_seconds is null));
