-- Most that a member of a reseller may sell in a day or a month, by an owner or a manager. A null is no limit.
-- owner: payments
create table member_limits (
  reseller_id bigint not null,
  user_id bigint not null,
  period text not null check (period in ('day', 'month')),
  payments bigint check (payments >= 0),
  -- Sum of face values, 1/10,000 ringgit
  face_value bigint check (face_value >= 0),
  check (payments is not null or face_value is not null),
  primary key (reseller_id, user_id, period),
  foreign key (reseller_id, user_id) references users
);

-- Payments are counted by the member who sold them, too.
alter table payment_tallies drop constraint payment_tallies_kind_check,
  add constraint payment_tallies_kind_check check (kind in ('account', 'reseller', 'key', 'member'));
