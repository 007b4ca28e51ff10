-- Numbers that a shop or one of its members keeps for the next sale. They are personal data: they stand in no log, and
-- go with their row.
-- owner: counter
create table counter_favourites (
  reseller_id bigint not null references resellers,
  id bigint generated always as identity,
  -- Member whose own it is; null: the whole shop's.
  member_id bigint,
  name text not null check (length(name) between 1 and 40),
  product_code text not null,
  account text not null check (length(account) between 1 and 100),
  -- In the product's own unit; null: asked each time.
  amount bigint check (amount > 0),
  created_at timestamptz not null default now(),
  primary key (reseller_id, id),
  foreign key (reseller_id, member_id) references users on delete cascade
);
