-- The portal helps new integrators: the request log keeps the text that a signature was compared with, and the
-- checklist knows when an account first signed rightly.

-- The canonical string of a refused signature; bound to account and id. It is sealed because it holds the query, and
-- cut at 8,192 characters. null: the request was not refused for its signature.
alter table request_log add column sealed_canonical bytea;

-- owner: portal
-- The first signed request of an account that was answered well, for its checklist. The request log forgets after some
-- days, and after a crash.
create table first_signed_calls (
  account text collate "C" primary key,
  at timestamptz not null
);
