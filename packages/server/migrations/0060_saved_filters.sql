-- Views of the payments that a shop or one of its members has saved. A query may name a customer's number: it stands in
-- no log, and goes with its row.
-- owner: counter
create table counter_saved_filters (
  reseller_id bigint not null references resellers,
  id bigint generated always as identity,
  -- Member whose own it is; null: the whole shop's.
  member_id bigint,
  name text not null check (length(name) between 1 and 40),
  query text not null check (length(query) between 1 and 2000),
  created_at timestamptz not null default now(),
  primary key (reseller_id, id),
  foreign key (reseller_id, member_id) references users on delete cascade
);
