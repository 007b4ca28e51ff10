-- An act that makes or widens access asks its person for a fresh proof, and a session may give one beforehand.

alter table sessions
  -- The last time that the session's person proved in it who they are. Signing in is no such proof. null: never.
  add column proven_at timestamptz;

-- A device may be asked to sign for such a proof too.
alter table passkey_challenges drop constraint passkey_challenges_purpose_check;
alter table passkey_challenges
  add constraint passkey_challenges_purpose_check check (purpose in ('register', 'sign_in', 'prove'));
