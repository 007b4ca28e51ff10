-- Sessions: passkeys (WebAuthn), with which people sign in without a password.

-- owner: sessions
-- A public key whose private half stays in the person's device. It is no secret, so it is not sealed.
create table passkeys (
  kind text not null check (kind in ('operator', 'member')),
  reseller_id bigint not null,
  person_id bigint not null,
  id bigint generated always as identity,
  credential_id bytea not null constraint passkeys_credential_id_key unique
    check (length(credential_id) between 1 and 1023),
  public_key bytea not null,
  -- The device's count of its signatures, 0 where it does not count. A count that goes back is the mark of a copy.
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  label text not null,
  -- The device's word that the key is kept in more than one place.
  is_backed_up boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  primary key (kind, reseller_id, person_id, id)
);

-- owner: sessions
-- Random bytes that a device is asked to sign. A row is deleted by the first answer, right or wrong, so no answer counts
-- twice. Registering belongs to a person's session; for signing in there is no person yet, and the ids are 0.
create table passkey_challenges (
  digest bytea primary key,
  purpose text not null check (purpose in ('register', 'sign_in')),
  kind text not null check (kind in ('operator', 'member')),
  reseller_id bigint not null,
  person_id bigint not null,
  -- The session that asked; empty for signing in.
  credential text not null,
  challenge bytea not null,
  expires_at timestamptz not null
);
create index passkey_challenges_expires_at on passkey_challenges (expires_at);

-- The passkey that opened the session, or that was registered in it. null: a password alone opened it.
alter table sessions add column passkey_id bigint;
