-- A person is shut out where the wrong guesses come from, and not everywhere: strangers who guess at a known name must
-- not keep its owner out.

-- The place of a failure: the digest of a network, of a known device or of a session. null: written by a version that
-- knew no places; it counts for the name alone.
-- is_known: the place had proven itself before, so the failure does not count for the name over all places.
alter table login_failures add column place bytea, add column is_known boolean not null default false;

-- owner: sessions
-- Browsers and networks from which a person has signed in. Only the digest is kept of the secret in a browser's cookie.
create table sign_in_devices (
  reseller_id bigint not null,
  person_id bigint not null,
  kind text not null check (kind in ('operator', 'member')),
  what text not null check (what in ('browser', 'network')),
  digest bytea not null,
  -- The person's when they signed in: a device is known until the password changes.
  password_changed_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz not null default clock_timestamp(),
  primary key (reseller_id, person_id, kind, what, digest)
);
create index sign_in_devices_last_used_at on sign_in_devices (last_used_at);
