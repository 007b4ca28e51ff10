-- owner: providers
-- Answers by which providers refused orders, by day of GMT+8, the provider's own word and our code.
create table provider_refusals (
  provider text collate "C" not null references provider_connections on delete cascade,
  day date not null,
  outcome text not null check (outcome in ('failed', 'not_acted')),
  -- Empty: it gave no word. An ellipsis: further words of the day.
  word text collate "C" not null,
  code smallint not null,
  count bigint not null check (count > 0),
  last_at timestamptz not null,
  primary key (provider, day, outcome, word, code)
);
