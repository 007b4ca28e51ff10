-- What a reseller's people see of their own requests.

-- owner: portal
-- One row per request to the reseller API that is kept: all of a quiet account's, a sample of a busy one's. Unlogged,
-- because it is written beside everything that matters and must cost it nothing; after a crash it begins anew. By the
-- account's number, which is what the edge knows of a caller.
create unlogged table request_log (
  account text collate "C" not null,
  -- Begins with its millisecond.
  id bigint not null,
  request_id uuid not null,
  method text not null,
  -- The pattern, never the address as it was sent.
  route text not null,
  status smallint not null,
  duration_ms real not null,
  address text not null,
  key_id text,
  user_id text,
  error text,
  -- As the caller was told.
  message text,
  -- How many requests before this one, of the account and by this node, were not kept.
  skipped integer not null default 0,
  primary key (account, id)
);
-- The way to what is too old.
create index request_log_age on request_log (id);
-- The ways to what somebody looks for when something went wrong: few among many.
create index request_log_failed on request_log (account, id) where status >= 400;
create index request_log_errors on request_log (account, error, id) where error is not null;
