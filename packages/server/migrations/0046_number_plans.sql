-- Plans of numbers that operators gave. Each takes the place of the one that the service knows by itself.
-- owner: numbers
create table number_plans (
  country text collate "C" primary key check (country ~ '^[A-Z]{2}$'),
  -- null: the country has the service's own plan again.
  plan jsonb,
  -- Greater than that of every earlier change.
  version bigint not null
);

