-- The resellers' portal.

-- owner: portal
-- The log of requests to the reseller API: all requests of a quiet account, a sample of a busy one's. It is unlogged,
-- because it is written beside everything that matters and must cost it nothing; after a crash it begins anew. Its key
-- is the account's number, which is what the edge knows of a caller.
create unlogged table request_log (
  account text collate "C" not null,
  -- Begins with its millisecond.
  id bigint not null,
  request_id uuid not null,
  method text not null,
  -- The pattern of the route, never the address as it was sent.
  route text not null,
  status smallint not null,
  duration_ms real not null,
  address text not null,
  key_id text,
  user_id text,
  error text,
  -- The text that the caller was given.
  message text,
  -- The number of requests before this one, of the account and on this node, that were not kept.
  skipped integer not null default 0,
  primary key (account, id)
);
-- Finds rows that are too old.
create index request_log_age on request_log (id);
-- Find the few failed requests among many.
create index request_log_failed on request_log (account, id) where status >= 400;
create index request_log_errors on request_log (account, error, id) where error is not null;
