-- Generated from a migrated database: change migrations/ or functions/, then npm run schema.
--
-- Every table as it is now, by the module that owns it, with the comments of the migrations. The text of a function
-- stands in functions/<module>/<name>.sql; here is its signature.

-- ── accounts ──

-- One row. Every change to data that the directory shows takes the next number while it holds the lock of this row.
-- Numbers become visible in order, so a reader that asks for numbers greater than its last one misses nothing.
create table directory_version (
  singleton boolean not null default true,
  version bigint not null,
  constraint directory_version_pkey primary key (singleton),
  constraint directory_version_singleton_check check (singleton)
);

create table resellers (
  id bigint not null generated always as identity,
  account text not null,
  name text not null,
  email text not null,
  price_level text not null,
  access smallint not null default 0,
  status text not null default 'active'::text,
  topup_requires_api_key boolean not null default false,
  -- Created by the demo seed. Production lets nobody in through a demo account.
  demo boolean not null default false,
  version bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Seconds in which the same payment again is refused; 0: never.
  duplicate_window_seconds integer not null default 0,
  constraint resellers_pkey primary key (id),
  constraint resellers_account_key unique (account),
  constraint resellers_access_check check (access = any (array[0, 50])),
  constraint resellers_account_check check (account ~ '^[0-9]{4,20}$'),
  constraint resellers_duplicate_window_seconds_check check ((duplicate_window_seconds >= 0) and (duplicate_window_seconds <= 86400)),
  constraint resellers_email_check check ((length(email) >= 3) and (length(email) <= 254)),
  constraint resellers_name_check check ((length(name) >= 1) and (length(name) <= 200)),
  constraint resellers_price_level_check check (price_level ~ '^[A-Z0-9_]{1,40}$'),
  constraint resellers_status_check check (status in ('active', 'suspended'))
);
create index resellers_version on resellers (version);
create trigger resellers_open_wallet after insert on resellers
  for each row execute function open_wallet();

create table users (
  reseller_id bigint not null,
  id bigint not null generated always as identity,
  username text not null,
  email text not null,
  password_hash text not null,
  -- Refresh tokens that were issued before this instant no longer count.
  password_changed_at timestamptz not null default now(),
  role text not null,
  status text not null default 'active'::text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint users_pkey primary key (reseller_id, id),
  constraint users_username_key unique (username),
  constraint users_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint users_email_check check ((length(email) >= 3) and (length(email) <= 254)),
  constraint users_role_check check (role in ('admin', 'manager', 'cashier', 'accountant', 'viewer')),
  constraint users_status_check check (status in ('active', 'disabled')),
  constraint users_username_check check (username = lower(username))
);
create trigger users_end_sessions after update on users
  for each row when (((old.password_hash <> new.password_hash) or (old.role <> new.role) or (old.status <> new.status))) execute function users_end_sessions();

create table operators (
  id bigint not null generated always as identity,
  email text not null,
  name text not null,
  password_hash text not null,
  password_changed_at timestamptz not null default now(),
  role text not null,
  status text not null default 'active'::text,
  -- When the operator got the present role, and from whom. An admin and the operators they let in count as one person
  -- where two are needed. A null empowered_by means that it was done at the machine itself, or that a second admin has
  -- vouched for the operator.
  empowered_at timestamptz not null default clock_timestamp(),
  empowered_by bigint,
  demo boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint operators_pkey primary key (id),
  constraint operators_email_key unique (email),
  constraint operators_empowered_by_fkey foreign key (empowered_by) references operators(id),
  constraint operators_email_check check (email = lower(email)),
  constraint operators_role_check check (role in ('admin', 'finance', 'support', 'catalogue', 'read_only')),
  constraint operators_status_check check (status in ('active', 'disabled'))
);
create trigger operators_end_sessions after update on operators
  for each row when (((old.password_hash <> new.password_hash) or (old.role <> new.role) or (old.status <> new.status))) execute function operators_end_sessions();
create trigger written_once before insert or delete or update or truncate on operators
  for each statement execute function written_once();

create table api_keys (
  reseller_id bigint not null,
  id bigint not null generated always as identity,
  key text not null,
  label text not null default ''::text,
  scopes text[] not null,
  -- Sealed by db/vault together with the identity of the record. null: a key without a signing secret.
  sealed_secret bytea,
  -- The end of a rotation's grace period. The key stops at this instant by the database's clock.
  expires_at timestamptz,
  revoked_at timestamptz,
  replaces bigint,
  created_at timestamptz not null default now(),
  -- The user of the reseller who made the key; null: it was made at the machine, or before this column was there.
  created_by bigint,
  -- What a key is for: what it may sell, how much it may spend, until when and from where. null: nothing beyond the
  -- reseller's own rules. The sums of its caps hang on purpose_id, which a rotated key keeps; null: the key's own id.
  purpose_id bigint,
  -- Codes of products, categories and groups of the base catalogue.
  products text[],
  -- 1/10,000 ringgit of cost: of one payment, of a day and of a month by GMT+8.
  max_amount bigint,
  daily_cap bigint,
  monthly_cap bigint,
  -- The end that was given to it. expires_at is that of a rotation's grace.
  ends_at timestamptz,
  -- Addresses and CIDRs in one spelling.
  networks text[],
  note text not null default ''::text,
  constraint api_keys_pkey primary key (reseller_id, id),
  constraint api_keys_key_key unique (key),
  constraint api_keys_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint api_keys_reseller_id_replaces_fkey foreign key (reseller_id, replaces) references api_keys(reseller_id, id),
  constraint api_keys_daily_cap_check check (daily_cap >= 0),
  constraint api_keys_max_amount_check check (max_amount >= 0),
  constraint api_keys_monthly_cap_check check (monthly_cap >= 0)
);

create table ip_allowlist (
  reseller_id bigint not null,
  network cidr not null,
  label text not null default ''::text,
  created_at timestamptz not null default now(),
  constraint ip_allowlist_pkey primary key (reseller_id, network),
  constraint ip_allowlist_reseller_id_fkey foreign key (reseller_id) references resellers(id)
);

-- Time of the last proven request with an API key, to about a minute: nodes collect the times and write them in
-- batches. It is apart from the keys themselves, because the directory follows every change of those.
create table api_key_uses (
  reseller_id bigint not null,
  key_id bigint not null,
  used_at timestamptz not null,
  constraint api_key_uses_pkey primary key (reseller_id, key_id),
  constraint api_key_uses_reseller_id_key_id_fkey foreign key (reseller_id, key_id) references api_keys(reseller_id, id)
);

-- Most that each reseller of a level may pay in a day or a month, by the operator. A null is no limit.
create table level_limits (
  price_level text not null,
  -- account: for each account that is paid for
  scope text not null,
  period text not null,
  -- '': all categories together
  category text collate "C" not null,
  payments bigint,
  -- Sum of face values, 1/10,000 ringgit
  face_value bigint,
  constraint level_limits_pkey primary key (price_level, scope, period, category),
  constraint level_limits_price_level_fkey foreign key (price_level) references price_levels(code),
  constraint level_limits_check check ((payments is not null) or (face_value is not null)),
  constraint level_limits_face_value_check check (face_value >= 0),
  constraint level_limits_payments_check check (payments >= 0),
  constraint level_limits_period_check check (period in ('day', 'month')),
  constraint level_limits_scope_check check (scope in ('account', 'reseller'))
);
create trigger written_once before insert or delete or update or truncate on level_limits
  for each statement execute function written_once();

-- Functions:
--   advance_keys(p_reseller bigint, p_seconds integer) returns void
--   has_capped_key(p_reseller bigint) returns boolean
--   has_level_limits() returns boolean
--   level_limits_of(p_resellers bigint[]) returns TABLE(reseller_id bigint, scope text, period text, category text,
--     payments bigint, face_value bigint)

-- ── alerts ──

-- Troubles that an operator has to look at.
create table operator_alerts (
  id bigint not null generated always as identity,
  kind text collate "C" not null,
  -- A payment's id, a provider's code. A kind has at most one open alert about one subject.
  subject text collate "C" not null,
  text text not null,
  severity text not null,
  raised_at timestamptz not null,
  last_seen_at timestamptz not null,
  times bigint not null,
  cleared_at timestamptz,
  -- When operators were mailed about it.
  mailed_at timestamptz,
  -- Sending the alert to the operators' webhook. A node claims the alert until `post_next_at`, so that one node at a
  -- time sends it. 'infinity': it was given up.
  posted_at timestamptz,
  post_attempts integer not null default 0,
  post_holder text,
  post_next_at timestamptz not null default '-infinity'::timestamptz,
  constraint operator_alerts_pkey primary key (id),
  constraint operator_alerts_severity_check check (severity in ('warning', 'critical'))
);
create unique index operator_alerts_open on operator_alerts (kind, subject) where (cleared_at is null);
create index operator_alerts_unposted on operator_alerts (post_next_at) where ((cleared_at is null) and (posted_at is null));
create index operator_alerts_untold on operator_alerts (id) where ((cleared_at is null) and (mailed_at is null));
create trigger alerts_told_cleared after update of cleared_at on operator_alerts
  for each row when (((old.cleared_at is null) and (new.cleared_at is not null))) execute function announce_alert();
create trigger alerts_told_opened after insert on operator_alerts
  for each row when ((new.cleared_at is null)) execute function announce_alert();

-- Notices to the members of an account. The recipients and the form are decided when the mail is made.
create table mail_notices (
  id bigint not null generated always as identity,
  reseller_id bigint not null,
  kind text not null,
  data jsonb not null,
  created_at timestamptz not null,
  -- The account has had its letters of this kind for now: notices that wait become one letter at this instant.
  held_until timestamptz,
  constraint mail_notices_pkey primary key (id)
);

-- Choices of members. Without a row the default of the kind holds.
create table mail_preferences (
  reseller_id bigint not null,
  -- 0: the account's registered address
  user_id bigint not null,
  kind text not null,
  is_on boolean not null,
  updated_at timestamptz not null default now(),
  constraint mail_preferences_pkey primary key (reseller_id, user_id, kind),
  constraint mail_preferences_reseller_id_fkey foreign key (reseller_id) references resellers(id)
);

-- One mail to one address: the job and its log.
create table mails (
  id bigint not null generated always as identity,
  -- null: to operators
  reseller_id bigint,
  kind text not null,
  recipient text not null,
  subject text not null,
  body text not null,
  -- The text of a mail that carries a way to sign in, sealed; `body` is empty then.
  sealed_body bytea,
  -- Identifies the mail to its receiver in every attempt, so that a mail that came twice can be told from two mails.
  message_key uuid not null default gen_random_uuid(),
  status text not null,
  -- Not sent before this instant. While a node sends it, the end of that node's lease.
  next_at timestamptz,
  holder uuid,
  attempts smallint not null default 0,
  error text not null default ''::text,
  created_at timestamptz not null,
  finished_at timestamptz,
  constraint mails_pkey primary key (id),
  constraint mails_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint mails_check check ((status = 'waiting') = (next_at is not null)),
  constraint mails_check1 check ((status = 'waiting') = (finished_at is null)),
  constraint mails_check2 check ((sealed_body is null) or (body = '')),
  constraint mails_status_check check (status in ('waiting', 'sent', 'failed', 'dropped'))
);
-- By account, operators first: each account has its turn, however many mails another account has waiting.
create index mails_due on mails (COALESCE(reseller_id, (0)::bigint), next_at) where (status = 'waiting');
create index mails_finished on mails (finished_at) where (status <> 'waiting');
create index mails_to_operators on mails (created_at) where (reseller_id is null);

-- The number of letters of a kind, or of copies to addresses that an account named, since an instant. Beyond the limit
-- for that time the next ones wait, or are not made.
create table mail_tallies (
  reseller_id bigint not null,
  kind text not null,
  began_at timestamptz not null,
  made integer not null,
  constraint mail_tallies_pkey primary key (reseller_id, kind),
  constraint mail_tallies_reseller_id_fkey foreign key (reseller_id) references resellers(id)
);

-- Languages that members of resellers chose for their mails. Who chose none gets that of an owner, or English.
create table mail_languages (
  reseller_id bigint not null,
  user_id bigint not null,
  language text not null,
  updated_at timestamptz not null default now(),
  constraint mail_languages_pkey primary key (reseller_id, user_id),
  constraint mail_languages_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint mail_languages_language_check check (language in ('en', 'ms', 'id', 'zh', 'ta'))
);

-- Functions:
--   announce_alert() returns trigger
--   append_notice(p_reseller bigint, p_kind text, p_data jsonb, p_at timestamptz) returns void
--   clear_alert(p_kind text, p_subject text) returns void
--   raise_alert(p_kind text, p_subject text, p_text text, p_severity text) returns boolean

-- ── approvals ──

-- A request of one operator that another one decides. The request is sealed to its row: the action that is carried out
-- is the one that was asked for, by the operator who asked, whoever has written to this table since. `expired` is not
-- stored: a request that is still pending after its time can no longer be approved.
create table approvals (
  id bigint not null generated by default as identity,
  kind text not null,
  target_kind text not null,
  target text not null,
  requested_by bigint not null,
  requested_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  sealed_request bytea not null,
  state text not null default 'pending'::text,
  decided_by bigint,
  decided_at timestamptz,
  decision_reason text,
  outcome json,
  -- The reseller whose admins may decide the request too; null: operators alone decide it.
  reseller_id bigint,
  -- The admin of the reseller who decided.
  decided_by_user bigint,
  -- The mail address whose link stopped the request.
  decided_by_link text,
  constraint approvals_pkey primary key (id),
  constraint approvals_decided_by_fkey foreign key (decided_by) references operators(id),
  constraint approvals_decided_by_user_fkey foreign key (reseller_id, decided_by_user) references users(reseller_id, id),
  constraint approvals_requested_by_fkey foreign key (requested_by) references operators(id),
  constraint approvals_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint approvals_check2 check ((state <> ALL (array['approved', 'refused'])) or (decided_by <> requested_by)),
  constraint approvals_check3 check ((state <> 'withdrawn') or (decided_by = requested_by)),
  constraint approvals_decided_check check (((state = 'pending') = (decided_at is null)) and (num_nonnulls(decided_by, decided_by_user, decided_by_link) =
case
    when (decided_at is null) then 0
    else 1
end)),
  constraint approvals_link_check check ((decided_by_link is null) or (state = 'refused')),
  constraint approvals_state_check check (state in ('pending', 'approved', 'refused', 'withdrawn')),
  constraint approvals_user_check check ((decided_by_user is null) or ((reseller_id is not null) and (state in ('approved', 'refused'))))
);
-- For the list of a reseller's admins.
create index approvals_of_reseller on approvals (reseller_id, id) where (reseller_id is not null);
create index approvals_pending on approvals (id) where (state = 'pending');
create trigger approvals_kept before delete or update on approvals
  for each row execute function approvals_are_kept();
create trigger approvals_not_truncated before truncate on approvals
  for each statement execute function approvals_are_kept();
create trigger approvals_told after insert or update of state on approvals
  for each row execute function announce_approval();

-- Functions:
--   announce_approval() returns trigger
--   approval_state(p_id bigint) returns text
--   approvals_are_kept() returns trigger

-- ── audit ──

-- The key of the chain over the log: random, created once and sealed by the vault, as the ledger's is.
create table audit_keys (
  singleton boolean not null default true,
  sealed_key bytea not null,
  created_at timestamptz not null default now(),
  constraint audit_keys_pkey primary key (singleton),
  constraint audit_keys_singleton_check check (singleton)
);
create trigger audit_keys_kept before delete or update or truncate on audit_keys
  for each statement execute function audit_is_immutable();

-- One row per action, written in the commit of the action. The hash of each row covers the row before it. `before` and
-- `after` are json and not jsonb, because json is kept to the letter and the hash is over the letters.
create table audit_log (
  sequence bigint not null,
  at timestamptz not null,
  actor_kind text not null,
  actor_id bigint,
  actor text not null,
  credential text,
  address text,
  action text not null,
  target_kind text not null,
  target text not null,
  before json,
  after json,
  reason text not null,
  hash bytea not null,
  constraint audit_log_pkey primary key (sequence),
  constraint audit_log_action_check check (action ~ '^[a-z_]+(\.[a-z_]+)+$'),
  constraint audit_log_actor_kind_check check (actor_kind in ('operator', 'token', 'member', 'command', 'system')),
  constraint audit_log_reason_check check ((length(reason) >= 1) and (length(reason) <= 500)),
  constraint audit_log_sequence_check check (sequence > 0)
);
create index audit_log_actor on audit_log (actor, sequence);
create index audit_log_target on audit_log (target_kind, target, sequence);
create trigger audit_log_immutable before delete or update or truncate on audit_log
  for each statement execute function audit_is_immutable();

-- The end of the log. An append holds the lock of the row until it commits, so that the log has no gaps. The seal is
-- under the key as well: nobody can take rows off the end and set the head back to an earlier one.
create table audit_head (
  singleton boolean not null default true,
  sequence bigint not null,
  at timestamptz not null,
  hash bytea not null,
  seal bytea not null,
  constraint audit_head_pkey primary key (singleton),
  constraint audit_head_singleton_check check (singleton)
);
create trigger audit_head_kept before delete or truncate on audit_head
  for each statement execute function audit_is_immutable();

-- Functions:
--   audit_is_immutable() returns trigger

-- ── auth ──

-- The digest is the first 16 bytes of SHA-256 over key id and nonce. The one index stays small, and a nonce of 128
-- characters costs no more than one of 16.
create table nonces (
  digest uuid not null,
  -- The request that spent it. The same command, run again after a lost connection, recognises its own row by this.
  request_id uuid not null,
  used_at timestamptz not null,
  constraint nonces_pkey primary key (digest)
) with (autovacuum_analyze_threshold = 100000, autovacuum_vacuum_threshold = 100000, autovacuum_vacuum_insert_threshold = 100000);
create index nonces_used_at on nonces (used_at);

-- Requests per address, in a window that begins with the first request of the address.
create table address_counters (
  address inet not null,
  window_started_at timestamptz not null,
  requests bigint not null,
  constraint address_counters_pkey primary key (address)
);

create table address_blocks (
  address inet not null,
  blocked_at timestamptz not null,
  blocked_until timestamptz not null,
  requests bigint not null,
  constraint address_blocks_pkey primary key (address)
);

create table token_keys (
  kid text not null,
  public_jwk jsonb not null,
  sealed_private_jwk bytea not null,
  created_at timestamptz not null default now(),
  -- null: this key signs. Otherwise it signs nothing any more, and verifies its signatures until this instant.
  retires_at timestamptz,
  constraint token_keys_pkey primary key (kid)
);
create unique index token_keys_signing on token_keys ((true)) where (retires_at is null);

create table refresh_tokens (
  reseller_id bigint not null,
  digest bytea not null,
  user_id bigint not null,
  -- Copied into the claims of the access tokens.
  username text not null,
  -- The user's value when the password was checked. A token outlives no change of the password, not even a change that
  -- was under way at that moment.
  password_changed_at timestamptz not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  constraint refresh_tokens_pkey primary key (reseller_id, digest),
  constraint refresh_tokens_digest_key unique (digest),
  constraint refresh_tokens_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint refresh_tokens_reseller_id_user_id_fkey foreign key (reseller_id, user_id) references users(reseller_id, id)
);
create index refresh_tokens_expires_at on refresh_tokens (expires_at);
create index refresh_tokens_user on refresh_tokens (reseller_id, user_id) where (revoked_at is null);

-- Failed passwords by the name that was typed, whether the user exists or not, so that the limit reveals no names.
create table login_failures (
  username_digest bytea not null,
  -- The digest of a network, a known device or a session. Somebody who guesses is shut out at this place alone, so that
  -- strangers cannot keep the owner of a name out. null: no place was given; the failure counts for the name alone.
  place bytea,
  -- The place had proven itself before, so the failure does not count for the name over all places.
  is_known boolean not null default false,
  failed_at timestamptz not null default clock_timestamp(),
  -- Every table has a primary key: without one, changes of its rows cannot be carried to another server.
  id bigint not null generated always as identity,
  constraint login_failures_pkey primary key (id)
);
create index login_failures_failed_at on login_failures (failed_at);
create index login_failures_recent on login_failures (username_digest, failed_at);

-- The times of each address's last admitted token requests, oldest first, at most as many as one second may hold. The
-- limit is exact over any second, not only over seconds of the clock.
create table token_request_counters (
  address inet not null,
  recent timestamptz[] not null,
  constraint token_request_counters_pkey primary key (address)
);

-- Functions:
--   spend_nonces(p_digests uuid[], p_request_ids uuid[], p_signed_at double precision[], p_skew_seconds integer)
--     returns uuid[]
--   within_second(p_times timestamptz[], p_now timestamptz) returns timestamptz[]

-- ── cases ──

create table cases (
  reseller_id bigint not null,
  id bigint not null,
  -- The number that people use; it ends with the id.
  number text collate "C" not null,
  kind text not null,
  state text not null,
  payment_id bigint not null,
  refid text not null,
  -- Addresses that get a copy of all mails. The account's registered address always does and is not stored here,
  -- because it may change.
  cc text[] not null,
  refund_type smallint,
  refund_reason text,
  member_id text not null,
  -- The request that opened it. The same request, run again, recognises its case by this.
  request_id uuid not null,
  opened_at timestamptz not null,
  changed_at timestamptz not null,
  due_at timestamptz not null,
  closed_at timestamptz,
  -- When operators are told that it is late, and told again. null: nobody has to work on it.
  watch_at timestamptz,
  constraint cases_pkey primary key (reseller_id, id),
  constraint cases_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint cases_check check ((kind = 'void') = (refund_type is not null)),
  constraint cases_check1 check ((state in ('resolved', 'refused')) = (closed_at is not null)),
  constraint cases_kind_check check (kind in ('dispute', 'void')),
  constraint cases_refund_type_check check ((refund_type >= 1) and (refund_type <= 3)),
  constraint cases_state_check check (state in ('open', 'in_progress', 'resolved', 'refused'))
);
create index cases_newest on cases (id);
create unique index cases_number on cases (number);
create index cases_of_payment on cases (payment_id, reseller_id);
-- A payment has one open case, however many ask at once and on however many nodes.
create unique index cases_one_open on cases (payment_id, reseller_id) where (closed_at is null);
-- Open cases are few among all that ever were.
create index cases_unclosed on cases (id) where (closed_at is null);
create index cases_watched on cases (watch_at) where (watch_at is not null);

create table case_messages (
  reseller_id bigint not null,
  case_id bigint not null,
  id bigint not null generated always as identity,
  author text not null,
  text text not null,
  at timestamptz not null,
  constraint case_messages_pkey primary key (reseller_id, case_id, id),
  constraint case_messages_author_check check (author in ('reseller', 'operator', 'system'))
);

-- One row per void that the provider is asked for, from the commit that opens the case until the provider has decided.
-- It outlives the case if an operator closes it while the provider is still deciding.
create table case_work (
  reseller_id bigint not null,
  case_id bigint not null,
  -- Nobody touches it before this instant: the end of a lease, or the time of the next question.
  next_at timestamptz not null,
  -- The node that works on it until next_at. A test clock moves questions, never leases.
  holder uuid,
  questions integer not null default 0,
  constraint case_work_pkey primary key (reseller_id, case_id)
);
create index case_work_next on case_work (next_at);

create sequence case_numbers as bigint start 1 increment 1 minvalue 1 maxvalue 9223372036854775807;

-- Functions:
--   advance_cases(p_reseller bigint, p_seconds integer) returns void
--   approve_void(p_reseller bigint, p_case bigint, p_author text, p_text text, p_evidence text) returns text
--   await_person(p_case cases) returns void
--   change_case(p_reseller bigint, p_case bigint, p_state text, p_author text, p_text text) returns boolean
--   end_asking(p_reseller bigint, p_case bigint, p_holder uuid) returns void
--   insert_case(p_reseller bigint, p_payment bigint, p_kind text, p_refid text, p_cc text[], p_refund_type smallint,
--     p_reason text, p_member text, p_request uuid, p_due_seconds integer, p_is_worked boolean) returns cases
--   open_case(p_reseller bigint, p_payment bigint, p_kind text, p_refid text, p_cc text[], p_refund_type smallint,
--     p_reason text, p_member text, p_request uuid, p_text text, p_due_seconds integer, p_is_worked boolean, p_asks
--     boolean) returns TABLE(verdict text, number text)
--   open_supplier_case(p_reseller bigint, p_payment bigint, p_refid text, p_kind text, p_text text) returns text
--   skip_case_numbers() returns void
--   tell_case(p_case cases, p_event text, p_author text, p_text text, p_at timestamptz) returns void
--   tell_operators_of_case(p_case cases, p_at timestamptz) returns void
--   watch_cases(p_limit integer, p_again_seconds integer) returns integer

-- ── catalog ──

-- One row, locked first by every writer: versions become visible in order, and writers cannot deadlock.
create table catalog_version (
  singleton boolean not null default true,
  version bigint not null,
  -- The last change to groups, categories or products. Options and prices do not move it.
  structure_updated_at timestamptz not null,
  constraint catalog_version_pkey primary key (singleton),
  constraint catalog_version_singleton_check check (singleton)
);

create table catalog_groups (
  code text not null,
  name text not null,
  icon_url text not null,
  display_order integer not null,
  is_active boolean not null,
  version bigint not null,
  constraint catalog_groups_pkey primary key (code)
);
create trigger written_once before insert or delete or update or truncate on catalog_groups
  for each statement execute function written_once();

create table catalog_categories (
  code text not null,
  group_code text not null,
  name text not null,
  icon_url text not null,
  display_order integer not null,
  is_active boolean not null,
  version bigint not null,
  constraint catalog_categories_pkey primary key (code),
  constraint catalog_categories_group_code_fkey foreign key (group_code) references catalog_groups(code)
);
create trigger written_once before insert or delete or update or truncate on catalog_categories
  for each statement execute function written_once();

create table catalog_products (
  code text not null,
  category_code text not null,
  kind text not null,
  name text not null,
  note text,
  image_url text not null,
  processing_time text not null,
  display_order integer not null,
  is_active boolean not null,
  is_hidden boolean not null,
  is_restricted boolean not null,
  is_refundable boolean not null,
  denomination text,
  denomination_currency text,
  -- 1/100,000,000 ringgit per denomination unit
  denomination_unit_price bigint not null,
  fields jsonb not null,
  fulfillment jsonb not null,
  min_amount bigint,
  max_amount bigint,
  legacy jsonb not null,
  version bigint not null,
  -- How a customer uses what was bought, such as a PIN.
  redemption text,
  constraint catalog_products_pkey primary key (code),
  constraint catalog_products_category_code_fkey foreign key (category_code) references catalog_categories(code),
  constraint catalog_products_denomination_unit_price_check check (denomination_unit_price > 0),
  constraint catalog_products_processing_time_check check (processing_time in ('instant', '24_hours', '3_days', 'link', 'pin'))
);
create trigger written_once before insert or delete or update or truncate on catalog_products
  for each statement execute function written_once();

create table catalog_options (
  product_code text not null,
  field_id text not null,
  code text not null,
  label text not null,
  description text,
  display_order integer not null,
  is_active boolean not null,
  denomination bigint,
  validity text,
  features text[],
  rrp bigint,
  min_amount bigint,
  max_amount bigint,
  suggested_category text,
  additional_description text[],
  requires_ref2 boolean not null default false,
  version bigint not null,
  constraint catalog_options_pkey primary key (product_code, field_id, code),
  constraint catalog_options_product_code_fkey foreign key (product_code) references catalog_products(code),
  constraint catalog_options_denomination_check check (denomination > 0),
  constraint catalog_options_rrp_check check (rrp > 0)
);
create index catalog_options_version on catalog_options (version);
create trigger written_once before insert or delete or update or truncate on catalog_options
  for each statement execute function written_once();

create table price_levels (
  code text not null,
  name text not null,
  -- Moves with every change to the level's prices. A node loads a changed level whole.
  version bigint not null,
  -- The last time that a product got its first price at the level or lost its price, for the catalogue's last_updated.
  -- null: never.
  access_updated_at timestamptz,
  constraint price_levels_pkey primary key (code),
  constraint price_levels_code_check check (code ~ '^[A-Z0-9_]{1,40}$')
);
create trigger written_once before insert or delete or update or truncate on price_levels
  for each statement execute function written_once();

create table wholesale_prices (
  level_code text not null,
  product_code text not null,
  discount_type text not null,
  -- 1/100,000,000; negative for fixed
  unit_price bigint not null,
  currency text not null,
  constraint wholesale_prices_pkey primary key (level_code, product_code),
  constraint wholesale_prices_level_code_fkey foreign key (level_code) references price_levels(code),
  constraint wholesale_prices_product_code_fkey foreign key (product_code) references catalog_products(code),
  constraint wholesale_prices_check check (
case discount_type
    when 'fixed' then (unit_price < 0)
    else (unit_price > 0)
end),
  constraint wholesale_prices_discount_type_check check (discount_type in ('percentage', 'fixed'))
);
create trigger written_once before insert or delete or update or truncate on wholesale_prices
  for each statement execute function written_once();

-- Prices that were taken away, with their last values: events about a product that can no longer be bought carry them.
-- They are in a table of their own because every row of wholesale_prices is a price to sell at.
create table withdrawn_prices (
  level_code text not null,
  product_code text not null,
  discount_type text not null,
  -- 1/100,000,000; negative for fixed
  unit_price bigint not null,
  currency text not null,
  constraint withdrawn_prices_pkey primary key (level_code, product_code),
  constraint withdrawn_prices_level_code_fkey foreign key (level_code) references price_levels(code),
  constraint withdrawn_prices_product_code_fkey foreign key (product_code) references catalog_products(code),
  constraint withdrawn_prices_check check (
case discount_type
    when 'fixed' then (unit_price < 0)
    else (unit_price > 0)
end),
  constraint withdrawn_prices_discount_type_check check (discount_type in ('percentage', 'fixed'))
);

-- One row per reseller that has a permission or a customisation. A node loads a changed one whole.
create table account_views (
  reseller_id bigint not null,
  version bigint not null,
  -- The last change to the customisation, its removal included. null: there never was one.
  overlay_updated_at timestamptz,
  -- The last time that a permission was given or taken away, or the account moved to another price level, for the
  -- catalogue's last_updated. null: never.
  access_updated_at timestamptz,
  constraint account_views_pkey primary key (reseller_id),
  constraint account_views_reseller_id_fkey foreign key (reseller_id) references resellers(id)
);
create index account_views_version on account_views (version);

create table product_permissions (
  reseller_id bigint not null,
  product_code text not null,
  is_allowed boolean not null,
  constraint product_permissions_pkey primary key (reseller_id, product_code),
  constraint product_permissions_product_code_fkey foreign key (product_code) references catalog_products(code),
  constraint product_permissions_reseller_id_fkey foreign key (reseller_id) references account_views(reseller_id)
);

create table overlay_groups (
  reseller_id bigint not null,
  code text not null,
  is_own boolean not null,
  name text,
  icon_url text,
  display_order integer,
  constraint overlay_groups_pkey primary key (reseller_id, code),
  constraint overlay_groups_reseller_id_fkey foreign key (reseller_id) references account_views(reseller_id)
);

create table overlay_categories (
  reseller_id bigint not null,
  code text not null,
  is_own boolean not null,
  group_code text,
  name text,
  icon_url text,
  display_order integer,
  constraint overlay_categories_pkey primary key (reseller_id, code),
  constraint overlay_categories_reseller_id_fkey foreign key (reseller_id) references account_views(reseller_id)
);

create table overlay_products (
  reseller_id bigint not null,
  code text not null,
  category_code text,
  display_name text,
  image_url text,
  display_order integer,
  is_enabled boolean not null,
  adjustment_type text,
  -- fixed: 1/10,000 ringgit; percentage: 1/100,000,000
  adjustment_value bigint,
  min_amount bigint,
  max_amount bigint,
  constraint overlay_products_pkey primary key (reseller_id, code),
  constraint overlay_products_code_fkey foreign key (code) references catalog_products(code),
  constraint overlay_products_reseller_id_fkey foreign key (reseller_id) references account_views(reseller_id),
  constraint overlay_products_adjustment_type_check check (adjustment_type in ('fixed', 'percentage')),
  constraint overlay_products_check check ((adjustment_type is null) = (adjustment_value is null))
);

create table overlay_options (
  reseller_id bigint not null,
  product_code text not null,
  field_id text not null,
  code text not null,
  is_enabled boolean not null,
  rrp bigint,
  constraint overlay_options_pkey primary key (reseller_id, product_code, field_id, code),
  constraint overlay_options_product_code_field_id_code_fkey foreign key (product_code, field_id, code) references catalog_options(product_code, field_id, code),
  constraint overlay_options_reseller_id_fkey foreign key (reseller_id) references account_views(reseller_id),
  constraint overlay_options_rrp_check check (rrp > 0)
);

-- One row per committed change. A job behind it expands the change into events per account, in batches that remember
-- their progress, and in the order of versions, so that an account hears of changes in the order in which they
-- happened.
create table catalog_changes (
  version bigint not null,
  reason text not null,
  -- Taken late in its commit: an account that was created after this instant needs no events.
  created_at timestamptz not null default clock_timestamp(),
  -- Who may see a difference: everybody, the accounts of some levels, or some accounts.
  concerns_everyone boolean not null,
  level_codes text[] not null,
  reseller_ids bigint[] not null,
  -- Set if an account moved from one level to another.
  switched_from text,
  switched_to text,
  -- Accounts up to this id have their events.
  expanded_through bigint not null default 0,
  expanded_at timestamptz,
  constraint catalog_changes_pkey primary key (version),
  constraint catalog_changes_check check ((switched_from is null) = (switched_to is null)),
  constraint catalog_changes_check1 check ((switched_from is null) or (cardinality(reseller_ids) = 1))
);
create index catalog_changes_pending on catalog_changes (version) where (expanded_at is null);
create index catalog_changes_switches on catalog_changes ((reseller_ids[1]), version) where (switched_from is not null);

-- The rows that a change touched, before and after it. Read forwards they tell what accounts see differently now, read
-- backwards they lead from the present catalogue to the one before the change.
create table catalog_change_parts (
  -- Deferred, because the change itself is written last.
  version bigint not null,
  part integer not null,
  touched jsonb not null,
  constraint catalog_change_parts_pkey primary key (version, part),
  constraint catalog_change_parts_version_fkey foreign key (version) references catalog_changes(version) deferrable initially deferred
);

-- The events of one change in sets of a few hundred, each stored once for all accounts that see the same. A change of
-- 20,000 options for 2,000 accounts is 20,000 rows here and 2,000 in the next table, not their product.
create table catalog_events (
  version bigint not null,
  -- Derived from the content, so that a set that is made again after a crash is recognised.
  set_id uuid not null,
  position integer not null,
  resource text not null,
  resource_id text not null,
  type text not null,
  -- null for deleted. The data of a product lacks reseller_code, which is the account's own.
  data jsonb,
  constraint catalog_events_pkey primary key (version, set_id, "position"),
  constraint catalog_events_version_set_id_resource_resource_id_key unique (version, set_id, resource, resource_id),
  constraint catalog_events_version_fkey foreign key (version) references catalog_changes(version),
  constraint catalog_events_resource_check check (resource in ('groups', 'categories', 'products', 'options'))
);

-- The events that an account gets for a change, waiting for their place in its feed.
create table account_catalog_events (
  reseller_id bigint not null,
  version bigint not null,
  -- In the order in which the account hears of them.
  set_ids uuid[] not null,
  reseller_code text not null,
  created_at timestamptz not null default now(),
  constraint account_catalog_events_pkey primary key (reseller_id, version),
  constraint account_catalog_events_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint account_catalog_events_version_fkey foreign key (version) references catalog_changes(version)
);

-- Texts of the catalogue in other languages, in the operator's own words.
create table catalog_texts (
  language text not null,
  text text not null,
  -- Null: it was taken back. The row stays, so that nodes learn of it.
  said text,
  version bigint not null,
  -- Texts may be too long for an index.
  digest text not null generated always as (md5(text)) stored,
  constraint catalog_texts_pkey primary key (language, digest),
  constraint catalog_texts_language_check check (language in ('ms', 'id', 'zh', 'ta'))
);
create index catalog_texts_version on catalog_texts (version);
create trigger written_once before insert or delete or update or truncate on catalog_texts
  for each statement execute function written_once();

-- ── counter ──

-- Numbers that a shop or one of its members keeps for the next sale. They are personal data: they stand in no log, and
-- go with their row.
create table counter_favourites (
  reseller_id bigint not null,
  id bigint not null generated always as identity,
  -- Member whose own it is; null: the whole shop's.
  member_id bigint,
  name text not null,
  product_code text not null,
  account text not null,
  -- In the product's own unit; null: asked each time.
  amount bigint,
  created_at timestamptz not null default now(),
  constraint counter_favourites_pkey primary key (reseller_id, id),
  constraint counter_favourites_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint counter_favourites_reseller_id_member_id_fkey foreign key (reseller_id, member_id) references users(reseller_id, id) on delete cascade,
  constraint counter_favourites_account_check check ((length(account) >= 1) and (length(account) <= 100)),
  constraint counter_favourites_amount_check check (amount > 0),
  constraint counter_favourites_name_check check ((length(name) >= 1) and (length(name) <= 40))
);

-- Views of the payments that a shop or one of its members has saved. A query may name a customer's number: it stands in
-- no log, and goes with its row.
create table counter_saved_filters (
  reseller_id bigint not null,
  id bigint not null generated always as identity,
  -- Member whose own it is; null: the whole shop's.
  member_id bigint,
  name text not null,
  query text not null,
  created_at timestamptz not null default now(),
  constraint counter_saved_filters_pkey primary key (reseller_id, id),
  constraint counter_saved_filters_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint counter_saved_filters_reseller_id_member_id_fkey foreign key (reseller_id, member_id) references users(reseller_id, id) on delete cascade,
  constraint counter_saved_filters_name_check check ((length(name) >= 1) and (length(name) <= 40)),
  constraint counter_saved_filters_query_check check ((length(query) >= 1) and (length(query) <= 2000))
);

-- ── db ──

create table schema_functions (
  kind text not null,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default clock_timestamp(),
  constraint schema_functions_pkey primary key (kind, name, checksum)
);

create table schema_migrations (
  number integer not null,
  name text not null,
  checksum text not null,
  begun_at timestamptz not null default clock_timestamp(),
  applied_at timestamptz default clock_timestamp(),
  constraint schema_migrations_pkey primary key (number)
);

-- Data keys encrypt values that must not lie readable: signing secrets, PINs, identity numbers. The master key wraps
-- them, so that a change of the master key rewrites a handful of rows and not every secret.
create table data_keys (
  id integer not null generated always as identity,
  wrapped bytea not null,
  master_key_id text not null,
  created_at timestamptz not null default now(),
  constraint data_keys_pkey primary key (id)
);

-- State of what is written once, in the first group, and carried to every other one.
create table carried_version (
  singleton boolean not null default true,
  -- Address of the first group, where it is written; null: here.
  source text,
  -- Number of the version that is here. In the first group it grows when a change is noticed.
  version bigint not null,
  -- Part → mark of its content, by which a change is noticed.
  marks jsonb not null default '{}'::jsonb,
  at timestamptz not null default now(),
  -- Why the latest attempt brought nothing; null: it did not fail.
  trouble text,
  constraint carried_version_pkey primary key (singleton),
  constraint carried_version_singleton_check check (singleton)
);

-- Place of this group of resellers: whether it is served from this schema. One row, which moves alone change.
create table group_place (
  singleton boolean not null default true,
  -- 'arriving': a move still copies it to here. 'moved': it was moved away, and this place refuses everything.
  state text not null default 'serving'::text,
  -- Number of the place in the life of the group: of two copies, the higher one is the newer.
  epoch bigint not null default 1,
  -- Server and database that it comes from or was moved to, for people.
  other text,
  -- Address that it was moved to, sealed under the master key: nodes find it there although their file is an old one.
  address bytea,
  changed_at timestamptz not null default clock_timestamp(),
  constraint group_place_pkey primary key (singleton),
  constraint group_place_check check ((state = 'moved') = (address is not null)),
  constraint group_place_epoch_check check (epoch > 0),
  constraint group_place_singleton_check check (singleton),
  constraint group_place_state_check check (state in ('serving', 'arriving', 'moved'))
);

-- Steps of moves as they were done. They move with the group.
create table group_move_steps (
  move integer not null,
  step text not null,
  detail text not null default ''::text,
  done_at timestamptz not null default clock_timestamp(),
  constraint group_move_steps_pkey primary key (move, step),
  constraint group_move_steps_move_check check (move > 0)
);

-- Functions:
--   carried_mark(p_table text) returns text
--   carried_rows(p_table text, p_instead jsonb) returns text
--   carry_rows(p_table text, p_rows text, p_gone text) returns integer
--   channel_prefix() returns text
--   gate_writes() returns trigger
--   later(p_at timestamptz, p_by interval) returns timestamptz
--   lock_mark() returns integer
--   written_once() returns trigger

-- ── deposits ──

-- A transfer that a reseller reports with the bank's slip. `accepted` is a request for a deposit that waits for a second
-- operator: if it is refused, withdrawn or runs out, the transfer counts as reported again, though the row still says
-- accepted. The wallet is credited in the commit that makes the row credited.
create table deposit_requests (
  reseller_id bigint not null,
  id bigint not null generated by default as identity,
  amount bigint not null,
  transferred_on date not null,
  bank_reference text not null,
  note text not null,
  reported_by bigint not null,
  reporter text not null,
  reported_at timestamptz not null default clock_timestamp(),
  slip_kind text not null,
  slip_bytes integer not null,
  slip_digest bytea not null,
  -- Sealed to the row: a slip names people and their bank accounts.
  sealed_slip bytea not null,
  state text not null default 'reported'::text,
  approval_id bigint,
  -- The operator who accepted or refused it.
  decided_by bigint,
  refusal text not null default ''::text,
  changed_at timestamptz not null default clock_timestamp(),
  -- The number of the wallet's entry.
  entry_sequence bigint,
  constraint deposit_requests_pkey primary key (reseller_id, id),
  constraint deposit_requests_id_key unique (id),
  constraint deposit_requests_decided_by_fkey foreign key (decided_by) references operators(id),
  constraint deposit_requests_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint deposit_requests_amount_check check (amount > 0),
  constraint deposit_requests_check check ((state in ('accepted', 'credited')) = (approval_id is not null)),
  constraint deposit_requests_check1 check ((state = 'credited') = (entry_sequence is not null)),
  constraint deposit_requests_check2 check ((state = 'refused') = (refusal <> '')),
  constraint deposit_requests_slip_kind_check check (slip_kind in ('jpeg', 'pdf', 'png', 'webp')),
  constraint deposit_requests_state_check check (state in ('reported', 'accepted', 'credited', 'refused', 'withdrawn'))
);
-- Transfers with the same reference of the bank, which somebody may have reported twice.
create index deposit_requests_bank_reference on deposit_requests (lower(bank_reference));
-- The console lists the open ones, and the newest of all.
create index deposit_requests_open on deposit_requests (id) where (state in ('reported', 'accepted'));
create trigger deposit_refusals_told after update of state on deposit_requests
  for each row when (((new.state = 'refused') and (old.state <> 'refused'))) execute function announce_deposit_refusal();

-- Functions:
--   announce_deposit_refusal() returns trigger

-- ── events ──

-- Facts without numbers. If the commit of an event gave out the account's next number, everything that happens to an
-- account would wait in one line. One row holds a whole batch, so that a fact costs a payment almost nothing. Sources,
-- with the meaning of `subjects`:
--   taken     a payment was taken (payment id); told as payment.accepted and balance.deducted
--   moved     a payment entered another state (payment id)
--   refunded  its money was given back (payment id)
--   entry     any other entry of the wallet (the entry's sequence); `type` is its kind
--   catalog   a catalogue change was expanded for the account (version); `spans` counts its events
--   own       an event without another record (0); `type` and `data` are the event's
create table event_facts (
  id bigint not null generated always as identity,
  source text not null,
  reseller_ids bigint[] not null,
  subjects bigint[] not null,
  -- moved: the state that the payment entered
  codes smallint[],
  -- The movement of the wallet with its sign, and the balance that it left.
  amounts bigint[],
  balances bigint[],
  spans integer[],
  type text,
  data jsonb,
  at timestamptz not null,
  constraint event_facts_pkey primary key (id),
  constraint event_facts_source_check check (source in ('taken', 'moved', 'refunded', 'entry', 'catalog', 'own', 'order'))
  -- Vacuumed early: rows come and go by the hundred thousand while few exist at a time, and dead rows would lie at the
  -- front of every scan.
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_threshold = 100000);

create table event_sequences (
  reseller_id bigint not null,
  last_sequence bigint not null,
  constraint event_sequences_pkey primary key (reseller_id)
) with (fillfactor = 50, autovacuum_analyze_threshold = 100000, autovacuum_vacuum_threshold = 10000);

-- The feed. A row stands for `span` events with consecutive numbers, of which `sequence` is the first: a payment that
-- was taken is two events and one row, a catalogue change for one account is thousands of events and one row. The rest
-- of an event is read from its subject, so that no secret lies here.
create table events (
  reseller_id bigint not null,
  sequence bigint not null,
  span integer not null,
  source text not null,
  subject bigint not null,
  code smallint,
  amount bigint,
  balance bigint,
  type text,
  data jsonb,
  at timestamptz not null,
  constraint events_pkey primary key (reseller_id, sequence)
) with (autovacuum_analyze_threshold = 100000, autovacuum_vacuum_threshold = 100000, autovacuum_vacuum_insert_threshold = 100000);

-- The account's receivers, at most one per stream.
create table event_endpoints (
  reseller_id bigint not null,
  stream text not null,
  url text not null,
  method text not null,
  is_enabled boolean not null,
  -- The events that the balance stream sends.
  types text[] not null default '{}'::text[],
  -- Bound to reseller and stream.
  sealed_secret bytea not null,
  secret_last_four text not null,
  secret_created_at timestamptz not null,
  -- Signs beside the present secret until the instant: a rotation with a grace period.
  sealed_previous_secret bytea,
  previous_secret_until timestamptz,
  -- Since when no delivery arrived. null: the last one did.
  failing_since timestamptz,
  -- Failed for days, or paused by an operator: nothing is sent until the owner changes something. `is_enabled` is the
  -- owner's own setting and stays.
  paused_at timestamptz,
  -- When the owner was last told by mail that deliveries fail.
  failure_told_at timestamptz,
  last_success_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint event_endpoints_pkey primary key (reseller_id, stream),
  constraint event_endpoints_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint event_endpoints_method_check check (method in ('GET', 'POST')),
  constraint event_endpoints_stream_check check (stream in ('callback', 'catalog', 'balance', 'order')),
  constraint event_endpoints_url_check check (length(url) <= 2000)
);
create trigger event_endpoints_changed after update on event_endpoints
  for each row when (((((((old.url is distinct from new.url) or (old.method is distinct from new.method)) or (old.is_enabled is distinct from new.is_enabled)) or (old.sealed_secret is distinct from new.sealed_secret)) or (old.previous_secret_until is distinct from new.previous_secret_until)) or (old.paused_at is distinct from new.paused_at))) execute function tell_endpoint_change();
create trigger event_endpoints_made after insert or delete on event_endpoints
  for each row execute function tell_endpoint_change();

-- One event on its way to one receiver: the job and its log. The request is made from the event's subject at every
-- attempt; the columns from `source` to `at` are the event's own.
create table deliveries (
  reseller_id bigint not null,
  stream text collate "C" not null,
  -- Begins with its millisecond, so that the primary key is the order of the log.
  id uuid not null,
  event_id text collate "C" not null,
  source text not null,
  subject bigint not null,
  code smallint,
  amount bigint,
  balance bigint,
  type text,
  data jsonb,
  -- The place of the event within a catalogue change.
  catalog_set_id uuid,
  catalog_position integer,
  at timestamptz not null,
  -- superseded: a later state of the same payment is delivered in its place
  status text not null,
  -- One element per attempt: { at, ms, status, error }
  attempts jsonb not null default '[]'::jsonb,
  attempts_made smallint not null default 0,
  error text not null default ''::text,
  response_status smallint not null default 0,
  -- Bound to reseller and id. It is sealed because a receiver may repeat the request in it.
  sealed_response bytea,
  -- The address of the last attempt; before the first one, the address to use.
  url text not null,
  method text not null,
  -- A replay: the delivery it repeats, and its number among the replays of the event.
  original_id uuid,
  replay_number smallint not null default 0,
  created_at timestamptz not null,
  completed_at timestamptz,
  constraint deliveries_pkey primary key (reseller_id, stream, id),
  constraint deliveries_status_check check (status in ('pending', 'success', 'failed', 'superseded'))
) with (fillfactor = 50);
-- Each stream delivers an event once, and once for each of its replays.
create unique index deliveries_event on deliveries (reseller_id, event_id, stream, replay_number);
-- Finds failed deliveries among a million that succeeded. The error stands for the state: an index on the state itself
-- would be written at every delivery that succeeds.
create index deliveries_troubled on deliveries (reseller_id, stream, id) where (error <> '');
-- Finds deliveries that succeeded among hundreds of thousands that did not. A delivery is in it from the beginning, so
-- that one that succeeds at once changes nothing here.
create index deliveries_untroubled on deliveries (reseller_id, stream, id) where (error = '');

-- One row per delivery that is not finished, apart from the log so that it stays small.
create table delivery_work (
  reseller_id bigint not null,
  stream text collate "C" not null,
  next_at timestamptz not null,
  delivery_id uuid not null,
  constraint delivery_work_pkey primary key (reseller_id, stream, next_at, delivery_id)
  -- Vacuumed early, as event_facts is.
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- The line before one receiver. The node that holds the lane is the only one that sends there: this bounds the requests
-- that a receiver has at a time, on however many nodes. A lane that waits for its receiver holds up no other lane.
create table delivery_lanes (
  reseller_id bigint not null,
  stream text collate "C" not null,
  -- Nothing is due before this instant.
  next_at timestamptz not null,
  holder uuid,
  leased_until timestamptz not null default '-infinity'::timestamptz,
  -- How far the account's test clock was moved since the lane exists. A failure from before a move that is recorded
  -- after it is due as if it had been recorded at once.
  advanced_ms bigint not null default 0,
  constraint delivery_lanes_pkey primary key (reseller_id, stream)
) with (fillfactor = 50);
create index delivery_lanes_next on delivery_lanes (next_at);

-- Catalogue changes whose events are still to become deliveries, in steps.
create table event_fanouts (
  reseller_id bigint not null,
  sequence bigint not null,
  version bigint not null,
  span integer not null,
  -- The number of events that are deliveries by now.
  done integer not null default 0,
  -- The place of the next event: its set, counted forwards for new resources and then backwards for removed ones, and
  -- its position in the set. A step therefore costs the same at the first event and at the twenty-thousandth.
  visit integer not null default 0,
  position integer not null default 0,
  at timestamptz not null,
  constraint event_fanouts_pkey primary key (reseller_id, sequence)
);

-- Attempts may be kept for a shorter time than their deliveries: those up to this delivery are removed.
create table delivery_strips (
  reseller_id bigint not null,
  stream text collate "C" not null,
  through uuid not null,
  constraint delivery_strips_pkey primary key (reseller_id, stream)
);

-- The turn to remove events and deliveries that are no longer kept: one pass at a time, on however many nodes.
create table retention_turns (
  singleton boolean not null default true,
  holder uuid,
  -- Nobody begins before this instant. The node at work moves it on with every step, so that another node takes up a
  -- pass that was cut off.
  next_at timestamptz not null,
  constraint retention_turns_pkey primary key (singleton),
  constraint retention_turns_singleton_check check (singleton)
) with (fillfactor = 50);

-- The deliveries of one stream that were made on a day by GMT+8, once the day is over and none of them can change any
-- more. Days without a row are counted from the deliveries.
create table delivery_days (
  reseller_id bigint not null,
  stream text collate "C" not null,
  day date not null,
  succeeded integer not null,
  failed integer not null,
  constraint delivery_days_pkey primary key (reseller_id, stream, day)
);

-- Functions:
--   advance_deliveries(p_reseller bigint, p_seconds integer) returns void
--   append_facts(p_source text, p_resellers bigint[], p_subjects bigint[], p_codes smallint[], p_amounts bigint[],
--     p_balances bigint[], p_spans integer[], p_type text, p_data jsonb, p_at timestamptz) returns void
--   append_house_fact(p_type text, p_data jsonb, p_at timestamptz) returns void
--   balance_event_type(p_source text, p_amount bigint, p_type text) returns text
--   claim_lanes(p_holder uuid, p_lanes_max integer, p_lease_ms integer, p_believed_until timestamptz) returns
--     TABLE(reseller_id bigint, stream text)
--   claim_lanes_of(p_streams text[], p_holder uuid, p_lanes_max integer, p_lease_ms integer, p_believed_until
--     timestamptz) returns TABLE(reseller_id bigint, stream text)
--   due_deliveries(p_resellers bigint[], p_streams text[], p_rows_max integer[]) returns TABLE(lane integer, work_at
--     text, advanced_ms bigint, id uuid, attempts_made smallint, is_replay boolean, reseller_id bigint, event_id text,
--     source text, subject bigint, code smallint, amount bigint, balance bigint, type text, data jsonb, catalog_set_id
--     uuid, catalog_position integer, at timestamptz)
--   end_deliveries(p_reseller bigint, p_stream text, p_except uuid[], p_rows_max integer) returns integer
--   event_id(p_reseller bigint, p_sequence bigint) returns text
--   find_open_endpoint(p_reseller bigint, p_stream text, p_even_paused boolean, OUT state text, OUT url text, OUT
--     method text) returns record
--   first_delivery_id(p_at timestamptz) returns uuid
--   is_content_kept(p_delivery deliveries) returns boolean
--   judge_endpoints(p_resellers bigint[], p_streams text[], p_urls text[], p_errors text[], p_is_test boolean[], p_ats
--     text[], p_states text[], p_now timestamptz) returns void
--   new_delivery_id(p_at timestamptz, p_place integer) returns uuid
--   pause_endpoint(p_reseller bigint, p_stream text, p_now timestamptz) returns void
--   queue_delivery(p_delivery deliveries) returns void
--   queue_test_event(p_reseller bigint, p_stream text, p_type text, p_data jsonb, p_at timestamptz, p_per_minute_max
--     integer, OUT outcome text, OUT new_id uuid, OUT event_id text) returns record
--   record_deliveries(p_resellers bigint[], p_streams text[], p_ids uuid[], p_work_ats timestamptz[], p_advanced_ms
--     bigint[], p_outcomes text[], p_attempts_max smallint[], p_retry_ms integer[], p_is_test boolean[], p_ats text[],
--     p_ms integer[], p_errors text[], p_response_statuses smallint[], p_sealed_responses bytea[], p_urls text[],
--     p_methods text[]) returns text[]
--   release_lanes(p_holder uuid, p_resellers bigint[], p_streams text[]) returns void
--   renew_lanes(p_holder uuid, p_resellers bigint[], p_streams text[], p_lease_ms integer) returns TABLE(reseller_id
--     bigint, stream text)
--   replay_deliveries(p_reseller bigint, p_stream text, p_ids uuid[], p_replays_max integer) returns TABLE(place
--     integer, outcome text, new_id uuid, event_id text)
--   retry_at(p_reseller bigint, p_stream text, p_advanced_ms bigint, p_retry_ms integer, p_now timestamptz) returns
--     timestamptz
--   sequence_facts(p_facts_max integer) returns TABLE(facts integer, events integer, deliveries integer, fanouts
--     integer)
--   settle_work(p_resellers bigint[], p_streams text[], p_ids uuid[], p_work_ats timestamptz[], p_advanced_ms
--     bigint[], p_retry_ms integer[], p_states text[], p_now timestamptz) returns void
--   skip_event_numbers(p_resellers bigint[]) returns void
--   tell_endpoint_change() returns trigger

-- ── finance ──

-- A day (GMT+8) on which a wallet moved, closed once no more entries of it could come. A day without movements has no
-- row: the balance at its end is that of the closing before. Amounts are signed as in the ledger: payments are
-- negative.
create table daily_closings (
  reseller_id bigint not null,
  day date not null,
  opening bigint not null,
  closing bigint not null,
  first_sequence bigint not null,
  last_sequence bigint not null,
  deposit_count bigint not null,
  deposit_amount bigint not null,
  adjustment_count bigint not null,
  adjustment_amount bigint not null,
  commission_count bigint not null,
  commission_amount bigint not null,
  payment_count bigint not null,
  payment_amount bigint not null,
  refund_count bigint not null,
  refund_amount bigint not null,
  closed_at timestamptz not null default clock_timestamp(),
  constraint daily_closings_pkey primary key (reseller_id, day),
  constraint daily_closings_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint daily_closings_adjustment_count_check check (adjustment_count >= 0),
  constraint daily_closings_balance check (closing = (((((opening + deposit_amount) + adjustment_amount) + commission_amount) + payment_amount) + refund_amount)),
  constraint daily_closings_check check (last_sequence >= first_sequence),
  constraint daily_closings_closing_check check (closing >= 0),
  constraint daily_closings_commission_amount_check check (commission_amount >= 0),
  constraint daily_closings_commission_count_check check (commission_count >= 0),
  constraint daily_closings_count check (((last_sequence - first_sequence) + 1) = ((((deposit_count + adjustment_count) + commission_count) + payment_count) + refund_count)),
  constraint daily_closings_deposit_amount_check check (deposit_amount >= 0),
  constraint daily_closings_deposit_count_check check (deposit_count >= 0),
  constraint daily_closings_first_sequence_check check (first_sequence > 0),
  constraint daily_closings_opening_check check (opening >= 0),
  constraint daily_closings_payment_amount_check check (payment_amount <= 0),
  constraint daily_closings_payment_count_check check (payment_count >= 0),
  constraint daily_closings_refund_amount_check check (refund_amount >= 0),
  constraint daily_closings_refund_count_check check (refund_count >= 0)
);
create trigger daily_closings_follow before insert on daily_closings
  for each row execute function closing_must_follow();
create trigger daily_closings_immutable before delete or update or truncate on daily_closings
  for each statement execute function closings_are_immutable();

-- Functions:
--   closing_must_follow() returns trigger
--   closings_are_immutable() returns trigger

-- ── grants ──

-- Links of mails that tell people of a reseller about a request for access. A link stops the request, or undoes it once
-- it was carried out. Only the digest is kept.
create table approval_stops (
  digest bytea not null,
  approval_id bigint not null,
  recipient text not null,
  expires_at timestamptz not null,
  -- null: not used yet. refused: it stopped the request. undone: it undid the change. nothing: there was nothing to stop.
  outcome text,
  constraint approval_stops_pkey primary key (digest),
  constraint approval_stops_approval_id_fkey foreign key (approval_id) references approvals(id),
  constraint approval_stops_outcome_check check (outcome in ('refused', 'undone', 'nothing'))
);
-- For the sweep.
create index approval_stops_expires_at on approval_stops (expires_at);

-- ── network ──

-- A notice is never deleted: its text, its author and its duration can be read later.
create table network_notices (
  id bigint not null generated always as identity,
  target_kind text not null,
  -- No foreign key: a notice outlives its target, and providers may be built in.
  target_code text collate "C" not null,
  message text not null,
  starts_at timestamptz not null,
  ends_at timestamptz,
  stops_payments boolean not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  -- When somebody ended it, which may be before it began.
  ended_at timestamptz,
  -- least() ignores nulls.
  over_at timestamptz not null generated always as (COALESCE(LEAST(ends_at, ended_at), 'infinity'::timestamptz)) stored,
  constraint network_notices_pkey primary key (id),
  constraint network_notices_check check (ends_at > starts_at),
  constraint network_notices_check1 check ((not stops_payments) or (target_kind <> 'provider')),
  constraint network_notices_created_by_check check ((length(created_by) >= 1) and (length(created_by) <= 100)),
  constraint network_notices_message_check check ((length(message) >= 1) and (length(message) <= 500)),
  constraint network_notices_target_code_check check ((length(target_code) >= 1) and (length(target_code) <= 100)),
  constraint network_notices_target_kind_check check (target_kind in ('product', 'category', 'provider'))
);
create index network_notices_over on network_notices (over_at);
create trigger written_once before insert or delete or update or truncate on network_notices
  for each statement execute function written_once();

-- ── numbers ──

-- Plans of numbers that operators gave. Each takes the place of the one that the service knows by itself.
create table number_plans (
  country text collate "C" not null,
  -- null: the country has the service's own plan again.
  plan jsonb,
  -- Greater than that of every earlier change.
  version bigint not null,
  constraint number_plans_pkey primary key (country),
  constraint number_plans_country_check check (country ~ '^[A-Z]{2}$')
);
create trigger written_once before insert or delete or update or truncate on number_plans
  for each statement execute function written_once();

-- When suppliers were asked about numbers, and what they told. Rows are kept as long as an answer counts.
create table number_lookups (
  number text collate "C" not null,
  asked_at timestamptz not null,
  -- The operator in the supplier's words; null: none has told it.
  operator text,
  answered_at timestamptz,
  constraint number_lookups_pkey primary key (number),
  constraint number_lookups_check check ((operator is null) = (answered_at is null)),
  constraint number_lookups_number_check check (number ~ '^[0-9]{7,15}$')
);
create index number_lookups_asked on number_lookups (asked_at);

-- ── offers ──

-- One reading of a supplier's list, page by page. Any node reads the next page from the cursor.
create table offer_syncs (
  id bigint not null generated always as identity,
  provider text collate "C" not null,
  state text not null,
  -- The connector's place in the list; null: its beginning.
  cursor text,
  pages integer not null default 0,
  offers integer not null default 0,
  -- Entries that could not be read.
  unread integer not null default 0,
  -- Of these, entries that may be any offer that we know.
  unnamed integer not null default 0,
  proposals integer not null default 0,
  -- Failures one after the other, and the last one's reason; of a complete list, why nothing of it was marked as gone.
  failures integer not null default 0,
  trouble text,
  -- The next page is due, or the lease of the node that reads it ends.
  next_at timestamptz not null default now(),
  holder uuid,
  started_by text not null,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  constraint offer_syncs_pkey primary key (id),
  constraint offer_syncs_provider_fkey foreign key (provider) references provider_connections(code) on delete cascade,
  constraint offer_syncs_check check ((state = 'running') = (finished_at is null)),
  constraint offer_syncs_state_check check (state in ('running', 'complete', 'failed'))
);
create index offer_syncs_provider on offer_syncs (provider, id);
create unique index offer_syncs_running on offer_syncs (provider) where (state = 'running');

create table offer_schedules (
  provider text collate "C" not null,
  every_hours integer not null,
  next_at timestamptz not null,
  constraint offer_schedules_pkey primary key (provider),
  constraint offer_schedules_provider_fkey foreign key (provider) references provider_connections(code) on delete cascade,
  constraint offer_schedules_every_hours_check check ((every_hours >= 1) and (every_hours <= 720))
);

-- The offers of a supplier's list, by the supplier's code.
create table supplier_offers (
  provider text collate "C" not null,
  code text collate "C" not null,
  -- As the list had it last; null: it has it no more.
  seen jsonb,
  -- Of the canonical form of seen, so that an offer that stays as it is costs no comparison.
  digest text collate "C",
  -- As our catalogue follows it; null: none of our products is bought by this code.
  known jsonb,
  -- The last reading that named it.
  sync_id bigint not null,
  seen_at timestamptz not null,
  constraint supplier_offers_pkey primary key (provider, code),
  constraint supplier_offers_provider_fkey foreign key (provider) references provider_connections(code) on delete cascade,
  constraint supplier_offers_check check ((seen is null) = (digest is null))
);

create table offer_proposals (
  id bigint not null generated always as identity,
  provider text collate "C" not null,
  code text collate "C" not null,
  kind text not null,
  -- The members of the offer that differ; null: there was no such offer, or there is none any more.
  before jsonb,
  after jsonb,
  state text not null,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by text,
  constraint offer_proposals_pkey primary key (id),
  constraint offer_proposals_provider_fkey foreign key (provider) references provider_connections(code) on delete cascade,
  constraint offer_proposals_check check ((state = 'open') = (decided_at is null)),
  constraint offer_proposals_kind_check check (kind in ('new', 'cost_changed', 'gone', 'closed', 'reopened', 'hours_changed', 'changed')),
  constraint offer_proposals_state_check check (state in ('open', 'accepted', 'rejected', 'superseded'))
);
create index offer_proposals_latest on offer_proposals (provider, code, kind, id);
create unique index offer_proposals_open on offer_proposals (provider, code, kind) where (state = 'open');
create index offer_proposals_state on offer_proposals (state, provider, id);

-- ── operator ──

-- Verifications of the whole ledger and their results. One runs at a time; one that was not seen for long has ended.
create table ledger_proofs (
  id bigint not null generated always as identity,
  requested_by text not null,
  started_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  -- null: it is under way, or could not be finished
  report json,
  trouble text,
  constraint ledger_proofs_pkey primary key (id)
);
create unique index ledger_proofs_one_at_a_time on ledger_proofs ((true)) where (finished_at is null);
create trigger ledger_proofs_told after insert or update of finished_at on ledger_proofs
  for each row execute function announce_ledger_proof();

-- Payments that one operator ended or refunded without a second person. Their sums over a day and a week are limited, for
-- each operator and for each reseller. A row is written in the commit that moves the payment.
create table lone_decisions (
  reseller_id bigint not null,
  id bigint not null generated always as identity,
  operator_id bigint not null,
  payment_id bigint not null,
  cost bigint not null,
  decided_at timestamptz not null default clock_timestamp(),
  constraint lone_decisions_pkey primary key (reseller_id, id),
  constraint lone_decisions_operator_id_fkey foreign key (operator_id) references operators(id),
  constraint lone_decisions_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint lone_decisions_cost_check check (cost > 0)
);
-- Sums of an operator over the last days.
create index lone_decisions_by_operator on lone_decisions (operator_id, decided_at) include (cost);
-- Sums of a reseller over the last days.
create index lone_decisions_by_reseller on lone_decisions (reseller_id, decided_at) include (cost);

-- Functions:
--   announce_ledger_proof() returns trigger

-- ── orders ──

-- Account's settings of the checkout: the name and the colours that its customers see, and the sites that may show it.
create table checkout_settings (
  reseller_id bigint not null,
  display_name text not null,
  allowed_origins text[] not null,
  -- True: an order is confirmed even if it costs more than its locked price.
  accepts_loss boolean not null,
  theme jsonb not null,
  updated_at timestamptz not null,
  constraint checkout_settings_pkey primary key (reseller_id),
  constraint checkout_settings_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint checkout_settings_allowed_origins_check check (cardinality(allowed_origins) <= 20)
);

create table orders (
  reseller_id bigint not null,
  -- Subject of the order's events.
  id bigint not null generated always as identity,
  -- Identifier on the wire.
  code text collate "C" not null,
  -- The reseller's own reference: the same one twice is one order.
  reference text collate "C" not null,
  user_id text not null,
  state text not null,
  -- Digests of the fields of the request that made the order, bound to the row: a repeated request is compared with
  -- them. The request itself is not kept.
  sealed_request bytea not null,
  -- The customer's token is compared by its digest, and shown again to the reseller from the sealed value. Null: the
  -- order became final long ago, and the inputs of its lines are forgotten as well.
  token_digest bytea not null,
  sealed_token bytea,
  return_url text not null,
  -- Codes that the customer may choose from; null: all that the account sells.
  products text[],
  -- True: the reseller chose the basket, and the customer may only fill in what is missing.
  is_fixed boolean not null,
  language text not null,
  shows_results boolean not null,
  -- Raised by every change of the basket.
  version integer not null default 1,
  total bigint not null,
  refund bigint not null default 0,
  payment_reference text,
  -- Address of the caller that confirmed: the sender of the payments.
  sender text not null default ''::text,
  cancel_reason text not null default ''::text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  completed_at timestamptz,
  -- True: the customer was shown that an earlier payment is the same as one of the basket, and wants it again.
  allows_repeats boolean not null default false,
  constraint orders_pkey primary key (reseller_id, id),
  constraint orders_id_key unique (id),
  constraint orders_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint orders_check check ((confirmed_at is not null) = (state in ('confirmed', 'completed', 'partially_completed', 'failed'))),
  constraint orders_check1 check ((confirmed_at is not null) = (payment_reference is not null)),
  constraint orders_check2 check ((completed_at is not null) = (state in ('completed', 'partially_completed', 'failed', 'cancelled', 'timeout'))),
  constraint orders_check3 check ((sealed_token is not null) or (completed_at is not null)),
  constraint orders_check4 check ((refund >= 0) and (refund <= total)),
  constraint orders_language_check check (language in ('en', 'ms', 'id', 'zh', 'ta')),
  constraint orders_state_check check (state in ('draft', 'awaiting_payment', 'confirmed', 'completed', 'partially_completed', 'failed', 'cancelled', 'timeout'))
);
create unique index orders_code on orders (code);
-- Lists, newest first: all of an account, of one state, of one customer.
create index orders_newest on orders (reseller_id, created_at, id);
create index orders_of_state on orders (reseller_id, state, created_at, id);
create index orders_of_user on orders (reseller_id, user_id, created_at, id);
-- Counts open orders when another one is made.
create index orders_open on orders (reseller_id, user_id) where (state in ('draft', 'awaiting_payment'));
create unique index orders_reference on orders (reseller_id, reference);
-- Finds final orders whose secrets are to be forgotten, longest ended first.
create index orders_with_secrets on orders (completed_at) where ((completed_at is not null) and (sealed_token is not null));
create trigger orders_move_by_table before update on orders
  for each row execute function orders_move_by_table();

-- One line of a basket, with its price locked.
create table order_lines (
  reseller_id bigint not null,
  order_id bigint not null,
  line smallint not null,
  product_code text not null,
  product_name text not null,
  amount bigint not null,
  quantity smallint not null,
  unit_price bigint not null,
  -- Values of a fixed line that the customer types: account, biller_code and so on.
  open_fields text[] not null,
  -- Account and extras, bound to the row: identity numbers are among them. Null: forgotten with the order's token.
  sealed_input bytea,
  constraint order_lines_pkey primary key (reseller_id, order_id, line),
  constraint order_lines_reseller_id_order_id_fkey foreign key (reseller_id, order_id) references orders(reseller_id, id),
  constraint order_lines_amount_check check (amount > 0),
  constraint order_lines_line_check check ((line >= 1) and (line <= 20)),
  constraint order_lines_quantity_check check ((quantity >= 1) and (quantity <= 20)),
  constraint order_lines_unit_price_check check (unit_price >= 0)
);

-- One payment of a confirmed order. Its refid is derived from the order, so paying again finds the first payment.
create table order_units (
  reseller_id bigint not null,
  order_id bigint not null,
  line smallint not null,
  number smallint not null,
  refid text collate "C" not null,
  -- waiting: not known to be paid. sent: the payment exists and is not final.
  state text not null,
  price bigint not null,
  -- Cost when the order was confirmed: other orders do not get this part of the balance until the unit is paid.
  cost bigint not null,
  payment_id bigint,
  error text not null default ''::text,
  constraint order_units_pkey primary key (reseller_id, order_id, line, number),
  constraint order_units_reseller_id_order_id_line_fkey foreign key (reseller_id, order_id, line) references order_lines(reseller_id, order_id, line),
  constraint order_units_check check ((state <> ALL (array['sent', 'succeeded'])) or (payment_id is not null)),
  constraint order_units_cost_check check (cost > 0),
  constraint order_units_state_check check (state in ('waiting', 'sent', 'succeeded', 'failed'))
);
-- Sums up what confirmed orders still need from the balance, when another one is confirmed; finds orders that are stuck.
create index order_units_waiting on order_units (reseller_id, order_id) where (state = 'waiting');

-- One row per order that is not final: it times out, or its payments are made and read.
create table order_work (
  reseller_id bigint not null,
  order_id bigint not null,
  -- Nobody touches it before this instant: the expiry, the end of a lease, or the next look at the payments.
  next_at timestamptz not null,
  holder uuid,
  -- Looks at the payments since the order was confirmed; the pause between two grows with it.
  looks integer not null default 0,
  -- Time of the first of the looks that failed one after the other; null: the last one did not fail.
  failing_since timestamptz,
  constraint order_work_pkey primary key (reseller_id, order_id),
  constraint order_work_reseller_id_order_id_fkey foreign key (reseller_id, order_id) references orders(reseller_id, id)
  -- Vacuumed early: a row lives as long as its order is open.
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index order_work_next on order_work (next_at);

-- Functions:
--   advance_orders(p_reseller bigint, p_seconds integer) returns void
--   cancel_order(p_reseller bigint, p_order bigint, p_reason text) returns text
--   confirm_order(p_reseller bigint, p_order bigint, p_payment_reference text, p_sender text, p_is_judged boolean,
--     p_costs bigint[]) returns TABLE(verdict text, available bigint)
--   create_order(p_lines smallint[], p_product_codes text[], p_names text[], p_amounts bigint[], p_quantities
--     smallint[], p_unit_prices bigint[], p_open_fields text[], p_inputs bytea[], p_reseller bigint, p_code text,
--     p_reference text, p_user text, p_state text, p_request bytea, p_token_digest bytea, p_token bytea, p_return_url
--     text, p_products text[], p_is_fixed boolean, p_language text, p_shows_results boolean, p_expires_seconds
--     integer, p_open_max integer, p_user_open_max integer) returns TABLE(verdict text, id bigint)
--   end_order(p_order orders, p_state text, p_refund bigint) returns orders
--   hold_order(p_reseller bigint, p_order bigint) returns orders
--   note_order_units(p_lines smallint[], p_numbers smallint[], p_states text[], p_payments bigint[], p_errors text[],
--     p_reseller bigint, p_order bigint, p_holder uuid) returns text
--   orders_move_by_table() returns trigger
--   put_order_lines(p_reseller bigint, p_order bigint, p_lines smallint[], p_products text[], p_names text[],
--     p_amounts bigint[], p_quantities smallint[], p_unit_prices bigint[], p_open_fields text[], p_inputs bytea[])
--     returns bigint
--   replace_basket(p_lines smallint[], p_product_codes text[], p_names text[], p_amounts bigint[], p_quantities
--     smallint[], p_unit_prices bigint[], p_open_fields text[], p_inputs bytea[], p_reseller bigint, p_order bigint,
--     p_version integer) returns text
--   submit_order(p_reseller bigint, p_order bigint, p_version integer, p_is_judged boolean) returns text

-- ── payments ──

-- The id begins with the millisecond of the initiation. The primary key is therefore also the order of the history and
-- the way to a day of it, and no index on the time is needed.
create table payments (
  reseller_id bigint not null,
  id bigint not null,
  refid text collate "C" not null,
  product_code text collate "C" not null,
  product_name text not null,
  account text collate "C" not null,
  amount bigint not null,
  face_value bigint not null,
  cost bigint not null,
  -- The balance of the wallet right after this payment's latest movement of money.
  balance_after bigint not null,
  -- 0 Accepted, 1 Processing, 20 Succesful, 53 voided, others Failed
  code smallint not null,
  -- As they were sent, for comparing a repeated request. plan_code is the plan that they were decided to mean.
  subproduct_code text,
  biller_code text,
  ref2 text,
  plan_code text,
  -- Identity number; bound to reseller and refid
  sealed_input bytea,
  remarks text not null,
  failure text,
  serial_number text,
  expiry text,
  note text,
  -- PIN and voucher link; bound to reseller and id
  sealed_output bytea,
  sender text not null,
  member_id text not null,
  provider text not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  -- Canonical number of an account that is a telephone number and was written otherwise. null: the account is as it was
  -- sent. So `coalesce(canonical_account, account)` is the customer, however the number was written.
  canonical_account text collate "C",
  -- What limits and caps count a payment as: the category of its product, and the purpose of the key that paid. null: taken
  -- before these columns were there, or by nobody's key.
  category text collate "C",
  purpose_id bigint,
  constraint payments_pkey primary key (reseller_id, id),
  constraint payments_amount_check check (amount > 0),
  constraint payments_cost_check check (cost > 0),
  constraint payments_face_value_check check (face_value > 0),
  constraint payments_refid_check check ((length(refid) >= 1) and (length(refid) <= 50))
) with (fillfactor = 50, autovacuum_analyze_threshold = 100000, autovacuum_vacuum_threshold = 100000, autovacuum_vacuum_insert_threshold = 100000);
-- Finds a payment whose reseller is not known: a provider knows our reference alone. It is an expression, so that no
-- statement that has the reseller is planned over it. Only find_called_payment, find_attempts and list_sold use it.
create index payments_by_id on payments (((id + 0)));
-- The index of customers has the canonical number of an account, where there is one: a customer is found by any spelling.
create index payments_of_customer on payments ((((id >> 52))::smallint), COALESCE(canonical_account, account), ((reseller_id + 0)), id);
-- No index but the primary key begins with the reseller. Plans are kept, and a plan made while the table is empty
-- could otherwise choose any index with the reseller and read through all of its payments. So there is one way to a
-- refid, one to an account and one to an id.
create unique index payments_refid on payments (((((reseller_id)::text || '/') || refid)), reseller_id);

-- One row per payment that is not final: the queue of payments to send or to ask about, and the lease of the node that
-- works on one. It is apart from the payments so that their rows are updated in place and this table stays small.
create table payment_work (
  reseller_id bigint not null,
  payment_id bigint not null,
  attempt smallint not null,
  -- When the present attempt was, or may have been, sent.
  submitted_at timestamptz not null,
  -- Nobody touches it before this instant: the end of a lease, or the time of the next question.
  next_at timestamptz not null,
  -- A node works on it until next_at. A test clock moves questions, never leases.
  is_leased boolean not null,
  -- Raised by every node that takes the work over. A node knows by the number that the work is still its own. A payment
  -- is created with the lease of the node that took it.
  lease integer not null default 1,
  due_at timestamptz not null,
  -- How far the account's test clock was moved while a node worked on it: to the provider it is that much older.
  ahead_ms bigint not null default 0,
  questions integer not null default 0,
  -- The node that had the present attempt has recorded that it was not sent and never will be.
  is_unsent boolean not null default false,
  -- How often the present attempt was sent again under the same reference.
  repeats smallint not null default 0,
  -- The request that it was taken for, if that has an id: a batch that is run again recognises its own payments by it.
  request_id uuid,
  -- True: the payment was in progress at the moment of a restore. Orders that were sent for it later are forgotten, so
  -- its provider is asked, and nothing is sent.
  is_ask_only boolean not null default false,
  -- The provider reported that the present attempt failed with this code, while another attempt was undecided.
  held_code smallint,
  -- The reason of that failure.
  held_failure text,
  constraint payment_work_pkey primary key (reseller_id, payment_id)
) with (autovacuum_analyze_threshold = 100000);
create index payment_work_next on payment_work (next_at);

-- Attempts that may have been carried out although they are not the work of their payment: the payment has ended, or
-- goes on with another attempt. A row stays until the provider has decided. The columns mean the same as in
-- payment_work.
create table payment_open_attempts (
  reseller_id bigint not null,
  payment_id bigint not null,
  attempt smallint not null,
  -- The provider that has the attempt.
  provider text not null,
  submitted_at timestamptz not null,
  ahead_ms bigint not null default 0,
  next_at timestamptz not null,
  is_leased boolean not null,
  lease integer not null,
  questions integer not null default 0,
  constraint payment_open_attempts_pkey primary key (reseller_id, payment_id, attempt)
);
create index payment_open_attempts_next on payment_open_attempts (next_at);

-- The timeline of a payment after it was taken.
create table payment_changes (
  reseller_id bigint not null,
  payment_id bigint not null,
  id bigint not null generated always as identity,
  kind text not null,
  code smallint not null,
  -- The attempt that it is about. null: it is about the payment itself.
  attempt smallint,
  -- For an attempt that was begun: its provider, and the provider of the attempt before.
  provider text,
  provider_before text,
  detail text not null,
  at timestamptz not null,
  constraint payment_changes_pkey primary key (reseller_id, payment_id, id)
) with (autovacuum_analyze_threshold = 100000, autovacuum_vacuum_threshold = 100000, autovacuum_vacuum_insert_threshold = 100000);
-- A contradiction is noted once, however often a provider repeats it and on however many nodes.
create unique index payment_changes_one_contradiction on payment_changes (payment_id, reseller_id, code, COALESCE(attempt, (0)::smallint)) where (kind = 'contradiction');

-- Refids that were rejected in the last minutes. Once a client was told that nothing exists under a refid, no request
-- that was signed or received before that creates the payment. A writer of a row holds the wallet of the reseller, and
-- so does a writer of a payment: either the rejection finds the payment, or the payment finds the rejection.
create table payment_rejections (
  reseller_id bigint not null,
  refid text collate "C" not null,
  -- The latest X-Timestamp of a rejected request, by the client's clock. null: only unsigned requests were rejected.
  signed_at bigint,
  -- When the latest rejection was decided, by the database's clock.
  rejected_at timestamptz not null,
  constraint payment_rejections_pkey primary key (reseller_id, refid)
);
-- Serves the sweep. It does not begin with the reseller: see payments_refid.
create index payment_rejections_age on payment_rejections (rejected_at);

-- Sums of whole days by GMT+8, for the days that are marked as current. Other days are counted from the payments.
create table payment_rollups (
  reseller_id bigint not null,
  day date not null,
  product_code text collate "C" not null,
  code smallint not null,
  payments bigint not null,
  face_value bigint not null,
  cost bigint not null,
  -- Payments of the day whose suppliers said what they took, in ringgit, with their face value and what resellers paid.
  told_payments bigint not null default 0,
  told_face_value bigint not null default 0,
  told_charged bigint not null default 0,
  told_cost bigint not null default 0,
  constraint payment_rollups_pkey primary key (reseller_id, day, product_code, code)
);

create table payment_rollup_days (
  reseller_id bigint not null,
  day date not null,
  is_current boolean not null,
  -- Nodes of the version before sum days without their parts. A trigger takes the mark away with is_current.
  has_parts boolean not null default false,
  constraint payment_rollup_days_pkey primary key (reseller_id, day)
);
create index payment_rollup_days_open on payment_rollup_days (reseller_id, day) where (not is_current);
-- Finds the days whose parts are still to be summed.
create index payment_rollup_days_partless on payment_rollup_days (reseller_id, day) where (is_current and (not has_parts));
create trigger payment_rollup_days_parts before update on payment_rollup_days
  for each row when ((new.has_parts and (not new.is_current))) execute function parts_end_with_sums();

-- How far the clock of an account was moved forward in staging, for the operation that reads it. Moving the clock
-- updates the outstanding times themselves.
create table test_clocks (
  reseller_id bigint not null,
  advanced_seconds bigint not null,
  constraint test_clocks_pkey primary key (reseller_id),
  constraint test_clocks_reseller_id_fkey foreign key (reseller_id) references resellers(id)
);

-- Callbacks that were accepted, kept for as long as a provider may repeat them.
create table provider_callbacks (
  provider text collate "C" not null,
  -- SHA-256 of the provider's own id, which may be anything.
  id bytea not null,
  -- SHA-256 of the body: the same id with other content is another callback.
  digest bytea not null,
  received_at timestamptz not null,
  constraint provider_callbacks_pkey primary key (provider, id)
);
create index provider_callbacks_received on provider_callbacks (received_at);

-- One row for each return to an earlier moment. While a row is not accepted, no refid that the database does not know is
-- taken or rejected: it may have been paid after the moment.
create table restores (
  id bigint not null generated always as identity,
  -- Last commit that the database has from before the restore.
  restored_to timestamptz not null,
  restored_at timestamptz not null,
  -- Last commit in the log from which the lost payments were read. null: no log beyond the moment was read.
  log_read_to timestamptz,
  accepted_at timestamptz,
  accepted_by text,
  reason text,
  constraint restores_pkey primary key (id),
  constraint restores_check check (num_nonnulls(accepted_at, accepted_by, reason) = any (array[0, 3]))
);

-- Payments that were taken after the moment of a restore, by the log or by the word of an operator. Their refids are
-- answered with "the outcome is not known" until an operator has asked the provider and released them.
create table lost_payments (
  reseller_id bigint not null,
  refid text collate "C" not null,
  restore_id bigint not null,
  -- The id that the payment had, of which its references at the provider are made. null: an operator named the refid.
  payment_id bigint,
  provider text not null default ''::text,
  -- How many references were used.
  attempts smallint not null default 1,
  product_code text not null default ''::text,
  account text not null default ''::text,
  amount bigint not null default 0,
  cost bigint not null default 0,
  -- The last state that the log has.
  code smallint not null default 0,
  released_at timestamptz,
  released_by text,
  release_reason text,
  constraint lost_payments_pkey primary key (reseller_id, refid),
  constraint lost_payments_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint lost_payments_restore_id_fkey foreign key (restore_id) references restores(id),
  constraint lost_payments_check check (num_nonnulls(released_at, released_by, release_reason) = any (array[0, 3]))
);

-- Names under which a supplier knows an attempt, beside our reference. A row exists only where there is such a name.
create table payment_supplier_references (
  reseller_id bigint not null,
  payment_id bigint not null,
  attempt smallint not null,
  -- The supplier that has the attempt.
  provider text not null,
  -- The form of our reference that the supplier wants, written before the order was sent. null: it got the usual one.
  reference text collate "C",
  -- The supplier's own id of the order. null: it has not given one.
  supplier_id text collate "C",
  constraint payment_supplier_references_pkey primary key (reseller_id, payment_id, attempt)
);
create index payment_supplier_references_by_id on payment_supplier_references (supplier_id) where (supplier_id is not null);
-- One reference is one attempt: a supplier that gets it twice must act once.
create unique index payment_supplier_references_by_reference on payment_supplier_references (provider, reference) where (reference is not null);

-- Money that a supplier said it took from us for an attempt that succeeded.
create table payment_supplier_costs (
  reseller_id bigint not null,
  payment_id bigint not null,
  attempt smallint not null,
  provider text not null,
  -- ISO 4217
  currency text not null,
  -- Ten-thousandths of the currency's unit.
  amount bigint not null,
  -- When the supplier said the cost, and ringgit for one unit of its currency at that time. null: the rate was not looked
  -- up yet, or there was none.
  at timestamptz not null default clock_timestamp(),
  rate numeric(17,8),
  constraint payment_supplier_costs_pkey primary key (reseller_id, payment_id, attempt),
  constraint payment_supplier_costs_amount_check check (amount >= 0),
  constraint payment_supplier_costs_rate_check check (rate > (0)::numeric)
);
-- Ids begin with the millisecond of the payment: a range of ids is a range of time.
create index payment_supplier_costs_by_payment on payment_supplier_costs (payment_id);
create index payment_supplier_costs_without_rate on payment_supplier_costs (currency, provider, at) where (rate is null);

-- What a payment would cost, held for some minutes. Nothing is reserved by it.
create table quotes (
  reseller_id bigint not null,
  id uuid not null,
  -- The payment that was quoted, as it was sent. plan_code is the plan that it was decided to mean.
  product_code text collate "C" not null,
  product_name text not null,
  account text collate "C" not null,
  amount bigint not null,
  subproduct_code text,
  biller_code text,
  ref2 text,
  plan_code text,
  -- Identity number; bound to reseller and quote
  sealed_input bytea,
  face_value bigint not null,
  cost bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The payment that was made with it, whatever became of it.
  payment_id bigint,
  constraint quotes_pkey primary key (reseller_id, id),
  constraint quotes_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint quotes_amount_check check (amount > 0),
  constraint quotes_cost_check check (cost > 0),
  constraint quotes_face_value_check check (face_value > 0)
);
create index quotes_open on quotes (reseller_id, expires_at) where (payment_id is null);
create index quotes_unpaid on quotes (expires_at) where (payment_id is null);

-- Moves of test clocks, in staging alone. They make what was paid before them older.
create table test_clock_moves (
  reseller_id bigint not null,
  at timestamptz not null,
  seconds bigint not null,
  constraint test_clock_moves_pkey primary key (reseller_id, at),
  constraint test_clock_moves_reseller_id_fkey foreign key (reseller_id) references resellers(id)
);

-- The same for one reseller. An entry of the operator replaces that of the level; the reseller's own come on top.
create table reseller_limits (
  reseller_id bigint not null,
  set_by text not null,
  scope text not null,
  period text not null,
  category text collate "C" not null,
  payments bigint,
  face_value bigint,
  constraint reseller_limits_pkey primary key (reseller_id, set_by, scope, period, category),
  constraint reseller_limits_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint reseller_limits_check check ((payments is not null) or (face_value is not null)),
  constraint reseller_limits_face_value_check check (face_value >= 0),
  constraint reseller_limits_payments_check check (payments >= 0),
  constraint reseller_limits_period_check check (period in ('day', 'month')),
  constraint reseller_limits_scope_check check (scope in ('account', 'reseller')),
  constraint reseller_limits_set_by_check check (set_by in ('operator', 'reseller'))
);

-- Resellers whose payments are counted by account, as a whole, or by the purpose of the key: from the first payment on
-- that has a limit or a cap of this kind. Nobody else pays for the counting.
create table payment_tallies (
  reseller_id bigint not null,
  kind text not null,
  began_at timestamptz not null,
  -- The month that a limit finds is counted step by step, from the newest payment back. A tally counts the payments with
  -- this id and later ones.
  counted_from bigint not null default 0,
  -- False while payments of the month are still to be counted
  is_whole boolean not null default true,
  -- Its rows in payment_counts have the kind with this behind it: a tally that ended leaves rows, which are deleted later.
  suffix text not null default ''::text,
  constraint payment_tallies_pkey primary key (reseller_id, kind),
  constraint payment_tallies_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint payment_tallies_kind_check check (kind in ('account', 'reseller', 'key', 'member'))
);
create index payment_tallies_open on payment_tallies (reseller_id, kind) where (not is_whole);

-- Payments that were taken in a day of GMT+8 and have neither failed nor been voided.
create table payment_counts (
  reseller_id bigint not null,
  kind text not null,
  -- The account in its canonical form, '' for the whole reseller, or the purpose of the key
  subject text collate "C" not null,
  -- By the reseller's test clock, where it has one
  day date not null,
  -- Empty for keys, whose caps know no categories
  category text collate "C" not null,
  payments bigint not null,
  face_value bigint not null,
  cost bigint not null,
  constraint payment_counts_pkey primary key (reseller_id, kind, subject, day, category),
  constraint payment_counts_cost_check check (cost >= 0),
  constraint payment_counts_face_value_check check (face_value >= 0),
  constraint payment_counts_payments_check check (payments >= 0)
) with (fillfactor = 50);

-- Walk over the payments that were taken before numbers had a canonical form: one row, which says how far it is.
create table number_walk (
  is_only boolean not null default true,
  -- The last payment that was read.
  after_reseller bigint not null default 0,
  after_payment bigint not null default 0,
  ended_at timestamptz,
  constraint number_walk_pkey primary key (is_only),
  constraint number_walk_is_only_check check (is_only)
);

-- Sums of whole days by hour of the day and by seller, for the days that are marked as having them. Other days are
-- counted from the payments.
create table payment_rollup_parts (
  reseller_id bigint not null,
  day date not null,
  kind text not null,
  -- An hour from 0 to 23; for a seller what functions/payments/seller_of.sql says.
  part text collate "C" not null,
  code smallint not null,
  payments bigint not null,
  face_value bigint not null,
  cost bigint not null,
  constraint payment_rollup_parts_pkey primary key (reseller_id, day, kind, part, code),
  constraint payment_rollup_parts_kind_check check (kind in ('hour', 'seller'))
);

-- Files of payments that members paid, so that their result can be read again and their lines used again.
create table payment_batches (
  reseller_id bigint not null,
  id bigint not null generated always as identity,
  -- Member who paid it. It may have been removed since.
  member_id bigint not null,
  name text not null,
  created_at timestamptz not null default now(),
  schedule_id bigint,
  run integer,
  constraint payment_batches_pkey primary key (reseller_id, id),
  constraint payment_batches_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint payment_batches_name_check check (length(name) <= 100)
);

-- Their lines as the file had them. Identity numbers are not kept.
create table payment_batch_lines (
  reseller_id bigint not null,
  batch_id bigint not null,
  line integer not null,
  refid text collate "C" not null,
  product text not null,
  account text not null,
  amount text not null,
  subproduct_code text,
  biller_code text,
  ref2 text,
  remarks text,
  reference text,
  refusal text,
  constraint payment_batch_lines_pkey primary key (reseller_id, batch_id, line),
  constraint payment_batch_lines_reseller_id_batch_id_fkey foreign key (reseller_id, batch_id) references payment_batches(reseller_id, id) on delete cascade,
  constraint payment_batch_lines_line_check check (line >= 0)
);

-- Most that a member of a reseller may sell in a day or a month, by an owner or a manager. A null is no limit.
create table member_limits (
  reseller_id bigint not null,
  user_id bigint not null,
  period text not null,
  payments bigint,
  -- Sum of face values, 1/10,000 ringgit
  face_value bigint,
  constraint member_limits_pkey primary key (reseller_id, user_id, period),
  constraint member_limits_reseller_id_user_id_fkey foreign key (reseller_id, user_id) references users(reseller_id, id),
  constraint member_limits_check check ((payments is not null) or (face_value is not null)),
  constraint member_limits_face_value_check check (face_value >= 0),
  constraint member_limits_payments_check check (payments >= 0),
  constraint member_limits_period_check check (period in ('day', 'month'))
);

-- Files of payments that the service pays on a day, once or again and again, with nobody at the screen.
create table batch_schedules (
  reseller_id bigint not null,
  id bigint not null generated always as identity,
  -- Member in whose name and within whose right and limits it pays.
  member_id bigint not null,
  -- Address at which that member said so: its right to pay is judged again before each turn.
  sender text not null,
  name text not null,
  every text not null,
  first_at timestamptz not null,
  pays_repeats boolean not null,
  -- What the person confirmed as the most that a run may cost.
  max_cost bigint not null,
  state text not null default 'active'::text,
  reason text,
  -- Runs that have ended.
  runs integer not null default 0,
  -- Time of the next run, or of the one under way.
  run_at timestamptz not null,
  -- Run under way, and the last of its lines that has an end.
  batch_id bigint,
  line integer not null default '-1'::integer,
  failing_since timestamptz,
  next_at timestamptz not null,
  holder uuid,
  created_at timestamptz not null default now(),
  constraint batch_schedules_pkey primary key (reseller_id, id),
  constraint batch_schedules_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint batch_schedules_check check ((state = 'stopped') = (reason is not null)),
  constraint batch_schedules_check1 check ((state = 'active') or ((next_at = 'infinity'::timestamptz) and (holder is null))),
  constraint batch_schedules_every_check check (every in ('once', 'week', 'month')),
  constraint batch_schedules_max_cost_check check (max_cost > 0),
  constraint batch_schedules_name_check check (length(name) <= 100),
  constraint batch_schedules_reason_check check (reason in ('person', 'member', 'account', 'not_allowed', 'balance', 'limit', 'product', 'price', 'unavailable', 'late')),
  constraint batch_schedules_state_check check (state in ('active', 'stopped', 'ended'))
);
create index batch_schedules_due on batch_schedules (next_at) where (state = 'active');

-- Their lines, each with the cost that the person saw: it is the most that the line is paid for.
create table batch_schedule_lines (
  reseller_id bigint not null,
  schedule_id bigint not null,
  line integer not null,
  product text not null,
  account text not null,
  amount text not null,
  subproduct_code text,
  biller_code text,
  ref2 text,
  remarks text,
  reference text,
  cost bigint not null,
  -- Identity number. It goes when the schedule ends.
  sealed_input bytea,
  constraint batch_schedule_lines_pkey primary key (reseller_id, schedule_id, line),
  constraint batch_schedule_lines_reseller_id_schedule_id_fkey foreign key (reseller_id, schedule_id) references batch_schedules(reseller_id, id) on delete cascade,
  constraint batch_schedule_lines_cost_check check (cost > 0),
  constraint batch_schedule_lines_line_check check (line >= 0)
);

-- Tells apart the payments of one millisecond.
create sequence payment_numbers as bigint start 1 increment 1 minvalue 1 maxvalue 4611686018427387904 cycle;

-- Functions:
--   attempt_provider(p_reseller bigint, p_payment bigint, p_attempt smallint) returns text
--   begin_tallies(p_resellers bigint[], p_kinds text[]) returns void
--   close_open_attempts(p_resellers bigint[], p_ids bigint[], p_codes smallint[], p_attempts smallint[], p_leases
--     integer[], p_moved integer[], p_at timestamptz) returns void
--   contradiction_text(p_code smallint, p_attempt smallint, p_found smallint, p_succeeded_attempt smallint) returns
--     text
--   count_back(p_reseller bigint, p_kind text, p_max integer) returns boolean
--   count_payments(p_resellers bigint[], p_accounts text[], p_categories text[], p_purposes bigint[], p_members
--     text[], p_face_values bigint[], p_costs bigint[], p_at timestamptz) returns void
--   counted_day(p_reseller bigint, p_at timestamptz) returns TABLE(day date, moved interval)
--   counted_days(p_resellers bigint[], p_at timestamptz) returns TABLE(reseller_id bigint, day date)
--   counted_member(p_purpose bigint, p_category text, p_member text) returns text
--   counted_month(p_reseller bigint, p_at timestamptz) returns TABLE(first_day date, today date, day_ends timestamptz,
--     month_ends timestamptz, begins_at timestamptz)
--   drifted_counts(p_reseller bigint) returns TABLE(reseller_id bigint, kind text, subject text, day date, category
--     text, expected_payments bigint, expected_face_value bigint, expected_cost bigint, payments bigint, face_value
--     bigint, cost bigint)
--   end_idle_tallies(p_reseller bigint) returns boolean
--   fill_outputs(p_resellers bigint[], p_ids bigint[], p_codes smallint[], p_serials text[], p_expiries text[],
--     p_notes text[], p_sealed_outputs bytea[], p_attempts smallint[], p_evidence text[], p_at timestamptz) returns
--     void
--   find_attempts(p_ids bigint[], p_attempts smallint[]) returns TABLE(reseller_id bigint, payment_id bigint, attempt
--     smallint, attempt_provider text, code smallint, amount bigint, face_value bigint, serial_number text,
--     present_attempt smallint, succeeded_attempt smallint)
--   find_called_payment(p_id bigint) returns TABLE(reseller_id bigint, code smallint, amount bigint, face_value
--     bigint)
--   gauges_of(p_commands integer[], p_resellers bigint[], p_accounts text[], p_categories text[], p_purposes bigint[],
--     p_members text[], p_daily_caps bigint[], p_monthly_caps bigint[], p_at timestamptz) returns TABLE(command
--     integer, counter integer, is_first boolean, name text, max_payments bigint, max_sum bigint, used_payments
--     bigint, used_sum bigint, resets_at timestamptz)
--   hold_failures(p_resellers bigint[], p_ids bigint[], p_codes smallint[], p_failures text[], p_attempts smallint[],
--     p_leases integer[], p_held integer[], p_at timestamptz) returns void
--   hold_payment(p_reseller bigint, p_id bigint) returns smallint
--   is_idle_tally(p_reseller bigint, p_kind text) returns boolean
--   is_refid_taken(p_reseller bigint, p_refid text) returns boolean
--   keep_cost_rates(p_currency text, p_provider text, p_from timestamptz, p_limit integer) returns integer
--   keep_quote(p_reseller bigint, p_id uuid, p_product text, p_product_name text, p_account text, p_amount bigint,
--     p_subproduct text, p_biller text, p_ref2 text, p_plan text, p_sealed_input bytea, p_face_value bigint, p_cost
--     bigint, p_seconds integer, p_open_max integer) returns timestamptz
--   keep_supplier_facts(p_resellers bigint[], p_payments bigint[], p_attempts smallint[], p_providers text[],
--     p_supplier_ids text[], p_currencies text[], p_costs bigint[]) returns void
--   limits_of(p_resellers bigint[]) returns TABLE(reseller_id bigint, set_by text, scope text, period text, category
--     text, payments bigint, face_value bigint)
--   list_sold(p_after bigint, p_before bigint, p_limit integer) returns TABLE(payment_id bigint, attempt smallint)
--   mark_restored(p_restored_to timestamptz, p_log_read_to timestamptz, p_resellers bigint[]) returns bigint
--   note_contradictions(p_resellers bigint[], p_ids bigint[], p_codes smallint[], p_attempts smallint[], p_evidence
--     text[], p_moved integer[], p_at timestamptz) returns SETOF integer
--   note_reversal(p_reseller bigint, p_payment bigint, p_attempt smallint, p_provider text, p_reference text, p_word
--     text, p_evidence text, p_ends boolean) returns text
--   open_late_attempts(p_resellers bigint[], p_ids bigint[], p_codes smallint[], p_attempts smallint[], p_next_ms
--     integer[], p_asked integer[], p_at timestamptz) returns void
--   parts_end_with_sums() returns trigger
--   payment_code(p_reseller bigint, p_id bigint) returns smallint
--   reference_of(p_payment bigint, p_attempt smallint) returns text
--   resellers_near_limits(p_resellers bigint[], p_accounts text[], p_categories text[], p_purposes bigint[], p_members
--     text[], p_face_values bigint[], p_costs bigint[], p_daily_caps bigint[], p_monthly_caps bigint[], p_at
--     timestamptz) returns bigint[]
--   resolve_payments(p_resellers bigint[], p_ids bigint[], p_codes smallint[], p_failures text[], p_serials text[],
--     p_expiries text[], p_notes text[], p_sealed_outputs bytea[], p_next_ms integer[], p_attempts smallint[],
--     p_evidence text[], p_leases integer[]) returns TABLE(command integer, balance bigint, is_contradiction boolean)
--   seller_of(p_purpose bigint, p_member text) returns text
--   take_payments(p_digests uuid[], p_request_ids uuid[], p_signed_at double precision[], p_skew_seconds integer,
--     p_resellers bigint[], p_refids text[], p_products text[], p_product_names text[], p_accounts text[],
--     p_canonical_accounts text[], p_amounts bigint[], p_face_values bigint[], p_costs bigint[], p_subproducts text[],
--     p_billers text[], p_ref2s text[], p_plans text[], p_sealed_inputs bytea[], p_remarks text[], p_senders text[],
--     p_members text[], p_providers text[], p_due_seconds integer[], p_lease_ms integer, p_stock boolean[],
--     p_route_notes text[], p_looks boolean[], p_asked_at bigint[], p_received_at double precision[], p_not_after
--     double precision[], p_quotes uuid[], p_duplicate_seconds integer[], p_categories text[], p_purposes bigint[],
--     p_max_costs bigint[], p_daily_caps bigint[], p_monthly_caps bigint[]) returns TABLE(command integer, verdict
--     text, balance bigint, id bigint, rejected_ms double precision, reached jsonb)
--   tally_between(p_reseller bigint, p_kind text, p_from bigint, p_until bigint) returns TABLE(subject text, day date,
--     category text, payments bigint, face_value bigint, cost bigint)
--   told_costs(p_reseller bigint, p_first bigint, p_behind bigint) returns TABLE(payment_id bigint, ringgit bigint)
--   uncount_payments(p_resellers bigint[], p_ids bigint[]) returns void

-- ── portal ──

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
  -- The canonical string of a refused signature; bound to account and id. It is sealed because it holds the query, and
  -- cut at 8,192 characters. null: the request was not refused for its signature.
  sealed_canonical bytea,
  -- Requests to pay are found again by the payment that they were about. Nodes of the version before leave these columns
  -- empty.
  -- The caller's name of the payment; null: the request was no request to pay, or could not be read.
  refid text,
  -- The payment that the answer was about; null: none was made.
  payment_id bigint,
  -- The code of a payment that was rejected; its remarks are in "error".
  code smallint,
  constraint request_log_pkey primary key (account, id)
);
-- Finds rows that are too old.
create index request_log_age on request_log (id);
create index request_log_errors on request_log (account, error, id) where (error is not null);
-- Find the few failed requests among many.
create index request_log_failed on request_log (account, id) where (status >= 400);

-- The first signed request of an account that was answered well, for its checklist. The request log forgets after some
-- days, and after a crash.
create table first_signed_calls (
  account text collate "C" not null,
  at timestamptz not null,
  constraint first_signed_calls_pkey primary key (account)
);

-- ── providers ──

-- One row: the version of connections and routes together. Nodes read it every second.
create table provider_version (
  is_only boolean not null default true,
  version bigint not null,
  constraint provider_version_pkey primary key (is_only),
  constraint provider_version_is_only_check check (is_only)
);

create table provider_connections (
  code text collate "C" not null,
  -- The connector that speaks to it.
  kind text collate "C" not null,
  name text not null,
  is_enabled boolean not null,
  -- In the form that its connector reads. Secrets are named here, and their values stand in sealed_secrets.
  config jsonb not null,
  -- Name → value as JSON; bound to the code.
  sealed_secrets bytea,
  -- Name → when it was last set, so that secrets can be listed without being opened.
  secret_names jsonb not null default '{}'::jsonb,
  -- Override the connector's own limits: concurrency, rate_per_second, breaker.
  limits jsonb not null default '{}'::jsonb,
  -- An operator is alerted when our money there falls below this.
  float_alert bigint,
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A connection that one person alone added or changed: a second person decides before it takes orders.
  is_prepared_alone boolean not null default false,
  -- Version of the last change that may have led to another supplier, or to another account there.
  account_version bigint not null default 0,
  constraint provider_connections_pkey primary key (code),
  constraint provider_connections_code_check check (code ~ '^[a-z0-9][a-z0-9_-]{0,39}$'),
  constraint provider_connections_float_alert_check check (float_alert >= 0)
);
create trigger written_once before insert or delete or update or truncate on provider_connections
  for each statement execute function written_once();

-- A product with routes of its own uses these alone, whether they are enabled or not. '*' is for all other products.
create table provider_routes (
  product_code text collate "C" not null,
  provider text collate "C" not null,
  priority integer not null,
  -- null: routes of this priority are chosen by cost
  weight integer,
  -- The provider's charge: 1/10,000 of the face value, or an amount per order. null: not known
  cost_kind text,
  cost_value bigint,
  -- [{ days, from, to }] by GMT+8; empty: always
  windows jsonb not null default '[]'::jsonb,
  is_enabled boolean not null,
  updated_at timestamptz not null,
  constraint provider_routes_pkey primary key (product_code, provider),
  constraint provider_routes_provider_fkey foreign key (provider) references provider_connections(code),
  constraint provider_routes_check check ((cost_kind is null) = (cost_value is null)),
  constraint provider_routes_cost_kind_check check (cost_kind in ('percentage', 'fixed')),
  constraint provider_routes_cost_value_check check (cost_value >= 0),
  constraint provider_routes_priority_check check ((priority >= 1) and (priority <= 1000)),
  constraint provider_routes_weight_check check ((weight >= 0) and (weight <= 1000))
);
create index provider_routes_provider on provider_routes (provider);
create trigger written_once before insert or delete or update or truncate on provider_routes
  for each statement execute function written_once();

-- Each node's recent measurements, written every few seconds. They are worth nothing after a crash.
create unlogged table provider_health (
  provider text collate "C" not null,
  node text collate "C" not null,
  state text not null,
  orders integer not null,
  answered integer not null,
  timeouts integer not null,
  not_acted integer not null,
  p50_ms integer,
  p95_ms integer,
  at timestamptz not null,
  constraint provider_health_pkey primary key (provider, node),
  constraint provider_health_state_check check (state in ('closed', 'open', 'half_open'))
);

-- The amount of our money that a provider last reported, and the turn to ask for it.
create table provider_floats (
  provider text collate "C" not null,
  -- null: the provider never reported one
  amount bigint,
  read_at timestamptz,
  -- Since when the provider gives no answer, and the latest reason.
  failing_since timestamptz,
  trouble text,
  -- Nobody asks before this instant, so that one node asks at a time.
  next_at timestamptz not null,
  -- The currency of what is left at a supplier, by ISO 4217. Its alert threshold is in the same currency.
  currency text not null default 'MYR'::text,
  constraint provider_floats_pkey primary key (provider)
);

-- Readings of the last days, from which the rate of trading is computed.
create table provider_float_readings (
  provider text collate "C" not null,
  at timestamptz not null,
  amount bigint not null,
  currency text not null default 'MYR'::text,
  constraint provider_float_readings_pkey primary key (provider, at)
);

-- The key of the stock's fingerprints: random, created once and sealed by the vault. Without the master key nobody can
-- find out by trying which PINs are in the database.
create table stock_keys (
  singleton boolean not null default true,
  sealed_key bytea not null,
  created_at timestamptz not null default now(),
  constraint stock_keys_pkey primary key (singleton),
  constraint stock_keys_singleton_check check (singleton)
);

-- One file that was loaded, all of it or nothing, with its withdrawal if there was one.
create table stock_batches (
  id bigint not null generated always as identity,
  product_code text collate "C" not null,
  -- null: the file gives it line by line
  denomination bigint,
  file_name text not null,
  items integer not null,
  loaded_by text not null,
  loaded_at timestamptz not null default now(),
  withdrawn_by text,
  withdrawn_reason text,
  withdrawn_at timestamptz,
  constraint stock_batches_pkey primary key (id),
  constraint stock_batches_check check (num_nonnulls(withdrawn_by, withdrawn_reason, withdrawn_at) = any (array[0, 3])),
  constraint stock_batches_denomination_check check (denomination > 0),
  constraint stock_batches_items_check check (items > 0)
);

-- PINs and links, sold one by one. An item is bound to its payment in the commit that takes the payment, and that is
-- its sale: whatever becomes of the payment, an item that may have been shown to somebody is never free again.
-- Payments touch the stock through reserve_stock, bind_stock and spend_stock alone. The key does not begin with a
-- reseller, because an item belongs to nobody until it is sold.
create table stock_items (
  id bigint not null generated always as identity,
  batch_id bigint not null,
  product_code text collate "C" not null,
  -- The amount that a payment names.
  denomination bigint not null,
  -- PIN, serial number and link; bound to the fingerprint
  sealed bytea not null,
  -- Of the PIN, or of the link if there is no PIN. Nothing is ever loaded twice.
  fingerprint bytea not null,
  -- The last day of its use. It is never null, so that expired items are a range of the index.
  expiry date not null default 'infinity'::date,
  -- The sale. null: the item is free.
  reseller_id bigint,
  payment_id bigint,
  bound_at timestamptz,
  -- The payment failed or was voided: its money went back, and the item is gone all the same.
  spent_at timestamptz,
  withdrawn_at timestamptz,
  constraint stock_items_pkey primary key (id),
  constraint stock_items_fingerprint unique (fingerprint),
  constraint stock_items_batch_id_fkey foreign key (batch_id) references stock_batches(id),
  constraint stock_items_check check (num_nonnulls(reseller_id, payment_id, bound_at) = any (array[0, 3])),
  constraint stock_items_check1 check ((payment_id is not null) or (spent_at is null)),
  constraint stock_items_check2 check ((payment_id is null) or (withdrawn_at is null)),
  constraint stock_items_denomination_check check (denomination > 0)
  -- Vacuumed early: sold items stay in the way to free ones until they are swept out of the index.
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- The next item to sell is the first of its product and denomination that has not expired. Sold and withdrawn items are
-- not in the index: it is as small as the free stock, even with a million items of which most are sold.
create index stock_items_free on stock_items (product_code, denomination, expiry, id) where ((payment_id is null) and (withdrawn_at is null));
-- The last guard: a payment has one item, whatever goes wrong above the database.
create unique index stock_items_payment on stock_items (payment_id) where (payment_id is not null);
create trigger stock_items_kept before delete or truncate on stock_items
  for each statement execute function stock_is_kept();
create trigger stock_items_sold_once before update of reseller_id, payment_id, bound_at, sealed, fingerprint on stock_items
  for each row when ((old.payment_id is not null)) execute function stock_is_kept();

-- An operator is alerted when fewer items than this are free.
create table stock_levels (
  product_code text collate "C" not null,
  denomination bigint not null,
  items_min integer not null,
  constraint stock_levels_pkey primary key (product_code, denomination),
  constraint stock_levels_denomination_check check (denomination > 0),
  constraint stock_levels_items_min_check check (items_min > 0)
);

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
  constraint provider_health_intervals_pkey primary key (provider, at, node)
);
-- Serves the sweep.
create index provider_health_intervals_age on provider_health_intervals (at);

create table provider_packs (
  provider text collate "C" not null,
  pack text collate "C" not null,
  version integer not null,
  -- Name → value, as the operator gave them.
  settings jsonb not null,
  -- Configuration as the pack made it: a difference from the connection's own is a person's change.
  made jsonb not null,
  updated_at timestamptz not null,
  constraint provider_packs_pkey primary key (provider),
  constraint provider_packs_provider_fkey foreign key (provider) references provider_connections(code) on delete cascade,
  constraint provider_packs_version_check check (version > 0)
);
create trigger written_once before insert or delete or update or truncate on provider_packs
  for each statement execute function written_once();

-- The latest result of each claim at each trial, without any of the supplier's own words.
create table provider_proofs (
  provider text collate "C" not null,
  at timestamptz not null,
  claim text collate "C" not null,
  result text not null,
  says text not null,
  proved_by text not null,
  constraint provider_proofs_pkey primary key (provider, at, claim),
  constraint provider_proofs_provider_fkey foreign key (provider) references provider_connections(code) on delete cascade,
  constraint provider_proofs_result_check check (result in ('held', 'did_not_hold', 'not_tried'))
);

-- Words in answers that the connection's tables do not know. The sample has no secret, no account and no PIN in it.
create table provider_unknown_answers (
  id bigint not null generated always as identity,
  provider text collate "C" not null,
  operation text not null,
  path text not null,
  value text not null,
  count bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  sample text not null,
  constraint provider_unknown_answers_pkey primary key (provider, operation, path, value),
  constraint provider_unknown_answers_id_key unique (id),
  constraint provider_unknown_answers_provider_fkey foreign key (provider) references provider_connections(code) on delete cascade,
  constraint provider_unknown_answers_count_check check (count > 0),
  constraint provider_unknown_answers_operation_check check (operation in ('submit', 'query', 'void', 'fetch', 'callback'))
);

-- Answers by which providers refused orders, by day of GMT+8, the provider's own word and our code.
create table provider_refusals (
  provider text collate "C" not null,
  day date not null,
  outcome text not null,
  -- Empty: it gave no word. An ellipsis: further words of the day.
  word text collate "C" not null,
  code smallint not null,
  count bigint not null,
  last_at timestamptz not null,
  constraint provider_refusals_pkey primary key (provider, day, outcome, word, code),
  constraint provider_refusals_provider_fkey foreign key (provider) references provider_connections(code) on delete cascade,
  constraint provider_refusals_count_check check (count > 0),
  constraint provider_refusals_outcome_check check (outcome in ('failed', 'not_acted'))
);

-- Functions:
--   bind_stock(p_items bigint[], p_resellers bigint[], p_payments bigint[], p_at timestamptz) returns void
--   reserve_stock(p_products text[], p_denominations bigint[]) returns TABLE(product_code text, denomination bigint,
--     id bigint)
--   spend_stock(p_payments bigint[]) returns void
--   stock_is_kept() returns trigger

-- ── rates ──

-- Ringgit for one unit of another currency, from a time on. Rows are only added: what was in force stays in force for
-- the time that is over.
create table currency_rates (
  id bigint not null generated always as identity,
  currency text not null,
  rate numeric(17,8) not null,
  from_at timestamptz not null,
  reason text not null,
  set_by text not null,
  approved_by text,
  set_at timestamptz not null default clock_timestamp(),
  constraint currency_rates_pkey primary key (id),
  constraint currency_rates_currency_check check ((currency ~ '^[A-Z]{3}$') and (currency <> 'MYR')),
  constraint currency_rates_rate_check check (rate > (0)::numeric)
);
create index currency_rates_by_time on currency_rates (currency, from_at DESC, id DESC);
create trigger currency_rates_immutable before delete or update or truncate on currency_rates
  for each statement execute function rates_are_immutable();
create trigger written_once before insert or delete or update or truncate on currency_rates
  for each statement execute function written_once();

-- Functions:
--   rate_at(p_currency text, p_at timestamptz) returns numeric
--   rates_are_immutable() returns trigger

-- ── receipts ──

-- What a customer is given of a payment: made when somebody first asks for it, signed anew when the payment is voided.
create table receipts (
  reseller_id bigint not null,
  payment_id bigint not null,
  -- Short enough to read out on the telephone.
  number text collate "C" not null,
  -- Whoever has it sees the receipt's page.
  token text collate "C" not null,
  -- Serial and PIN are signed by a digest with it. It stays here: a PIN is short enough to be guessed by its digest.
  salt bytea not null,
  -- Code of the payment that was signed
  code smallint not null,
  kid text collate "C" not null,
  jws text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint receipts_pkey primary key (reseller_id, payment_id),
  constraint receipts_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint receipts_number_check check (number ~ '^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$'),
  constraint receipts_salt_check check (length(salt) = 32)
);
create unique index receipts_number on receipts (reseller_id, number);
create unique index receipts_token on receipts (token);

-- Public keys by which receipts were signed. A receipt is verified for years, after its key signs nothing any more.
create table receipt_keys (
  kid text collate "C" not null,
  public_jwk jsonb not null,
  constraint receipt_keys_pkey primary key (kid)
);

-- What stands on every receipt of a shop besides the payment.
create table receipt_headers (
  reseller_id bigint not null,
  -- Name on the slip; empty: that of the account.
  name text not null,
  address text not null,
  registration_number text not null,
  footer text not null,
  -- A small PNG; null: none.
  logo bytea,
  updated_at timestamptz not null default clock_timestamp(),
  constraint receipt_headers_pkey primary key (reseller_id),
  constraint receipt_headers_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint receipt_headers_address_check check (length(address) <= 200),
  constraint receipt_headers_footer_check check (length(footer) <= 200),
  constraint receipt_headers_logo_check check (length(logo) <= 24576),
  constraint receipt_headers_name_check check (length(name) <= 80),
  constraint receipt_headers_registration_number_check check (length(registration_number) <= 40)
);

-- ── sessions ──

create table sessions (
  id bigint not null generated always as identity,
  digest bytea not null,
  kind text not null,
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
  ended_at timestamptz,
  -- The passkey that opened the session, or that was registered in it. null: a password alone opened it.
  passkey_id bigint,
  -- The last time that the session's person proved in it who they are. Signing in is no such proof. null: never.
  proven_at timestamptz,
  -- Sessions at a shared till end earlier, and those that a PIN opened may do less.
  shared_till_id bigint,
  is_by_pin boolean not null default false,
  idle_seconds integer,
  constraint sessions_pkey primary key (id),
  constraint sessions_digest_key unique (digest),
  constraint sessions_by_pin_check check ((shared_till_id is not null) or (not is_by_pin)),
  constraint sessions_kind_check check (kind in ('operator', 'member')),
  constraint sessions_till_check check ((shared_till_id is null) = (idle_seconds is null))
);
create index sessions_expires_at on sessions (expires_at);
create index sessions_of_person on sessions (person_id, reseller_id, kind) where (ended_at is null);

-- One per person. It counts from its confirmation on: before that nobody knows whether the secret arrived.
create table second_factors (
  kind text not null,
  reseller_id bigint not null,
  person_id bigint not null,
  sealed_secret bytea not null,
  confirmed_at timestamptz,
  -- The newest time step of an accepted code: no code is accepted twice, and no older one.
  last_step bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  constraint second_factors_pkey primary key (kind, reseller_id, person_id),
  constraint second_factors_kind_check check (kind in ('operator', 'member'))
);

create table recovery_codes (
  kind text not null,
  reseller_id bigint not null,
  person_id bigint not null,
  digest bytea not null,
  used_at timestamptz,
  constraint recovery_codes_pkey primary key (kind, reseller_id, person_id, digest),
  constraint recovery_codes_kind_reseller_id_person_id_fkey foreign key (kind, reseller_id, person_id) references second_factors(kind, reseller_id, person_id) on delete cascade
);

-- Requests for a new password, from known and unknown names alike, so that the answer reveals no names. A job does the
-- rest.
create table password_reset_requests (
  kind text not null,
  login text not null,
  requested_at timestamptz not null default clock_timestamp(),
  constraint password_reset_requests_pkey primary key (kind, login),
  constraint password_reset_requests_kind_check check (kind in ('operator', 'member')),
  constraint password_reset_requests_login_check check (length(login) <= 254)
);

create table password_resets (
  digest bytea not null,
  kind text not null,
  reseller_id bigint not null,
  person_id bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint password_resets_pkey primary key (digest),
  constraint password_resets_kind_check check (kind in ('operator', 'member'))
);
create index password_resets_expires_at on password_resets (expires_at);
create index password_resets_of_person on password_resets (person_id, reseller_id, kind, created_at);

create table invitations (
  reseller_id bigint not null,
  id bigint not null generated always as identity,
  digest bytea not null,
  email text not null,
  role text not null,
  invited_by bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by bigint,
  revoked_at timestamptz,
  constraint invitations_pkey primary key (reseller_id, id),
  constraint invitations_digest_key unique (digest),
  constraint invitations_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint invitations_role_check check (role in ('admin', 'manager', 'cashier', 'accountant', 'viewer'))
);
create index invitations_expires_at on invitations (expires_at);
create index invitations_of_reseller on invitations (reseller_id, created_at);
create index invitations_to_address on invitations (lower(email), created_at);

-- Tokens for an operator's scripts. A token may do the lesser of its own role and its operator's.
create table operator_tokens (
  id bigint not null generated always as identity,
  digest bytea not null,
  operator_id bigint not null,
  label text not null,
  role text not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  constraint operator_tokens_pkey primary key (id),
  constraint operator_tokens_digest_key unique (digest),
  constraint operator_tokens_operator_id_fkey foreign key (operator_id) references operators(id),
  constraint operator_tokens_role_check check (role in ('admin', 'finance', 'support', 'catalogue', 'read_only'))
);
create index operator_tokens_of_operator on operator_tokens (operator_id, id);

-- Browsers and networks from which a person has signed in. Of the secret in a browser's cookie only the digest is kept.
create table sign_in_devices (
  reseller_id bigint not null,
  person_id bigint not null,
  kind text not null,
  what text not null,
  digest bytea not null,
  -- The person's value when they signed in: a device is known until the password changes.
  password_changed_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz not null default clock_timestamp(),
  constraint sign_in_devices_pkey primary key (reseller_id, person_id, kind, what, digest),
  constraint sign_in_devices_kind_check check (kind in ('operator', 'member')),
  constraint sign_in_devices_what_check check (what in ('browser', 'network'))
);
create index sign_in_devices_last_used_at on sign_in_devices (last_used_at);

-- A public key whose private half stays in the person's device. It is no secret, so it is not sealed.
create table passkeys (
  kind text not null,
  reseller_id bigint not null,
  person_id bigint not null,
  id bigint not null generated always as identity,
  credential_id bytea not null,
  public_key bytea not null,
  -- The device's count of its signatures, 0 where it does not count. A count that goes back is the mark of a copy.
  counter bigint not null,
  transports text[] not null,
  label text not null,
  -- The device's word that the key is kept in more than one place.
  is_backed_up boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  constraint passkeys_pkey primary key (kind, reseller_id, person_id, id),
  constraint passkeys_credential_id_key unique (credential_id),
  constraint passkeys_counter_check check (counter >= 0),
  constraint passkeys_credential_id_check check ((length(credential_id) >= 1) and (length(credential_id) <= 1023)),
  constraint passkeys_kind_check check (kind in ('operator', 'member'))
);

-- Random bytes that a device is asked to sign. A row is deleted by the first answer, right or wrong, so no answer counts
-- twice. Registering belongs to a person's session; for signing in there is no person yet, and the ids are 0.
create table passkey_challenges (
  digest bytea not null,
  purpose text not null,
  kind text not null,
  reseller_id bigint not null,
  person_id bigint not null,
  -- The session that asked; empty for signing in.
  credential text not null,
  challenge bytea not null,
  expires_at timestamptz not null,
  constraint passkey_challenges_pkey primary key (digest),
  constraint passkey_challenges_kind_check check (kind in ('operator', 'member')),
  constraint passkey_challenges_purpose_check check (purpose in ('register', 'sign_in', 'prove'))
);
create index passkey_challenges_expires_at on passkey_challenges (expires_at);

-- Browsers that an owner or a manager made a shared till: whoever has a PIN may take over there. The browser keeps the
-- secret in a cookie.
create table shared_tills (
  reseller_id bigint not null,
  id bigint not null generated always as identity,
  name text not null,
  digest bytea not null,
  -- Seconds without a key or a touch after which the till locks itself
  idle_seconds integer not null,
  opened_by bigint not null,
  -- Wrong PINs of everybody since `failing_since`
  failures integer not null default 0,
  failing_since timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz not null default clock_timestamp(),
  closed_at timestamptz,
  constraint shared_tills_pkey primary key (reseller_id, id),
  constraint shared_tills_digest_key unique (digest),
  constraint shared_tills_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint shared_tills_reseller_id_opened_by_fkey foreign key (reseller_id, opened_by) references users(reseller_id, id),
  constraint shared_tills_failures_check check (failures >= 0),
  constraint shared_tills_idle_seconds_check check ((idle_seconds >= 30) and (idle_seconds <= 3600))
);
create trigger shared_tills_end_sessions after update on shared_tills
  for each row when (((old.closed_at is null) and (new.closed_at is not null))) execute function shared_tills_end_sessions();

-- PINs of members, sealed after they were hashed: whoever copies the table can guess none of them.
create table member_pins (
  reseller_id bigint not null,
  user_id bigint not null,
  sealed_hash bytea not null,
  -- The member's value when the PIN was set. A PIN outlives no change of the password.
  password_changed_at timestamptz not null,
  set_at timestamptz not null default clock_timestamp(),
  constraint member_pins_pkey primary key (reseller_id, user_id),
  constraint member_pins_reseller_id_user_id_fkey foreign key (reseller_id, user_id) references users(reseller_id, id)
);
create trigger member_pins_end_sessions after delete or update on member_pins
  for each row execute function member_pins_end_sessions();

-- Wrong PINs of a member at one shared till, since the last right one. A guess is counted before it is judged.
create table pin_failures (
  reseller_id bigint not null,
  shared_till_id bigint not null,
  user_id bigint not null,
  failures integer not null,
  constraint pin_failures_pkey primary key (reseller_id, shared_till_id, user_id),
  constraint pin_failures_reseller_id_shared_till_id_fkey foreign key (reseller_id, shared_till_id) references shared_tills(reseller_id, id),
  constraint pin_failures_reseller_id_user_id_fkey foreign key (reseller_id, user_id) references users(reseller_id, id),
  constraint pin_failures_failures_check check (failures >= 0)
);

-- Everybody who signs in with a password. Operators belong to no reseller; their reseller_id is 0. Resellers are joined
-- outside of the union: PostgreSQL would compute a branch that is a join as a whole before it looks for one person.
create view people as
 SELECT x.kind,
    x.reseller_id,
    x.id,
    x.login,
    x.email,
    x.name,
    x.role,
    (x.status = 'active'::text) AS is_active,
    COALESCE(x.demo, r.demo) AS is_demo,
    x.password_hash,
    x.password_changed_at,
    COALESCE(r.account, ''::text) AS account,
    COALESCE(r.name, ''::text) AS reseller_name
   FROM (( SELECT 'operator'::text AS kind,
            (0)::bigint AS reseller_id,
            operators.id,
            operators.email AS login,
            operators.email,
            operators.name,
            operators.role,
            operators.status,
            operators.demo,
            operators.password_hash,
            operators.password_changed_at
           FROM operators
        UNION ALL
         SELECT 'member'::text,
            users.reseller_id,
            users.id,
            users.username,
            users.email,
            users.username,
            users.role,
            users.status,
            NULL::boolean AS bool,
            users.password_hash,
            users.password_changed_at
           FROM users) x
     LEFT JOIN resellers r ON ((r.id = x.reseller_id)));

-- Functions:
--   end_sessions_of(p_kind text, p_reseller bigint, p_person bigint) returns void
--   member_pins_end_sessions() returns trigger
--   operators_end_sessions() returns trigger
--   shared_tills_end_sessions() returns trigger
--   users_end_sessions() returns trigger

-- ── settlement ──

-- A file as it was imported.
create table settlement_files (
  id bigint not null generated always as identity,
  provider text collate "C" not null,
  day date not null,
  name text not null,
  -- SHA-256 of its bytes: the same file is imported once.
  digest bytea not null,
  mapping jsonb not null,
  lines bigint not null,
  imported_at timestamptz not null,
  -- The number of comparisons so far. A difference records the comparison that saw it last.
  runs integer not null default 0,
  compared_at timestamptz,
  -- The file should not have been imported: it stays, and counts for nothing.
  withdrawn_at timestamptz,
  withdrawn_reason text,
  -- Sums of a file that lists what the supplier took, over its orders whose answer said it too: in the file's currency and
  -- in ringgit. null: not compared yet, or the file lists amounts of payments.
  theirs_sum bigint,
  ours_sum bigint,
  theirs_ringgit bigint,
  ours_ringgit bigint,
  told_lines bigint,
  untold_lines bigint,
  constraint settlement_files_pkey primary key (id),
  constraint settlement_files_check check ((withdrawn_at is null) = (withdrawn_reason is null))
);
create index settlement_files_day on settlement_files (day, provider);
create unique index settlement_files_once on settlement_files (provider, digest) where (withdrawn_at is null);

create table settlement_lines (
  file_id bigint not null,
  line integer not null,
  provider text collate "C" not null,
  -- As in the file: our reference, or the provider's own.
  reference text collate "C" not null,
  -- The payment and attempt that the reference names. null: none, or not found yet.
  payment_id bigint,
  attempt smallint,
  amount bigint not null,
  state text not null,
  serial_number text not null,
  at timestamptz,
  constraint settlement_lines_pkey primary key (file_id, line),
  constraint settlement_lines_file_id_fkey foreign key (file_id) references settlement_files(id),
  constraint settlement_lines_state_check check (state in ('succeeded', 'failed', 'pending'))
);
create index settlement_lines_payment on settlement_lines (payment_id, provider, attempt) where (payment_id is not null);
create index settlement_lines_reference on settlement_lines (reference, file_id);

-- Disagreements between the provider's account and ours. A difference that agrees by now, or was accepted, is closed
-- and stays.
create table settlement_differences (
  id bigint not null generated always as identity,
  file_id bigint not null,
  kind text not null,
  -- 0: the file has no line for it
  line integer not null,
  reference text collate "C" not null,
  reseller_id bigint,
  payment_id bigint,
  attempt smallint,
  theirs text not null,
  ours text not null,
  found_at timestamptz not null,
  seen_run integer not null,
  closed_at timestamptz,
  closed_as text,
  reason text,
  -- Both sides of a difference in ringgit, by the rate that is kept with the cost. null: the file is in ringgit, or there is
  -- no rate.
  theirs_ringgit bigint,
  ours_ringgit bigint,
  constraint settlement_differences_pkey primary key (id),
  constraint settlement_differences_file_id_kind_line_reference_key unique (file_id, kind, line, reference),
  constraint settlement_differences_file_id_fkey foreign key (file_id) references settlement_files(id),
  constraint settlement_differences_check check ((closed_at is null) = (closed_as is null)),
  constraint settlement_differences_closed_as_check check (closed_as in ('agrees', 'accepted', 'withdrawn')),
  constraint settlement_differences_kind_check check (kind in ('missing_here', 'missing_there', 'amount', 'state', 'duplicate_there'))
);
create index settlement_differences_missing on settlement_differences (payment_id) where ((kind = 'missing_there') and (closed_at is null));
create index settlement_differences_open on settlement_differences (file_id, id) where (closed_at is null);

-- ── tills ──

-- Places at which a shop sells.
create table branches (
  reseller_id bigint not null,
  id bigint not null generated always as identity,
  name text not null,
  -- Payments go on naming a place that is not used any more.
  is_retired boolean not null default false,
  constraint branches_pkey primary key (reseller_id, id),
  constraint branches_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint branches_name_check check ((length(name) >= 1) and (length(name) <= 40))
);
create unique index branches_name on branches (reseller_id, name);

-- Counters of a branch, each with its drawer of cash.
create table tills (
  reseller_id bigint not null,
  id bigint not null generated always as identity,
  branch_id bigint not null,
  name text not null,
  is_retired boolean not null default false,
  -- Digest of the secret in the browser that is this till; null: none is.
  browser_digest bytea,
  -- Number of the last Z report.
  last_number integer not null default 0,
  constraint tills_pkey primary key (reseller_id, id),
  constraint tills_reseller_id_branch_id_fkey foreign key (reseller_id, branch_id) references branches(reseller_id, id),
  constraint tills_name_check check ((length(name) >= 1) and (length(name) <= 40))
);
create unique index tills_browser on tills (reseller_id, browser_digest);
create unique index tills_name on tills (reseller_id, branch_id, name);

-- What the owner of a shop wants at its tills.
create table till_settings (
  reseller_id bigint not null,
  -- True: members sell in a shift alone.
  requires_shift boolean not null,
  constraint till_settings_pkey primary key (reseller_id),
  constraint till_settings_reseller_id_fkey foreign key (reseller_id) references resellers(id)
);

-- Shifts of a till. The columns of its end are the Z report: they are there together or not at all. Times are in
-- milliseconds, as in the ids of payments.
create table shifts (
  reseller_id bigint not null,
  id bigint not null generated always as identity,
  till_id bigint not null,
  opened_by bigint not null,
  opened_ms bigint not null,
  -- Amounts of cash, 1/10,000 ringgit
  float_amount bigint not null,
  number integer,
  closed_by bigint,
  closed_ms bigint,
  counted bigint,
  expected bigint,
  constraint shifts_pkey primary key (reseller_id, id),
  constraint shifts_reseller_id_till_id_fkey foreign key (reseller_id, till_id) references tills(reseller_id, id),
  constraint shifts_check check (closed_ms > opened_ms),
  constraint shifts_check1 check (num_nulls(number, closed_by, closed_ms, counted, expected) = any (array[0, 5])),
  constraint shifts_counted_check check (counted >= 0),
  constraint shifts_float_amount_check check (float_amount >= 0)
);
create unique index shifts_number on shifts (reseller_id, till_id, number);
create unique index shifts_open on shifts (reseller_id, till_id) where (number is null);

-- Stretches of time in which a member sold in a shift. A payment is of the shift, and so of the till and the branch, in
-- whose stretch its member took it: nothing is written when it is taken. One member is in one shift at a time.
create table shift_stays (
  reseller_id bigint not null,
  shift_id bigint not null,
  member_id bigint not null,
  from_ms bigint not null,
  -- null: the shift is open
  until_ms bigint,
  constraint shift_stays_pkey primary key (reseller_id, shift_id, member_id),
  constraint shift_stays_reseller_id_member_id_fkey foreign key (reseller_id, member_id) references users(reseller_id, id),
  constraint shift_stays_reseller_id_shift_id_fkey foreign key (reseller_id, shift_id) references shifts(reseller_id, id),
  constraint shift_stays_check check (until_ms > from_ms)
);
create unique index shift_stays_open on shift_stays (reseller_id, member_id) where (until_ms is null);
create index shift_stays_until on shift_stays (reseller_id, until_ms);

-- Cash that went into a drawer or out of it without a sale, and takings that are not in it.
create table shift_movements (
  reseller_id bigint not null,
  shift_id bigint not null,
  id bigint not null generated always as identity,
  member_id bigint not null,
  kind text not null,
  amount bigint not null,
  reason text not null,
  at timestamptz not null default clock_timestamp(),
  constraint shift_movements_pkey primary key (reseller_id, shift_id, id),
  constraint shift_movements_reseller_id_shift_id_fkey foreign key (reseller_id, shift_id) references shifts(reseller_id, id),
  constraint shift_movements_amount_check check (amount > 0),
  constraint shift_movements_kind_check check (kind in ('pay_in', 'pay_out', 'not_cash')),
  constraint shift_movements_reason_check check ((length(reason) >= 1) and (length(reason) <= 100))
);

-- Sales of a Z report, by who sold them and the category of the product.
create table shift_sales (
  reseller_id bigint not null,
  shift_id bigint not null,
  member_id bigint not null,
  category text collate "C" not null,
  payments bigint not null,
  -- Sum of face values, 1/10,000 ringgit
  face_value bigint not null,
  constraint shift_sales_pkey primary key (reseller_id, shift_id, member_id, category),
  constraint shift_sales_reseller_id_shift_id_fkey foreign key (reseller_id, shift_id) references shifts(reseller_id, id),
  constraint shift_sales_face_value_check check (face_value > 0),
  constraint shift_sales_payments_check check (payments > 0)
);

-- ── wallet ──

create table wallets (
  reseller_id bigint not null,
  balance bigint not null default 0,
  -- The number of the last entry. Entries have no gaps.
  sequence bigint not null default 0,
  -- No entry is dated before this instant, even if the clock was set back or a failover led to another server's clock.
  last_entry_at timestamptz not null default '-infinity'::timestamptz,
  constraint wallets_pkey primary key (reseller_id),
  constraint wallets_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint wallets_balance_check check (balance >= 0)
) with (fillfactor = 50, autovacuum_analyze_threshold = 100000, autovacuum_vacuum_threshold = 10000);
create trigger wallets_kept before delete or truncate on wallets
  for each statement execute function wallets_are_kept();

-- Double entry: each row moves `amount` between the wallet and one house account. Rows are never changed or deleted,
-- only corrected by another row. There is no foreign key to the wallet, because its check would cost more than the
-- entry: post_entries refuses an entry without a wallet.
create table transfers (
  reseller_id bigint not null,
  sequence bigint not null,
  kind text not null,
  house_account text not null,
  amount bigint not null,
  balance_after bigint not null,
  payment_id bigint,
  -- The caller's own name for a deposit or adjustment. Two requests with one reference are one entry.
  reference text,
  remarks text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint transfers_pkey primary key (reseller_id, sequence),
  constraint transfers_amount_check check (amount <> 0),
  constraint transfers_balance_after_check check (balance_after >= 0),
  constraint transfers_house_account_check check (house_account in ('bank', 'adjustments', 'commissions', 'provider_clearing')),
  constraint transfers_kind_check check (kind in ('deposit', 'adjustment', 'commission', 'payment', 'refund')),
  constraint transfers_reference_check check ((length(reference) >= 1) and (length(reference) <= 100)),
  constraint transfers_sequence_check check (sequence > 0)
) with (autovacuum_analyze_threshold = 100000, autovacuum_vacuum_threshold = 100000, autovacuum_vacuum_insert_threshold = 100000);
-- The last guard: no payment is refunded twice, whatever goes wrong above the database.
create unique index transfers_one_refund on transfers (reseller_id, payment_id) where (kind = 'refund');
-- Finds the entries of a year's statement that are no payments. Payments themselves pay nothing for it.
create index transfers_others on transfers (reseller_id, sequence) include (kind, amount) where (kind <> 'payment');
create unique index transfers_reference on transfers (reseller_id, reference) where (reference is not null);
create trigger transfers_immutable before delete or update or truncate on transfers
  for each statement execute function transfers_are_immutable();

-- The hash chain over each wallet's entries, computed behind them. The hashes are keyed: somebody who can write the
-- database but has no master key cannot make a chain that verifies.
create table transfer_chain (
  reseller_id bigint not null,
  sequence bigint not null,
  hash bytea not null,
  constraint transfer_chain_pkey primary key (reseller_id, sequence)
) with (autovacuum_analyze_threshold = 100000, autovacuum_vacuum_threshold = 100000, autovacuum_vacuum_insert_threshold = 100000);
create trigger transfer_chain_immutable before delete or update or truncate on transfer_chain
  for each statement execute function chain_is_immutable();

-- The key of the chain: random, created once and sealed by the vault. A change of master or data keys leaves the chain
-- as it is. Without the master key nobody can read it, or put another one here that opens.
create table chain_keys (
  singleton boolean not null default true,
  sealed_key bytea not null,
  created_at timestamptz not null default now(),
  constraint chain_keys_pkey primary key (singleton),
  constraint chain_keys_singleton_check check (singleton)
);

-- The entry up to which each wallet is chained. The chaining job holds the lock of the row. There is no foreign key:
-- its check would lock the row of the wallet, and payments would wait for it.
create table chain_heads (
  reseller_id bigint not null,
  sequence bigint not null,
  hash bytea not null,
  chained_at timestamptz not null,
  constraint chain_heads_pkey primary key (reseller_id),
  constraint chain_heads_sequence_check check (sequence >= 0)
) with (fillfactor = 50, autovacuum_analyze_threshold = 100000, autovacuum_vacuum_threshold = 10000);

create table balance_thresholds (
  reseller_id bigint not null,
  amount bigint not null,
  updated_at timestamptz not null default now(),
  constraint balance_thresholds_pkey primary key (reseller_id, amount),
  constraint balance_thresholds_reseller_id_fkey foreign key (reseller_id) references resellers(id),
  constraint balance_thresholds_amount_check check (amount > 0)
);

-- Functions:
--   chain_is_immutable() returns trigger
--   dividing_moment(p_reseller bigint) returns bigint
--   hold_wallet(p_reseller bigint) returns TABLE(balance bigint, sequence bigint)
--   lock_wallets(p_resellers bigint[]) returns TABLE(reseller_id bigint, balance bigint, sequence bigint,
--     last_entry_at timestamptz)
--   open_wallet() returns trigger
--   post_entries(p_kind text, p_house_account text, p_resellers bigint[], p_sequences bigint[], p_amounts bigint[],
--     p_balances bigint[], p_payments bigint[], p_remarks text[], p_at timestamptz) returns void
--   transfers_are_immutable() returns trigger
--   wallet_balance(p_reseller bigint) returns bigint
--   wallets_are_kept() returns trigger
