-- Sums for the charts of the console and of the portal: reading them costs the same however many rows they stand for.

-- owner: providers
-- The orders that one node sent to one provider within five minutes, by their answers. A node writes its present counts
-- over the earlier ones, so that a write that is repeated counts nothing twice. Reading a day costs the same however
-- many orders there were.
create table provider_health_intervals (
  provider text collate "C" not null,
  -- The beginning of the five minutes.
  at timestamptz not null,
  node text collate "C" not null,
  succeeded integer not null,
  failed integer not null,
  pending integer not null,
  not_acted integer not null,
  unknown integer not null,
  -- The number of orders in each step of time that breaker.rules.ts names.
  latencies integer[] not null,
  primary key (provider, at, node)
);
-- Serves the sweep.
create index provider_health_intervals_age on provider_health_intervals (at);

-- owner: events
-- The deliveries of one stream that were made on a day by GMT+8, once the day is over and none of them can change any
-- more. Days without a row are counted from the deliveries.
create table delivery_days (
  reseller_id bigint not null,
  stream text collate "C" not null,
  day date not null,
  succeeded integer not null,
  failed integer not null,
  primary key (reseller_id, stream, day)
);
