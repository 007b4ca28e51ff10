-- Sessions: how operators and resellers' members sign in to their pages. No secret lies here readable: of anything that
-- lets a person in only the digest is kept, and the secrets of second factors are sealed.

-- owner: sessions
create table sessions (
  id bigint generated always as identity primary key,
  digest bytea not null constraint sessions_digest_key unique,
  kind text not null check (kind in ('operator', 'member')),
  reseller_id bigint not null,
  person_id bigint not null,
  -- The person's value when the password was checked. A session outlives no change of the password, not even a change
  -- that was under way at that moment.
  password_changed_at timestamptz not null,
  address inet not null,
  user_agent text not null,
  created_at timestamptz not null default clock_timestamp(),
  last_seen_at timestamptz not null default clock_timestamp(),
  -- The end of the session, however busy it is.
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_of_person on sessions (person_id, reseller_id, kind) where ended_at is null;
create index sessions_expires_at on sessions (expires_at);

-- owner: sessions
-- One per person. It counts from its confirmation on: before that nobody knows whether the secret arrived.
create table second_factors (
  kind text not null check (kind in ('operator', 'member')),
  reseller_id bigint not null,
  person_id bigint not null,
  sealed_secret bytea not null,
  confirmed_at timestamptz,
  -- The newest time step of an accepted code: no code is accepted twice, and no older one.
  last_step bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  primary key (kind, reseller_id, person_id)
);

-- owner: sessions
create table recovery_codes (
  kind text not null,
  reseller_id bigint not null,
  person_id bigint not null,
  digest bytea not null,
  used_at timestamptz,
  primary key (kind, reseller_id, person_id, digest),
  foreign key (kind, reseller_id, person_id) references second_factors on delete cascade
);

-- owner: sessions
-- Requests for a new password, from known and unknown names alike, so that the answer reveals no names. A job does the
-- rest.
create table password_reset_requests (
  kind text not null check (kind in ('operator', 'member')),
  login text not null check (length(login) <= 254),
  requested_at timestamptz not null default clock_timestamp(),
  primary key (kind, login)
);

-- owner: sessions
create table password_resets (
  digest bytea primary key,
  kind text not null check (kind in ('operator', 'member')),
  reseller_id bigint not null,
  person_id bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_resets_of_person on password_resets (person_id, reseller_id, kind, created_at);
create index password_resets_expires_at on password_resets (expires_at);

-- owner: sessions
create table invitations (
  reseller_id bigint not null references resellers,
  id bigint generated always as identity,
  digest bytea not null constraint invitations_digest_key unique,
  email text not null,
  role text not null check (role in ('admin', 'viewer')),
  invited_by bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by bigint,
  revoked_at timestamptz,
  primary key (reseller_id, id)
);
create index invitations_of_reseller on invitations (reseller_id, created_at);
create index invitations_to_address on invitations (lower(email), created_at);
create index invitations_expires_at on invitations (expires_at);

-- owner: sessions
-- Tokens for an operator's scripts. A token may do the lesser of its own role and its operator's.
create table operator_tokens (
  id bigint generated always as identity primary key,
  digest bytea not null constraint operator_tokens_digest_key unique,
  operator_id bigint not null references operators,
  label text not null,
  role text not null check (role in ('admin', 'finance', 'support', 'catalogue', 'read_only')),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index operator_tokens_of_operator on operator_tokens (operator_id, id);

-- owner: sessions
-- Browsers and networks from which a person has signed in. Of the secret in a browser's cookie only the digest is kept.
create table sign_in_devices (
  reseller_id bigint not null,
  person_id bigint not null,
  kind text not null check (kind in ('operator', 'member')),
  what text not null check (what in ('browser', 'network')),
  digest bytea not null,
  -- The person's value when they signed in: a device is known until the password changes.
  password_changed_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz not null default clock_timestamp(),
  primary key (reseller_id, person_id, kind, what, digest)
);
create index sign_in_devices_last_used_at on sign_in_devices (last_used_at);
