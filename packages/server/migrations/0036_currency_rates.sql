-- Ringgit for one unit of another currency, from a time on. Rows are only added: what was in force stays in force for
-- the time that is over.
-- owner: rates
create table currency_rates (
  id          bigint generated always as identity primary key,
  currency    text not null check (currency ~ '^[A-Z]{3}$' and currency <> 'MYR'),
  rate        numeric(17, 8) not null check (rate > 0),
  from_at     timestamptz not null,
  reason      text not null,
  set_by      text not null,
  approved_by text,
  set_at      timestamptz not null default clock_timestamp()
);
create index currency_rates_by_time on currency_rates (currency, from_at desc, id desc);
