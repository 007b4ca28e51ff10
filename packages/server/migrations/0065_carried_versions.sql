-- State of what is written once, in the first group, and carried to every other one.
-- owner: db
create table carried_version (
  singleton boolean primary key default true check (singleton),
  -- Address of the first group, where it is written; null: here.
  source text,
  -- Number of the version that is here. In the first group it grows when a change is noticed.
  version bigint not null,
  -- Part → mark of its content, by which a change is noticed.
  marks jsonb not null default '{}',
  at timestamptz not null default now(),
  -- Why the latest attempt brought nothing; null: it did not fail.
  trouble text
);
insert into carried_version (version) values (0);

-- Version of the last change that may have led to another supplier, or to another account there.
alter table provider_connections add column account_version bigint not null default 0;
