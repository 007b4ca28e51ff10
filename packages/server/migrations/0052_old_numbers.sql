-- Walk over the payments that were taken before numbers had a canonical form: one row, which says how far it is.
-- owner: payments
create table number_walk (
  is_only boolean primary key default true check (is_only),
  -- The last payment that was read.
  after_reseller bigint not null default 0,
  after_payment bigint not null default 0,
  ended_at timestamptz
);
insert into number_walk default values;
